// Package montecarlo simulates the price of a stock many times and estimates its drift
// and volatility from the simulated prices: MonteCarlo of the Java Grande Forum suite,
// section 3. A path of 1000 daily returns is divided into five segments, each a task with
// a random stream of its own: 300,000 tasks at the large size.
package montecarlo

import "taskinstr/benchmarks/program"

var Program = program.Spec[int]{
	Suite: "taskchecker", Name: "montecarlo",
	Doc:  "simulated stock prices, five tasks a path",
	Seed: "two tasks each note their estimates in the same place",
	Run:  run,
	// The inputs are the numbers of paths.
	Small: 40, Medium: 4000, Large: 60_000,
}.Program()
