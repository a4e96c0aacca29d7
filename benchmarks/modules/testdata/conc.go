// Command conc maps a slice in parallel, collects results of a pool and keeps the order
// of a stream of tasks.
package main

import (
	"fmt"
	"log"
	"strings"

	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/pool"
	"github.com/sourcegraph/conc/stream"
)

const (
	tasks = 30000
	limit = 8
)

// work takes a few microseconds of string operations.
func work(n int) int {
	return len(strings.Fields(strings.Repeat(fmt.Sprint(n, " word "), 5)))
}

func main() {
	want := tasks * 10

	in := make([]int, tasks)
	for i := range in {
		in[i] = i
	}
	expect("iter", sum(iter.Map(in, func(n *int) int { return work(*n) })), want)

	p := pool.NewWithResults[int]().WithErrors().WithMaxGoroutines(limit)
	for i := range tasks {
		p.Go(func() (int, error) { return work(i), nil })
	}
	results := must(p.Wait())
	expect("pool", sum(results), want)

	s := stream.New().WithMaxGoroutines(limit)
	next := 0
	for i := range tasks {
		s.Go(func() stream.Callback {
			n := work(i)
			return func() {
				if i != next || n != 10 {
					log.Fatalf("result %d of task %d where task %d is due", n, i, next)
				}
				next++
			}
		})
	}
	s.Wait()
	expect("stream", next, tasks)
}

func sum(list []int) (total int) {
	for _, n := range list {
		total += n
	}
	return total
}

func expect(what string, got, want int) {
	if got != want {
		log.Fatalf("%s: %d, want %d", what, got, want)
	}
}
