// Package karatsuba multiplies polynomials by Karatsuba's method, as in the book
// "Structured Parallel Programming": the product of two halves each costs three
// products of half the length, two of which are tasks as long as they are not
// short. Coefficients are integers modulo 2^64.
//
// The check evaluates factors and product at some points, and compares short
// products with the schoolbook's.
package karatsuba

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "ptracer", Name: "karatsuba",
	Doc:  "products of polynomials, tasks by recursion",
	Seed: "the topmost call does not wait for the low product before it uses it",
	Run:  run,
	// The inputs are the numbers of coefficients, powers of two.
	Small: 512, Medium: 1 << 15, Large: 1 << 17,
}.Program()
