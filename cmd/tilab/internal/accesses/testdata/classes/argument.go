package main

// Class: argument
//
// The called function is inlined and does not use the argument.

var settings = map[string]int{"depth": 3}

func refuse(m map[string]int, n int) int { panic("not implemented") }

func tried(n int) (err any) {
	defer func() { err = recover() }()
	return refuse(settings, n)
}

func (fixed) Argument() {
	settings = map[string]int{"depth": 4}
	parallel(
		func() { sink(tried(1)) },
		func() { sink(tried(2)) },
	)
}
