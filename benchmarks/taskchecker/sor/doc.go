// Package sor solves Laplace's equation on a square grid by successive over-relaxation:
// SOR of the Java Grande Forum suite, section 2. The grid is a slice of rows. A sweep
// relaxes first the odd rows, then the even rows, each row in a task, in place and from
// left to right: 200,000 tasks at the large size.
package sor

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "taskchecker", Name: "sor",
	Doc:    "successive over-relaxation, a task a row and sweep",
	Seed:   "the first sweep relaxes all rows at once",
	Run:    run,
	Small:  input{rows: 40, sweeps: 20},
	Medium: input{rows: 1000, sweeps: 50},
	Large:  input{rows: 2000, sweeps: 100},
}.Program()

type input struct {
	rows   int // rows and columns, including the borders
	sweeps int
}
