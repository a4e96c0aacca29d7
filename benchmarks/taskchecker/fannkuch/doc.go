// Package fannkuch counts the flips of pancakes: for each permutation of 1..n it reverses
// the first k elements, where k is the first element, until the first element is 1, and
// counts the reversals (Anderson and Rettig, 1994). This is Fannkuch of the Computer
// Language Benchmarks Game. The permutations are divided into blocks of forty, each a
// task: 997,920 tasks at the large size.
package fannkuch

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "taskchecker", Name: "fannkuch",
	Doc:  "reversals of all permutations, a task a block of forty",
	Seed: "the tasks keep the largest count in one variable without a mutex",
	Run:  run,
	// The inputs hold the published results, including the one for the medium size.
	Small:  input{n: 7, want: result{checksum: 228, most: 16}},
	Medium: input{n: 10, want: result{checksum: 73196, most: 38}},
	Large:  input{n: 11, want: result{checksum: 556355, most: 51}},
}.Program()

type input struct {
	n    int
	want result
}
