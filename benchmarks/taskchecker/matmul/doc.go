// Package matmul multiplies two dense matrices with one task for each row of the product:
// the EC2 challenge benchmark of TaskChecker's paper. The matrices are slices of rows.
// The large size makes 1000 tasks.
package matmul

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "matmul",
	Doc:  "matrix product, a task a row",
	Seed: "every row is computed by two tasks, and only half of them at all",
	Run:  run,
	// The inputs are the numbers of rows and columns.
	Small: 40, Medium: 400, Large: 1000,
}.Program()
