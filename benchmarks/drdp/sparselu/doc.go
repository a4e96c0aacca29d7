// Package sparselu factorizes a sparse matrix of dense blocks into a lower and an upper
// triangular matrix. Blocks without elements are nil; a block that fills up is allocated
// when the task that fills it is started. Each operation on a block is a task. It waits
// for the promises of the tasks that last wrote the block and the blocks that it reads,
// and sets a promise of its own.
//
// All tasks are started at once. The large size, 128 by 128 blocks of 32 by 32, has more
// tasks than -race supports at once.
package sparselu

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "sparselu",
	Doc:    "LU factorization of a sparse matrix of blocks",
	Seed:   "the first update does not wait for one of the blocks it multiplies",
	Run:    run,
	Small:  input{blocks: 8, size: 8},
	Medium: input{blocks: 28, size: 48},
	Large:  input{blocks: 128, size: 32},
}.Program()

type input struct {
	blocks int // blocks in each row and column
	size   int // rows and columns of a block
}
