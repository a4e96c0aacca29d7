// Command micro runs one kernel in a process of its own, so that the wall time, processor
// time and peak memory of the whole process can be measured.
//
//	micro -kernel NAME [-n SIZE] [-reps N] [-workers N]
//	micro -list
//
// It prints the checksum, and fails if the checksum of the default size is wrong. The
// same kernels run under go test -bench in this folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"taskinstr/benchmarks/micro/kernels"
)

func main() {
	name := flag.String("kernel", "", "the kernel to run")
	size := flag.Int("n", 0, "its size; 0: its default")
	reps := flag.Int("reps", 1, "how often to run it")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "tasks of the parallel kernels")
	list := flag.Bool("list", false, "list the kernels")
	flag.Parse()
	if *list {
		for _, k := range kernels.All {
			fmt.Printf("%-10s %-8s %9d  %s\n", k.Name, k.Kind, k.Size, k.Doc)
		}
		return
	}
	k, ok := kernels.Find(*name)
	if !ok {
		var names []string
		for _, k := range kernels.All {
			names = append(names, k.Name)
		}
		fmt.Fprintf(os.Stderr, "micro: no kernel %q; there are %s\n", *name, strings.Join(names, ", "))
		os.Exit(2)
	}
	if *reps < 1 || *workers < 1 || *size < 0 {
		fmt.Fprintln(os.Stderr, "micro: -reps and -workers must be at least 1, -n must not be negative")
		os.Exit(2)
	}
	n := *size
	if n == 0 {
		n = k.Size
	}
	var sum uint64
	for range *reps {
		sum = k.Run(n, *workers)
		if n == k.Size && sum != k.Sum {
			fmt.Fprintf(os.Stderr, "micro: %s: checksum %d, want %d\n", k.Name, sum, k.Sum)
			os.Exit(1)
		}
	}
	fmt.Printf("%s %d %d\n", k.Name, n, sum)
}
