package datarace

import (
	"sync"

	"taskinstr/benchmarks/drdp/promise"
	"taskinstr/benchmarks/model"
)

// fibOf is the argument of the programs.
const fibOf = 8

// fibonacci computes both terms in tasks and the sum in a third one, which depends
// on both terms, or on the first only.
func fibonacci(n int, both bool) int {
	if n < 2 {
		return n
	}
	var i, j, s int
	var wg sync.WaitGroup
	first, second := promise.NewDone(), promise.NewDone()
	wg.Go(func() {
		i = fibonacci(n-1, both)
		first.Set()
	})
	wg.Go(func() {
		j = fibonacci(n-2, both)
		second.Set()
	})
	wg.Go(func() {
		first.Get()
		if both {
			second.Get()
		}
		s = i + j
	})
	wg.Wait()
	return s
}

func fibonacciModel(t *model.Task, v Vars, n int, both bool) {
	if n < 2 {
		return
	}
	i, j, s := v("i"), v("j"), v("s")
	first, second := t.Promise(), t.Promise()
	t.Finish(func() {
		t.Async(func(t *model.Task) {
			fibonacciModel(t, v, n-1, both)
			t.Write(i)
			t.Set(first)
		})
		t.Async(func(t *model.Task) {
			fibonacciModel(t, v, n-2, both)
			t.Write(j)
			t.Set(second)
		})
		t.Async(func(t *model.Task) {
			t.Get(first)
			if both {
				t.Get(second)
			}
			t.Read(i)
			t.Read(j)
			t.Write(s)
		})
	})
	t.Read(s)
}

var fib = Program{
	Number: 176, Name: "fib-taskdep",
	Doc:   "a sum depends on both of its terms",
	Run:   func() { use(fibonacci(fibOf, true)) },
	Model: func(t *model.Task, v Vars) { fibonacciModel(t, v, fibOf, true) },
}

var fibMissing = Program{
	Number: 177, Name: "fib-taskdep",
	Doc:   "a sum depends on one of its terms",
	Racy:  []string{"j"},
	Run:   func() { use(fibonacci(fibOf, false)) },
	Model: func(t *model.Task, v Vars) { fibonacciModel(t, v, fibOf, false) },
}
