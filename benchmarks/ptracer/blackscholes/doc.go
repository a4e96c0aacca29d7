// Package blackscholes prices European options by the formula of Black and
// Scholes: blackscholes of the PARSEC suite. A task prices a block of options;
// the prices are computed in several rounds, as in PARSEC, and each round waits
// for its tasks.
//
// The normal distribution is a polynomial approximation (Abramowitz and Stegun,
// 26.2.17). The check compares each price with the closed form over math.Erfc, and
// calls with puts by their parity.
package blackscholes

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "blackscholes",
	Doc:    "prices of European options, a task a block of them",
	Seed:   "in the first round blocks overlap by one option",
	Run:    run,
	Small:  input{options: 4000, block: 100, rounds: 3},
	Medium: input{options: 200_000, block: 2000, rounds: 10},
	Large:  input{options: 1_000_000, block: 10_000, rounds: 20},
}.Program()

type input struct{ options, block, rounds int }
