package main

// Class: captured once
//
// A variable that keeps its first value is captured by value, as a rule: the copy is
// read unrecorded. Where the compiler captures it by reference, it records the read,
// which has nothing to race with but the declaration, before which no closure exists.

//go:noinline
func each(v []int, f func(int)) {
	for _, x := range v {
		f(x)
	}
}

func (fixed) CapturedOnce() {
	v := []int{1, 2}
	for _, x := range v {
		for _, y := range v {
			parallel(
				func() { each(v, func(z int) { sink(x + y + z) }) },
				func() { each(v, func(z int) { sink(x - y - z) }) },
			)
		}
	}
}
