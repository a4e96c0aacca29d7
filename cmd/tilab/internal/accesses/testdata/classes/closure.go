package main

// Class: closure
//
// The object behind a function value holds copies of captured variables, and pointers
// to those that change. Only the function's own code reads it, and -race does not
// record that; so there is nothing that the recorded write could race with. The captured
// variables that change are checked.

//go:noinline
func adder(n int) func(int) int { return func(m int) int { return n + m } }

//go:noinline
func call(f func(int) int) int { return f(1) }

func (fixed) Closure() {
	f := adder(1)
	parallel(
		func() { sink(call(f)) },
		func() { sink(call(f)) },
	)
}

func (racy) ClosureVariable() {
	n := 0
	f := func(m int) int {
		n += m   // want races: n
		return n // want races: n
	}
	parallel(
		func() { call(f) },
		func() { call(f) },
	)
}
