package main

// Class: go:norace
//
// The hook of copy records even in a function marked go:norace, whose other accesses are
// not recorded. taskinstr has a check at the copy instead of the hook, and so none here:
// what the function does is not to be judged.

//go:norace
//go:noinline
func unjudged(to, from []int) {
	copy(to, from)
	to[0] = from[0]
}

func (fixed) Norace() {
	to, from := make([]int, 3), make([]int, 3)
	done := make(chan bool)
	parallel(
		func() { unjudged(to, from) },
		func() { close(done) },
	)
	<-done
}
