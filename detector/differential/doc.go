// Package differential compares the detectors with each other and with brute force
// on random structured programs.
//
// A [Program] is a tree of tasks, finish scopes, promises and critical sections
// with accesses between them. [Program.Run] executes it under a schedule and returns
// the trace: depth-first, or with the next task chosen by chance at each event. The
// operations of each task are the same under all schedules, so that all detectors
// speak of the same accesses; only the order of critical sections and of accesses
// differs.
//
// [Judge] is the brute force: it builds the structural order of a trace (see package
// event) as a set of predecessors for each event and looks at all pairs of accesses.
package differential
