package datarace

import (
	"sync"

	"taskinstr/benchmarks/drdp/promise"
)

// future runs f in a task that wg waits for, and promises that f has ended.
func future(wg *sync.WaitGroup, f func()) promise.Done {
	done := promise.NewDone()
	wg.Go(func() {
		f()
		done.Set()
	})
	return done
}

// use keeps a result from being optimized away.
//
//go:noinline
func use(int) {}
