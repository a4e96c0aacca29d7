// Package tasks has the 27 programs of table 3 of the paper on Zipper as Go programs with
// package rt/task: the same names, sizes and verdicts as in package programs, which
// models them. Each program without a race checks its result. Command run executes one in
// a process of its own, for detectors on line and for traces.
//
// Futures are tasks in nested scopes here, too: promises are outside of Zipper's model.
package tasks
