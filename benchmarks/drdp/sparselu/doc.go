// Package sparselu factorizes a sparse matrix of dense blocks into a lower and an
// upper triangular one. Blocks without elements are nil; those that fill up on
// the way are made when the task that fills them is started. Every operation on
// a block is a task. It waits for the promises of the tasks that last wrote the
// blocks it reads and the one it writes, and sets one of its own.
//
// All tasks are started at once. At the large size, 128 by 128 blocks of 32 by
// 32, they are more than -race can have alive.
package sparselu

import "taskinstr/benchmarks/program"

var Program = program.Program{
	Suite: "drdp", Name: "sparselu",
	Doc:  "LU factorization of a sparse matrix of blocks",
	Seed: "the first update does not wait for one of the blocks it multiplies",
	Run:  run,
}

type input struct {
	blocks int // in a row and a column
	size   int // rows and columns of a block
}

var inputs = program.Inputs[input]{
	Small:  input{blocks: 8, size: 8},
	Medium: input{blocks: 28, size: 48},
	Large:  input{blocks: 128, size: 32},
}
