// Package explore is "taskinstr explore": it runs a program again and again, until each
// order of its critical sections that can make a difference has been seen, and tells
// detectors each of these executions. So a clean result holds for every schedule of the
// input, and a race comes with the order that shows it.
//
// The parts: package detector/schedule/dfs says how the next run begins; program.go makes
// it, in a controlled schedule, with a record and a trace; package
// detector/zipper/orders/recorded reads both and says what each section accessed; package
// detector/suite tells the trace to the detectors; explore.go puts them together, and
// output.go says what came out.
package explore
