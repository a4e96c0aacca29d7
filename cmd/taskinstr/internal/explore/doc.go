// Package explore is "taskinstr explore": it runs a program again and again, until each
// order of its critical sections that can make a difference has been seen, and runs detectors on
// each of these executions. So a clean result holds for every schedule of the input, and a race
// comes with the order that shows it.
//
// The parts are these. Package detector/schedule/dfs chooses how the next run begins.
// program.go makes the run in a controlled schedule, with a record and a trace. Package
// detector/offline/zipper/orders/recorded reads both and finds the accesses of each section. Package
// detector/offline/suite runs the detectors on the trace. explore.go puts these together, and
// output.go prints the result.
package explore
