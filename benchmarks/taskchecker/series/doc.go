// Package series computes the first Fourier coefficients of (x+1)^x on the interval from
// 0 to 2 by the trapezoid rule, with one task for each pair of coefficients: Series of
// the Java Grande Forum suite, section 2. The large size makes a million tasks. Nearly
// all work is done on local variables.
package series

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "series",
	Doc:  "Fourier coefficients, a task a pair",
	Seed: "every pair is computed by two tasks, and only half of them at all",
	Run:  run,
	// The inputs are the numbers of pairs.
	Small: 20, Medium: 2500, Large: 1_000_000,
}.Program()
