// Package lufact solves a dense system of linear equations by LU factorization with
// partial pivoting, as Linpack does: LUFact of the Java Grande Forum suite, section 2.
// The matrix is a slice of columns. At each step, a task updates each column to the right
// of the pivot's: about two million tasks at the large size.
package lufact

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "lufact",
	Doc:  "LU factorization, a task a column and step",
	Seed: "the pivot column, which the tasks read, is updated along with the others",
	Run:  run,
	// The inputs are the numbers of equations.
	Small: 60, Medium: 900, Large: 2000,
}.Program()
