// Package fasttrack is the detector of C. Flanagan and S. N. Freund, FastTrack: Efficient
// and Precise Dynamic Race Detection, PLDI 2009. It finds races in the observed order.
//
// # Terms
//
// A task's clock has one component for each task: the number of that task's operations
// that precede the next events of the clock's owner. An epoch is one component of a
// clock. Happens-before is the order established by structured events, by raw events and
// by locks: the end of an exclusive hold precedes later holds, the end of a shared hold
// precedes later exclusive holds.
//
// # Algorithm
//
// The state of a byte is the epoch of its last write and the epoch of its last read or,
// if several reads are unordered, one epoch for each of their tasks. An access races with
// a conflicting epoch that is not in its task's clock. A write replaces the reads: a
// later access that is unordered with one of them is unordered with the write as well,
// unless the write itself races with the read. The detector therefore finds the first
// race of each byte and all bytes with a race; it may miss further races of a byte.
//
// Structured and raw events both count. Nothing is lost if a trace contains the same
// order twice. A trace with structured events alone is judged by them.
//
// # Departures
//
// Clocks are persistent tries that share their common parts: a fork copies nothing, and
// the cost of a join is proportional to the difference. The components are slots. A task
// takes over the slot of an ended task that precedes it, so that the width of a clock is
// the parallelism of the program and not the number of its tasks. An atomic access
// conflicts only with plain accesses, so that any number of atomic accesses may be
// unordered: each of their kinds has an epoch for each slot. Locks have modes.
package fasttrack
