// Package health simulates a system of health care: a tree of villages, each with
// a hospital, whose patients wait, are assessed and treated, or referred to the
// hospital one level up. Every day each village starts a task for every village
// below it, simulates its own hospital, and then gets their promises and admits
// the patients they refer. Patients are in linked lists. The large size has 6175
// villages and 365 days: 2,253,510 tasks, as in the paper.
package health

import "taskinstr/benchmarks/program"

var Program = program.Program{
	Suite: "drdp", Name: "health",
	Doc:  "patients in a tree of villages",
	Seed: "on the first day the root does not wait for its first village",
	Run:  run,
}

type input struct {
	levels     int // of villages
	below      int // villages below one
	days       int
	population int // of a village at the lowest level; twice as many a level up
}

var inputs = program.Inputs[input]{
	Small:  input{levels: 3, below: 4, days: 30, population: 10},
	Medium: input{levels: 4, below: 8, days: 365, population: 20},
	Large:  input{levels: 4, below: 18, days: 365, population: 20},
}
