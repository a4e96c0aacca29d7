package main

//go:noinline
func array(v []int) [3]int { return [3]int(v) } // want(racy/SliceToArray) race: v

func (racy) SliceToArray() {
	v := make([]int, 3)
	parallel(
		func() { v[1] = 1 }, // want(racy/SliceToArray) race: v[1]
		func() { sink(array(v)) },
	)
}
