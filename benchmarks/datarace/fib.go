package datarace

import (
	"sync"

	"taskinstr/benchmarks/model"
)

// fibOf is the argument of the programs.
const fibOf = 8

// fibonacci computes both terms in tasks and the sum in a third task, which depends on
// both terms if both is set and on the first alone otherwise.
func fibonacci(n int, both bool) int {
	if n < 2 {
		return n
	}
	var i, j, s int
	var wg sync.WaitGroup
	first := future(&wg, func() { i = fibonacci(n-1, both) })
	second := future(&wg, func() { j = fibonacci(n-2, both) })
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

// fibonacciModel is the model of fibonacci.
func fibonacciModel(t *model.Task, v Vars, n int, both bool) {
	if n < 2 {
		return
	}
	i, j, s := v("i"), v("j"), v("s")
	t.Finish(func() {
		first := t.Future(func(t *model.Task) {
			fibonacciModel(t, v, n-1, both)
			t.Write(i)
		})
		second := t.Future(func(t *model.Task) {
			fibonacciModel(t, v, n-2, both)
			t.Write(j)
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
