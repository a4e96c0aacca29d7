package main

func (racy) HeapVariable() {
	publish(
		func() *pair {
			p := pair{1, 2} // want(racy/HeapVariable) race: p
			return &p
		},
		func(p *pair) { sink(p.b) }, // want(racy/HeapVariable) race: p.b
	)
}

func (racy) HeapVariableZero() {
	publish(
		func() *pair {
			var p pair // want(racy/HeapVariableZero) race: p
			return &p
		},
		func(p *pair) { sink(p.b) }, // want(racy/HeapVariableZero) race: p.b
	)
}

//go:noinline
func address(p pair) *pair { return &p } // want(racy/HeapParameter) race: p

func (racy) HeapParameter() {
	publish(
		func() *pair { return address(pair{1, 2}) },
		func(p *pair) { sink(p.b) }, // want(racy/HeapParameter) race: p.b
	)
}
