// Package main has programs that do little but synchronize, for measurements of what a schedule costs
// (docs/lab/schedules.md). The arguments are a program and a number of operations.
package main

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// pingpong passes a value back and forth between two goroutines.
func pingpong(n int) {
	a, b := make(chan int), make(chan int)
	go func() {
		for v := range a {
			b <- v
		}
		close(b)
	}()
	for i := range n {
		a <- i
		<-b
	}
	close(a)
}

// pipeline passes values through five goroutines with buffers between them.
func pipeline(n int) {
	first := make(chan int, 10)
	in := first
	for range 5 {
		from, out := in, make(chan int, 10)
		go func() {
			for v := range from {
				out <- v + 1
			}
			close(out)
		}()
		in = out
	}
	go func() {
		for i := range n {
			first <- i
		}
		close(first)
	}()
	for range in {
	}
}

// workers has eight goroutines that take jobs from one channel and send results to another.
func workers(n int) {
	jobs, results := make(chan int), make(chan int, 8)
	for range 8 {
		go func() {
			for j := range jobs {
				results <- j * j
			}
		}()
	}
	go func() {
		for i := range n {
			jobs <- i
		}
		close(jobs)
	}()
	for range n {
		<-results
	}
}

// locks has four goroutines that increment a counter under a lock.
func locks(n int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for range 4 {
		wg.Go(func() {
			for range n / 4 {
				mu.Lock()
				total++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}

// counters has four goroutines that increment an atomic counter.
func counters(n int) {
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range n / 4 {
				total.Add(1)
			}
		})
	}
	wg.Wait()
}

// loads reads an atomic variable.
func loads(n int) {
	var v atomic.Int64
	var sum int64
	for range n {
		sum += v.Load()
	}
}

// now reads the clock.
func now(n int) {
	for range n {
		time.Now()
	}
}

func main() {
	programs := map[string]func(int){"pingpong": pingpong, "pipeline": pipeline, "workers": workers, "locks": locks, "counters": counters,
		"loads": loads, "now": now}
	n, err := strconv.Atoi(os.Args[2])
	if f := programs[os.Args[1]]; f != nil && err == nil {
		f(n)
		return
	}
	fmt.Fprintln(os.Stderr, "usage: cost pingpong|pipeline|workers|locks|counters|loads|now N")
	os.Exit(2)
}
