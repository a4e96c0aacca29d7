// Package datarace holds thirteen small programs with promises: the correctness table
// of the DRDP paper. Each follows one program of DataRaceBench that orders tasks with the
// depend clause of OpenMP (Liao, Lin, Asplund, Schordan and Karlin: DataRaceBench: A
// Benchmark Suite for Systematic Evaluation of Data Race Detection Tools, SC 2017). The
// two programs of the suite that also use mutexes are left out. The programs are written
// for this repository; only the patterns, the numbers and the labels are the suite's.
//
// A task that others depend on sets a promise, which is a channel that it closes. The
// dependent tasks get the promise before they begin. A WaitGroup replaces a barrier or a
// taskwait of OpenMP.
//
// Each program exists twice: as Go code, for detectors of real executions, and as a model
// (package model) with the same accesses in the same order. Both name the shared
// variables, so that a test can name the variable that races.
package datarace

import "taskinstr/benchmarks/model"

// A Program is one program of the table.
type Program struct {
	Number int // in DataRaceBench
	Name   string
	Doc    string
	Racy   []string // the variables that race
	Run    func()
	Model  func(t *model.Task, v Vars)
}

// Vars makes a variable of a model, with the size of an int, and registers its name.
type Vars func(name string) model.Var

// All lists the programs in the order of the paper's table.
var All = []Program{
	missing, flow, output, fanOut,
	partialWait, fullWait, twoWaits, oneWait,
	cousins, cousinsWaited, strangers,
	fib, fibMissing,
}
