// Command run executes one program of package datarace, for detectors of real
// executions:
//
//	run 27
package main

import (
	"fmt"
	"os"
	"strconv"

	"taskinstr/benchmarks/datarace"
)

func main() {
	if len(os.Args) == 2 {
		if n, err := strconv.Atoi(os.Args[1]); err == nil {
			for _, p := range datarace.All {
				if p.Number == n {
					p.Run()
					return
				}
			}
		}
	}
	fmt.Fprintln(os.Stderr, "usage: run NUMBER, with one of the numbers")
	for _, p := range datarace.All {
		fmt.Fprintf(os.Stderr, "  %3d %s: %s\n", p.Number, p.Name, p.Doc)
	}
	os.Exit(2)
}
