// Package matmul multiplies two dense matrices by divide and conquer: each quadrant of
// the product is the sum of two products. Tasks compute three of the four first addends,
// each with a promise, and the parent computes the fourth; the second addends follow in
// the same way when all first addends are there. The matrices are flat arrays, and a
// quadrant is a view of one. The large size, 2048 with blocks of 64, makes 28,086 tasks.
package matmul

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "matmul",
	Doc:    "matrix product by divide and conquer",
	Seed:   "at the top the second addends do not wait for one of the first",
	Run:    run,
	Small:  input{n: 32, block: 8},
	Medium: input{n: 512, block: 64},
	Large:  input{n: 2048, block: 64},
}.Program()

type input struct {
	n     int // rows and columns: a power of two times block
	block int // matrices up to this size are multiplied sequentially
}
