// Package matmul multiplies two dense matrices by divide and conquer: the
// product's quadrants are sums of two products each. Of the four first addends
// three are computed by tasks, each a promise, and when they are there the
// second ones are added in the same way. The matrices are flat arrays of which a
// quadrant is a view. The large size, 2048 with blocks of 64, makes 28,086 tasks.
package matmul

import "taskinstr/benchmarks/program"

var Program = program.Program{
	Suite: "drdp", Name: "matmul",
	Doc:  "matrix product by divide and conquer",
	Seed: "at the top the second addends do not wait for one of the first",
	Run:  run,
}

type input struct {
	n     int // rows and columns: a power of two times block
	block int // this and below is multiplied sequentially
}

var inputs = program.Inputs[input]{
	Small:  input{n: 32, block: 8},
	Medium: input{n: 512, block: 64},
	Large:  input{n: 2048, block: 64},
}
