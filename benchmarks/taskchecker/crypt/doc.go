// Package crypt encrypts an array of bytes with IDEA and decrypts it again, with one task
// for each block of eight bytes in each direction: Crypt of the Java Grande Forum suite,
// section 2. The large size makes 12.5 million tasks.
//
// IDEA (Lai and Massey, 1990) works on four 16-bit words with three operations that do
// not distribute over one another: exclusive or, addition modulo 2^16, and multiplication
// modulo 2^16+1, in which zero represents 2^16.
package crypt

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "crypt",
	Doc:  "IDEA encryption and decryption, a task a block",
	Seed: "tasks take the same block by twos, and begin in its middle",
	Run:  run,
	// The inputs are the numbers of bytes of text.
	Small: 24_000, Medium: 3_000_000, Large: 50_000_000,
}.Program()
