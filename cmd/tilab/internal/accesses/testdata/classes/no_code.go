package main

// Class: no code
//
// Of an access in dead code the check is dead as well.

const debugging = false

//go:noinline
func total(v []int) (n int) {
	for i := range v {
		if debugging {
			n -= v[i]
		}
		n += i
	}
	return n
}

func (fixed) NoCode() {
	v := make([]int, 3)
	parallel(
		func() { sink(total(v)) },
		func() { v[1] = 1 },
	)
}
