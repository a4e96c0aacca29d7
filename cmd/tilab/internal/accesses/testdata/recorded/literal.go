package main

func (racy) Literal() {
	publish(
		func() *pair { return &pair{a: 1, b: 2} }, // want(racy/Literal) race: &pair{a: 1, b: 2}
		func(p *pair) { sink(p.b) },               // want(racy/Literal) race: p.b
	)
}

func (racy) LiteralElement() {
	publish(
		func() *int { return &[]int{1, 2, len(sinkName)}[2] }, // want(racy/LiteralElement) race: []int{1, 2, len(sinkName)}
		func(p *int) { sink(*p) },                             // want(racy/LiteralElement) race: *p
	)
}

var sinkName = "sink"
