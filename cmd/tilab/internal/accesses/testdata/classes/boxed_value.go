package main

// Class: boxed value
//
// An interface holds a copy. The copy is made in fresh memory, by code that records
// nothing, and never written again: changing the interface makes another one. The
// interface itself is checked.

type shape interface{ area() int }

type square struct{ side, other int }

func (s square) area() int { return s.side * s.side }

var current any = square{1, 1}

//go:noinline
func unbox(x any) int {
	switch x := x.(type) {
	case int32:
		return int(x)
	case square:
		return x.side
	}
	n, _ := x.(int64)
	return int(n)
}

func (fixed) Boxed() {
	x := any(square{2, 2})
	parallel(
		func() { sink(unbox(x)) },
		func() { sink(unbox(x)) },
	)
}

func (racy) BoxedChanged() {
	parallel(
		func() { current = square{3, 3} }, // want race: current
		func() { sink(unbox(current)) },   // want race: current
	)
}
