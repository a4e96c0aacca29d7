package main

// Class: clear
//
// What clear writes is recorded by us alone.

func (racy) Clear() {
	v := make([]int, 3)
	parallel(
		func() { clear(v) },   // want race nostock: v
		func() { sink(v[2]) }, // want race nostock: v[2]
	)
}
