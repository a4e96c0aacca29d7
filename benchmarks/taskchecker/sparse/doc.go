// Package sparse multiplies a sparse matrix by a vector many times: SparseMatmult of the
// Java Grande Forum suite, section 2. The matrix consists of three flat arrays (value,
// row and column of each element other than zero), sorted by row, and is divided into 64
// tasks at row boundaries.
package sparse

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "taskchecker", Name: "sparse",
	Doc:    "sparse matrix times vector, 64 tasks",
	Seed:   "each task goes on to the first element of the next",
	Run:    run,
	Small:  input{rows: 1000, elements: 5000, rounds: 5},
	Medium: input{rows: 50_000, elements: 250_000, rounds: 200},
	Large:  input{rows: 500_000, elements: 2_500_000, rounds: 200},
}.Program()

type input struct {
	rows, elements, rounds int
}
