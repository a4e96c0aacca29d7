package main

// Class: inlined call
//
// Where a call is inlined, variables that the function returns are read at the position
// of the call. The check is where the function returns them.

var limit = 10

func maximum() int { return limit } // want(racy/InlinedCall) race nostock: limit

func (racy) InlinedCall() {
	parallel(
		func() { limit = 11 }, // want race nostock: limit
		func() { sink(maximum() + 1) },
	)
}

func (fixed) InlinedCall() {
	parallel(
		func() { sink(maximum() + 2) },
		func() { sink(maximum() + 1) },
	)
}
