// Package datarace has small programs with promises, one for each program of
// DataRaceBench that orders tasks with the depend clause of OpenMP (Liao, Lin,
// Asplund, Schordan and Karlin: DataRaceBench: A Benchmark Suite for Systematic
// Evaluation of Data Race Detection Tools, SC 2017), without the two that use
// mutexes as well: the correctness table of the DRDP paper. The programs are written
// for this repository; only the patterns, the numbers and the labels are the suite's.
//
// A task that others depend on sets a promise, a channel that it closes, and those
// that depend on it get the promise before they begin. Where OpenMP has a barrier or
// taskwait, a WaitGroup waits.
//
// Each program is there twice: as Go, for detectors of real executions, and as a
// model (package model), which says the same accesses under the same order. Both
// name the shared variables, so that a test can name the racing one.
package datarace

import "taskinstr/benchmarks/model"

// A Program is one program.
type Program struct {
	Number int // in DataRaceBench
	Name   string
	Doc    string
	Racy   []string // the variables that race
	Run    func()
	Model  func(t *model.Task, v Vars)
}

// Vars makes the variables of a model known by name. Each has the size of an int.
type Vars func(name string) model.Var

// All lists the programs in the order of the paper's table.
var All = []Program{
	missing, flow, output, fanOut,
	partialWait, fullWait, twoWaits, oneWait,
	cousins, cousinsWaited, strangers,
	fib, fibMissing,
}
