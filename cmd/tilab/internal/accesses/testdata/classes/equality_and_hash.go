package main

// Class: equality and hash
//
// The functions that the compiler makes for == and for keys read boxed values, which
// nobody writes; keys in a map, which the hooks of the map stand for; and the operands
// of ==, which are checked where they are compared.

type name struct {
	first, last string
	n           float64
}

//go:noinline
func same(a, b any) bool { return a == b }

func (fixed) Equality() {
	a, b := any(name{"a", "b", 1}), any(name{"a", "b", 1})
	m := map[name]int{{"a", "b", 1}: 1}
	parallel(
		func() { sink(same(a, b)); sink(m[name{"a", "b", 1}]) },
		func() { sink(same(b, a)); sink(m[name{"a", "b", 1}]) },
	)
}

//go:noinline
func equal(a, b *name) bool {
	return *a == *b // want(racy/EqualityOperand) race: *b
}

func (racy) EqualityOperand() {
	a, b := &name{}, &name{}
	parallel(
		func() { b.n = 1 }, // want race: b.n
		func() { sink(equal(a, b)) },
	)
}
