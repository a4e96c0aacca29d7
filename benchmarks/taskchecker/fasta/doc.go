// Package fasta writes DNA sequences in the FASTA format: Fasta of the Computer Language
// Benchmarks Game. One sequence repeats a given one; two are drawn at random with given
// frequencies from a linear congruential generator. Four tasks fill their parts of one
// array of bytes: the repetition, the first random sequence, and the two halves of the
// second random sequence, which is the longest. Each task computes the state of the
// generator at which it begins.
package fasta

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "fasta",
	Doc:  "random DNA sequences, four tasks",
	Seed: "the tasks that draw count letters in one variable",
	Run:  run,
	// The inputs are half the numbers of letters of the first sequence.
	Small: 1000, Medium: 2_000_000, Large: 25_000_000,
}.Program()
