// Package poisson performs Jacobi steps towards the solution of Poisson's equation on the
// unit square. The grid is divided into square blocks. In each step a task copies each
// block from the new grid to the old one, and another task computes the block from the
// old grid. The tasks wait only for the promises of the same block and its four
// neighbours, so that steps overlap. The grids are flat arrays.
//
// All tasks are started at once. The large size, 8192 with blocks of 128 and three steps,
// has 24,576 tasks, more than -race supports at once.
package poisson

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "poisson",
	Doc:    "Jacobi iteration by blocks",
	Seed:   "the first block of the first step does not wait for the copy of the next block",
	Run:    run,
	Small:  input{n: 64, block: 16, steps: 3},
	Medium: input{n: 2048, block: 128, steps: 7},
	Large:  input{n: 8192, block: 128, steps: 3},
}.Program()

type input struct {
	n     int // rows and columns, including the borders
	block int // rows and columns of a block; a divisor of n
	steps int
}
