package main

// Class: on the stack
//
// A variable whose address is taken may stay on the stack, of which the compiler can be
// sure. Whoever asks for its address at run time finds that out as well.

//go:noinline
func onStack(n int) int {
	p := &n
	*p += 2
	n++
	return n + *p
}

func (fixed) OnTheStack() {
	parallel(
		func() { sink(onStack(1)) },
		func() { sink(onStack(2)) },
	)
}
