// Package swaptions prices swaptions by simulation in the framework of Heath,
// Jarrow and Morton: swaptions of the PARSEC suite. A swaption is the right to
// enter, at its expiry, a swap of a fixed rate for the floating one. A trial lets
// the curve of forward rates move until then, by three random factors a step.
//
// Each swaption is a task, which starts a task for each block of trials; these
// add up their results under the swaption's mutex. The drift of the rates is
// chosen such that discounted bonds are martingales in the discrete model, too, so
// the check needs no reference: within the statistical error, the mean discount
// is today's bond, and payer less receiver is today's value of the swap.
package swaptions

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "ptracer", Name: "swaptions",
	Doc:    "Monte Carlo prices of swaptions, nested tasks",
	Seed:   "blocks of trials of the first swaption add their results without the mutex",
	Run:    run,
	Small:  input{swaptions: 4, trials: 200, block: 20},
	Medium: input{swaptions: 16, trials: 5000, block: 250},
	Large:  input{swaptions: 32, trials: 40_000, block: 1000},
}.Program()

type input struct{ swaptions, trials, block int }
