package main

//go:noinline
func second(v ...int) *int { return &v[1] }

func (racy) Variadic() {
	publish(
		func() *int { return second(1, len(sinkName)) }, // want(racy/Variadic) race: second(1, len(sinkName))
		func(p *int) { sink(*p) },                       // want(racy/Variadic) race: *p
	)
}
