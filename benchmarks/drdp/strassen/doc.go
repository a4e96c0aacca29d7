// Package strassen multiplies two dense matrices by Strassen's algorithm in Winograd's
// form: seven products of quadrants and fifteen sums. Each of the eight sums of operands,
// the seven products and the four quadrants of the result is a task that gets the
// promises of its operands, so that a product starts as soon as its own operands are
// there. The matrices are flat arrays, and a quadrant is a view of one. The large size is
// the paper's.
package strassen

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "strassen",
	Doc:    "matrix product by Strassen's algorithm",
	Seed:   "at the top the first quadrant does not wait for one of its products",
	Run:    run,
	Small:  input{n: 32, block: 16},
	Medium: input{n: 512, block: 32},
	Large:  input{n: 2048, block: 64},
}.Program()

type input struct {
	n     int // rows and columns: a power of two times block
	block int // matrices up to this size are multiplied in the ordinary way
}
