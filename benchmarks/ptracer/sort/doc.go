// Package sort sorts integers by sample sort: the parallel sort of the book
// "Structured Parallel Programming" with the buckets chosen by a sample. A task
// counts how many elements of its block belong to each bucket; when all have
// counted, a task a block moves the elements into their buckets, and a task a
// bucket sorts them and copies them back. Large buckets are sorted in the same way.
package sort

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "ptracer", Name: "sort",
	Doc:  "sample sort, tasks by block and by bucket",
	Seed: "at the top a bucket's task copies back one element of the next bucket, too",
	Run:  run,
	// The inputs are the numbers of integers.
	Small: 20_000, Medium: 2_000_000, Large: 8_000_000,
}.Program()
