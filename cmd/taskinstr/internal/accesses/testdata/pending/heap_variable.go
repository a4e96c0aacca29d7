package main

// Class: heap variable

func (racy) HeapVariable() {
	publish(
		func() *pair {
			p := pair{1, 2}
			return &p
		},
		func(p *pair) { sink(p.b) },
	)
}

func (racy) HeapVariableZero() {
	publish(
		func() *pair {
			var p pair
			return &p
		},
		func(p *pair) { sink(p.b) },
	)
}

//go:noinline
func address(p pair) *pair { return &p }

func (racy) HeapParameter() {
	publish(
		func() *pair { return address(pair{1, 2}) },
		func(p *pair) { sink(p.b) },
	)
}
