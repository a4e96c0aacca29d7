package main

// Class: initial value
//
// Package-level variables get their values before the program has a second task.

var (
	first  = prime(0)
	second = first + limit
)

func (fixed) InitialValue() {
	parallel(
		func() { sink(second) },
		func() { sink(second) },
	)
}

func (racy) InitialValueChanged() {
	parallel(
		func() { second = 1 },   // want race: second
		func() { sink(second) }, // want race: second
	)
}
