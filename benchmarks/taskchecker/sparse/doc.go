// Package sparse multiplies a sparse matrix with a vector, many times over:
// SparseMatmult of the Java Grande Forum suite, section 2. The matrix is three
// flat arrays (value, row and column of each element that is not zero), sorted
// by row, and cut into 64 tasks at borders of rows.
package sparse

import "taskinstr/benchmarks/program"

var Program = program.Program{
	Suite: "taskchecker", Name: "sparse",
	Doc:  "sparse matrix times vector, 64 tasks",
	Seed: "each task goes on to the first element of the next",
	Run:  run,
}

type input struct {
	rows, elements, rounds int
}

var inputs = program.Inputs[input]{
	Small:  input{rows: 1000, elements: 5000, rounds: 5},
	Medium: input{rows: 50_000, elements: 250_000, rounds: 200},
	Large:  input{rows: 500_000, elements: 2_500_000, rounds: 200},
}
