// Package batch describes a piece of an exploration that one process can carry out by itself:
// a test of a test binary, a strategy, and a range of seeds. It is the border between the
// command that plans an exploration and whatever runs the schedules, in this process or on
// another machine: a [Batch] goes in and a [Result] comes out, both as JSON.
//
// # Terms
//
// A schedule is one run of a test in which a strategy chooses the goroutine that runs. A finding
// is something that a schedule has shown: a race, a deadlock, a panic, a failed test. Findings
// with the same [Finding.Fingerprint] are the same finding. A graph is the happens-before graph
// of a run, of which only a hash is kept: schedules with the same hash differ in nothing
// that the program can observe through its synchronization.
//
// The same batch has the same result as long as the test depends on nothing but its schedule.
// So a batch may be run twice; the results of the runs must be counted once, by [Batch.ID].
package batch
