package main

//go:noinline
func pad(v []int, n int) []int { return append(v, make([]int, n)...) } // want(racy/AppendOfMake) race: append(v, make([]int, n)...)

func (racy) AppendOfMake() {
	v := make([]int, 1, 4)
	parallel(
		func() { v[:4][2] = 1 }, // want(racy/AppendOfMake) race: v[:4][2]
		func() { sink(pad(v, 2)) },
	)
}
