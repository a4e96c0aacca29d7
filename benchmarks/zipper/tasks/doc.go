// Package tasks has the 27 programs of table 3 of the paper on Zipper as Go programs
// over package rt/task: the same names, sizes and verdicts as in package programs,
// which models them. They check their results, unless they have a race. Command run
// executes one in a process of its own, for detectors on line and for traces.
//
// Futures are tasks in nested scopes here, too: a promise is outside the model of
// Zipper.
package tasks
