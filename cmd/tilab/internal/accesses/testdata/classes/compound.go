package main

// Class: compound
//
// The read of x op= y and x++ is of the bytes that the statement writes next. Whoever
// races with it races with the write, whose check comes first.

type counter struct{ n, m int }

func (racy) Compound() {
	c := &counter{}
	parallel(
		func() { c.n++ },     // want race: c.n
		func() { sink(c.n) }, // want race: c.n
	)
}

func (racy) CompoundElement() {
	v := make([]int, 4)
	parallel(
		func() { v[2] += 3 }, // want race: v[2]
		func() { v[2] ^= 1 }, // want race: v[2]
	)
}

func (fixed) Compound() {
	c := &counter{}
	parallel(
		func() { c.n++ },
		func() { c.m++ },
	)
}
