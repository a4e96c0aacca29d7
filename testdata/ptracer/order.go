package main

import (
	"runtime"
	"sync"
)

// Values of order.
const (
	observed = "observed"
	reversed = "reversed"
	free     = "free"
)

// order is the schedule of the tests that name one.
var order string

// A baton orders two tasks in time without ordering them for a detector: it is a plain
// word, accessed by functions that are not instrumented.
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
		wg.Go(f)
	}
	wg.Wait()
}

// inOrder is parallel with the order of the schedule: each task begins when another one
// has ended.
func inOrder(fs ...func()) {
	turns := make([]baton, len(fs)+1)
	if order == reversed {
		turns[len(fs)].pass()
	} else {
		turns[0].pass()
	}
	var wg sync.WaitGroup
	for i, f := range fs {
		mine, next := &turns[i], &turns[i+1]
		if order == reversed {
			mine, next = next, mine
		}
		wg.Go(func() {
			if order != free {
				mine.await()
			}
			f()
			next.pass()
		})
	}
	wg.Wait()
}

// before runs child in a task and rest in the calling one, child first in the observed
// schedule, and waits for child.
func before(child, rest func()) {
	var ended baton
	var wg sync.WaitGroup
	wg.Go(func() {
		if order == reversed {
			ended.await()
		}
		child()
		if order != reversed {
			ended.pass()
		}
	})
	if order == observed {
		ended.await()
	}
	rest()
	if order == reversed {
		ended.pass()
	}
	wg.Wait()
}

// locked runs f in a critical section.
func locked(l sync.Locker, f func()) {
	l.Lock()
	defer l.Unlock()
	f()
}

// sink uses a value that a test only reads.
//
//go:noinline
func sink[T any](T) {}
