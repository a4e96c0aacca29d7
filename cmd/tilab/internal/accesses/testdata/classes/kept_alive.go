package main

import "unsafe"

// Class: kept alive
//
// The slice of arguments lives as long as the call; nobody else knows it, unless the
// function makes it known.

//go:noinline
//go:uintptrescapes
func given(args ...uintptr) bool { return args[0] != 0 }

func (fixed) KeptAlive() {
	n := new(int)
	parallel(
		func() { sink(given(uintptr(unsafe.Pointer(n)))) },
		func() { sink(given(uintptr(unsafe.Pointer(n)), 1)) },
	)
}
