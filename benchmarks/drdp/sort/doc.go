// Package sort sorts integers by a merge sort in four parts with parallel merges (as in
// Cilk's example). A merge splits the longer part at its middle and the other part at the
// position of that middle value. Each part but the last is a task with a promise. The
// large size sorts ten million integers.
package sort

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "drdp", Name: "sort",
	Doc:  "merge sort with parallel merges",
	Seed: "at the top the first merge does not wait for the first quarter",
	Run:  run,
	// The inputs are the numbers of integers.
	Small: 6000, Medium: 2_000_000, Large: 10_000_000,
}.Program()
