package main

// Class: map element
//
// An element is reached through its map only, and the hook of the map operation records
// the whole map right before the element is read or written.

type point struct{ x, y int }

func (racy) MapElement() {
	m := map[string]point{"a": {1, 2}}
	parallel(
		func() { m["a"] = point{3, 4} }, // want race: m["a"]
		func() { sink(m["a"].x) },       // want race: m["a"]
	)
}

func (racy) MapElementChanged() {
	m := map[string]int{"a": 1}
	parallel(
		func() { m["a"]++ },        // want race: m["a"]
		func() { m["b"] = m["c"] }, // want race: -
	)
}

func (fixed) MapElement() {
	m := map[string]point{"a": {1, 2}}
	parallel(
		func() { sink(m["a"].y) },
		func() { sink(m["a"].x) },
	)
}
