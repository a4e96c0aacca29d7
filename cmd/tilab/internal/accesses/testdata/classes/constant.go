package main

// Class: constant
//
// No code writes the variable once there is another task. What it points to is another
// matter.

var (
	primes  = [...]int{2, 3, 5, 7, 11}
	shared  = &counter{}
	verbose = false
)

//go:noinline
func prime(i int) int {
	if verbose {
		println(i)
	}
	return primes[i]
}

func (fixed) Constant() {
	parallel(
		func() { sink(prime(1)) },
		func() { sink(prime(1)) },
	)
}

func (racy) ConstantPointer() {
	parallel(
		func() { shared.n = 1 },   // want race: shared.n
		func() { sink(shared.n) }, // want race: shared.n
	)
}
