package main

// Class: wrapper

type adder interface{ add(int) int }

type base struct{ n, m int }

func (b base) add(k int) int { return b.n + k }

type outer struct {
	name string
	adder
}

//go:noinline
func call(a adder) int { return a.add(1) }

func (racy) WrapperPromoted() {
	o := &outer{adder: base{1, 2}}
	parallel(
		func() { o.adder = base{3, 4} },
		func() { sink(call(o)) },
	)
}

func (racy) WrapperValue() {
	b := &base{1, 2}
	parallel(
		func() { b.m = 3 },
		func() { sink(call(b)) },
	)
}

//go:noinline
func bound(f func(int) int) int { return f(1) }

func (racy) WrapperExpression() {
	b := &base{1, 2}
	parallel(
		func() { b.m = 3 },
		func() {
			f := (*base).add
			sink(f(b, 1))
		},
	)
}
