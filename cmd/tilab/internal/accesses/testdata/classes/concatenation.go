package main

// Class: concatenation
//
// The runtime takes the operands of a long concatenation in an array, which the compiler
// fills on the stack. Variables among the operands are checked.

type person struct{ first, last, street, town, land string }

//go:noinline
func label(p *person) string {
	return p.first + " " + p.last + ", " + p.street + ", " + p.town + ", " + p.land // want(racy/Concatenation) race: p.town
}

func (racy) Concatenation() {
	p := &person{}
	parallel(
		func() { p.town = "Pisa" }, // want race: p.town
		func() { sink(label(p)) },
	)
}

func (fixed) Concatenation() {
	p := &person{}
	parallel(
		func() { sink(label(p)) },
		func() { sink(label(p)) },
	)
}
