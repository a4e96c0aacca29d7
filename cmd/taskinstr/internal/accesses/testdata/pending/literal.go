package main

// Class: literal

func (racy) Literal() {
	publish(
		func() *pair { return &pair{a: 1, b: 2} },
		func(p *pair) { sink(p.b) },
	)
}

func (racy) LiteralElement() {
	publish(
		func() *int { return &[]int{1, 2, len(sinkName)}[2] },
		func(p *int) { sink(*p) },
	)
}

var sinkName = "sink"
