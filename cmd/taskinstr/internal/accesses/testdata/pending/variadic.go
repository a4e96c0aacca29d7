package main

// Class: variadic

//go:noinline
func second(v ...int) *int { return &v[1] }

func (racy) Variadic() {
	publish(
		func() *int { return second(1, len(sinkName)) },
		func(p *int) { sink(*p) },
	)
}
