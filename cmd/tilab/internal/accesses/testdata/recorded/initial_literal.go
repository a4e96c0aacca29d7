package main

// Class: initial literal
//
// Only the variable leads to what its initializer makes; the write of the variable is
// checked, since begin may start a task for all that splicing knows.

var (
	began  = begin(nil)
	listed = []group{{1, []func() int{counter(1), counter(2)}}, {2, []func() int{counter(3)}}}
)

func begin(f func()) bool {
	if f != nil {
		go f()
	}
	return true
}

type group struct {
	id       int
	counters []func() int
}

//go:noinline
func counter(n int) func() int { return func() int { return n } }

func (racy) InitialLiteral() {
	parallel(
		func() { listed[0].counters[1] = nil }, // want race: listed[0].counters[1]
		func() { sink(listed[0].counters[1]) }, // want race: listed[0].counters[1]
	)
}
