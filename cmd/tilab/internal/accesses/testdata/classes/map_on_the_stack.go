package main

// Class: map on the stack
//
// A map that does not leave its function is set up on the stack, by code of the
// compiler's that it records. Nobody else knows the map.

//go:noinline
func distinct(v []int) int {
	seen := make(map[int]bool)
	for _, x := range v {
		seen[x] = true
	}
	return len(seen)
}

func (fixed) MapOnTheStack() {
	v := []int{1, 2, 1}
	parallel(
		func() { sink(distinct(v)) },
		func() { sink(distinct(v)) },
	)
}
