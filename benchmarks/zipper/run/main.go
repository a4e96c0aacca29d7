// Command run executes one program of table 3 of the paper on Zipper, written with
// package rt/task, in a process of its own:
//
//	run -program NAME
//	run -list
//
// The exit code is 1 if the result is wrong.
package main

import (
	"flag"
	"fmt"
	"os"

	"taskinstr/benchmarks/zipper/tasks"
)

func main() {
	name := flag.String("program", "", "the program to run")
	list := flag.Bool("list", false, "list the programs and whether they have a race")
	flag.Parse()
	if *list {
		for _, p := range tasks.Table {
			fmt.Printf("%-28s race: %v\n", p.Name, p.Race)
		}
		return
	}
	p, err := tasks.Find(*name)
	if err != nil {
		fmt.Fprintf(os.Stderr, "run: -program: %v\n", err)
		os.Exit(2)
	}
	if err := p.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "run: %v\n", err)
		os.Exit(1)
	}
}
