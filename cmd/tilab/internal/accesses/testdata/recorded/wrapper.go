package main

type adder interface{ add(int) int }

type base struct{ n, m int }

func (b base) add(k int) int { return b.n + k }

type outer struct {
	name string
	adder
}

//go:noinline
func promoted(a adder) int { return a.add(1) } // want(racy/WrapperPromoted) race: a.add

//go:noinline
func copied(a adder) int { return a.add(1) } // want(racy/WrapperValue) race: a.add

func (racy) WrapperPromoted() {
	o := &outer{adder: base{1, 2}}
	parallel(
		func() { o.adder = base{3, 4} }, // want(racy/WrapperPromoted) race: o.adder
		func() { sink(promoted(o)) },
	)
}

func (racy) WrapperValue() {
	b := &base{1, 2}
	parallel(
		func() { b.m = 3 }, // want(racy/WrapperValue) race: b.m
		func() { sink(copied(b)) },
	)
}

//go:noinline
func bound(f func(int) int) int { return f(1) }

func (racy) WrapperExpression() {
	b := &base{1, 2}
	parallel(
		func() { b.m = 3 }, // want(racy/WrapperExpression) race: b.m
		func() {
			f := (*base).add
			sink(f(b, 1)) // want(racy/WrapperExpression) race: -
		},
	)
}
