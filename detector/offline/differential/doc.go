// Package differential compares the detectors with each other and with brute force on
// random structured programs.
//
// A [Program] is a tree of tasks, finish scopes, promises and critical sections with
// accesses in between. [Program.Run] executes it under a schedule and returns the trace.
// The schedule is depth-first, or chooses the next task at random at each event. Each
// task performs the same operations under all schedules, so that all detectors judge the
// same accesses; only the order of critical sections and of accesses differs.
//
// [Judge] is the brute force. It builds the structural order of a trace (see package
// event) as a set of predecessors for each event, and examines all pairs of accesses.
// [Conflicts] does the same in happens-before.
package differential
