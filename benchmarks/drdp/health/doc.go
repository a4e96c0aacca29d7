// Package health simulates a system of health care: a tree of villages, each with a
// hospital. Patients wait, are assessed, and are treated or referred to the hospital one
// level up. On each day a village forks a task for each village below it, simulates its
// own hospital, and then gets the promises of these tasks and admits the patients that
// they refer. Patients are in linked lists. The large size has 6175 villages and 365
// days: 2,253,510 tasks, as in the paper.
package health

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "health",
	Doc:    "patients in a tree of villages",
	Seed:   "on the first day the root does not wait for its first village",
	Run:    run,
	Small:  input{levels: 3, below: 4, days: 30, population: 10},
	Medium: input{levels: 4, below: 8, days: 365, population: 20},
	Large:  input{levels: 4, below: 18, days: 365, population: 20},
}.Program()

type input struct {
	levels     int // levels of the tree of villages
	below      int // villages directly below one
	days       int
	population int // of a village at the lowest level; it doubles with each level
}
