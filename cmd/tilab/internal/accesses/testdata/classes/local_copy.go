package main

// Class: local copy
//
// The compiler puts a value that becomes an interface, or is compared, into a temporary
// of its own and records reading it. The place that the value comes from is checked.

type wide struct{ a, b, c, d, e int }

//go:noinline
func box(w *wide) any {
	v := *w
	v.a++
	return v
}

func (racy) LocalCopy() {
	w := &wide{}
	parallel(
		func() { w.e = 1 }, // want race: w.e
		func() { sink(pack(w)) },
	)
}

//go:noinline
func pack(w *wide) any {
	v := *w // want(racy/LocalCopy) race: *w
	return v
}

func (fixed) LocalCopy() {
	w := &wide{}
	parallel(
		func() { sink(box(w)) },
		func() { sink(box(w)) },
	)
}
