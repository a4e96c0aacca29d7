package main

import (
	"runtime"
	"sync"
)

// A baton orders two goroutines in time without ordering them for anybody who
// watches the synchronization: it is a plain word, read and written by
// functions that no detector instruments. Cases use it to decide which of two
// schedules happens.
type baton struct{ passed uint32 }

//go:norace
//go:noinline
func (b *baton) pass() { b.passed = 1 }

//go:norace
//go:noinline
func (b *baton) isPassed() bool { return b.passed != 0 }

func (b *baton) await() {
	for !b.isPassed() {
		runtime.Gosched()
	}
}

// parallel runs the functions as sibling tasks and waits for all of them.
func parallel(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	wg.Wait()
}

// oneByOne runs the functions in tasks of their own, each after the one before.
func oneByOne(fs ...func()) {
	for _, f := range fs {
		parallel(f)
	}
}

// under returns a function that runs f in a critical section.
func under(mu sync.Locker, f func()) func() {
	return func() {
		mu.Lock()
		f()
		mu.Unlock()
	}
}

// first runs f and then g in two sibling tasks: in this order, but nothing
// except what f and g do themselves says so.
func first(f, g func()) {
	var b baton
	parallel(func() { f(); b.pass() }, func() { b.await(); g() })
}

// sink keeps a value alive that a case only reads.
//
//go:noinline
func sink[T any](T) {}
