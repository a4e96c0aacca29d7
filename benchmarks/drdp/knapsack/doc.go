// Package knapsack finds the most valuable selection of items within a weight limit by
// branch and bound. At each item, the branch with the item is a task with a promise; the
// branch without it continues in the same task. Branches that cannot exceed the value of
// a greedy selection are cut. (The original compares with the best value found so far, in
// a variable that all tasks share without synchronization, which is a race. The racy
// variant has a race of this kind.) The large size has 40 items and about two million
// tasks, as in the paper.
package knapsack

import "taskinstr/benchmarks/program"

var Program = program.Spec[input]{
	Suite: "drdp", Name: "knapsack",
	Doc:    "the knapsack problem by branch and bound",
	Seed:   "all tasks count their branches in one variable",
	Run:    run,
	Small:  input{items: 12, slack: 20},
	Medium: input{items: 40, slack: 5},
	Large:  input{items: 40, slack: 38},
}.Program()

type input struct {
	items int
	slack int // the amount below the greedy selection at which branches are still followed
}
