package main

// Class: made slice
//
// append(s, make([]T, n)...) copies zeros out of a slice that only append knows.

//go:noinline
func padded(v []int, n int) []int {
	return append(v[:len(v):len(v)], make([]int, n)...)
}

func (fixed) MadeSlice() {
	v := []int{1}
	parallel(
		func() { sink(padded(v, 3)) },
		func() { sink(padded(v, 3)) },
	)
}
