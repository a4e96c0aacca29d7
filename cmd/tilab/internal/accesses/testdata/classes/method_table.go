package main

// Class: method table
//
// An interface with methods points to a table that the linker or the runtime makes. Its
// type word, read when the interface becomes one without methods, is never written
// where another task could see it.

//go:noinline
func forget(s shape) any { return s }

func (fixed) MethodTable() {
	var s shape = square{1, 2}
	parallel(
		func() { sink(forget(s)) },
		func() { sink(forget(s)) },
	)
}
