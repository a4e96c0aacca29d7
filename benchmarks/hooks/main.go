package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"taskinstr/benchmarks/cputime"
)

func main() {
	name := flag.String("operation", "", "measure this one alone")
	runs := flag.Int("runs", 5, "runs of each operation")
	scale := flag.Float64("scale", 1, "a factor of the numbers of operations")
	flag.Parse()
	if flag.NArg() > 0 || *runs < 1 || *scale <= 0 {
		fmt.Fprintln(os.Stderr, "hooks: no arguments are expected, -runs must be at least 1, -scale must be positive")
		os.Exit(2)
	}
	found := false
	for _, o := range operations {
		if *name != "" && *name != o.name {
			continue
		}
		found = true
		times := make([]float64, *runs)
		for i := range times {
			times[i] = o.measure(max(1, int(float64(o.n)**scale)))
		}
		slices.Sort(times)
		fmt.Printf("%-28s %8.1f\n", o.name, times[*runs/2])
	}
	if !found {
		fmt.Fprintf(os.Stderr, "hooks: no operation %q; there are\n", *name)
		for _, o := range operations {
			fmt.Fprintf(os.Stderr, "\t%s\n", o.name)
		}
		os.Exit(2)
	}
}

// measure lets each task of o make n operations and returns the processor time of one, in
// nanoseconds.
func (o *operation) measure(n int) float64 {
	op := o.prepare()
	before := cputime.Used()
	var wg sync.WaitGroup
	for t := range o.tasks {
		wg.Go(func() {
			for i := range n {
				op(t + i)
			}
		})
	}
	wg.Wait()
	return float64(cputime.Used()-before) / float64(time.Nanosecond) / float64(n*o.tasks)
}
