// Package sort sorts integers by a merge sort in four parts, whose merges are
// parallel, too (as in Cilk's example): a merge splits the longer part at its
// middle and the other one where that value belongs. Every part but the last is
// a task and a promise. The large size sorts ten million.
package sort

import "taskinstr/benchmarks/program"

var Program = program.Program{
	Suite: "drdp", Name: "sort",
	Doc:  "merge sort with parallel merges",
	Seed: "at the top the first merge does not wait for the first quarter",
	Run:  run,
}

// inputs are the numbers of integers.
var inputs = program.Inputs[int]{Small: 6000, Medium: 2_000_000, Large: 10_000_000}
