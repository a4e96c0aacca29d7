// Package fasttrack is the detector of C. Flanagan and S. N. Freund, FastTrack: Efficient
// and Precise Dynamic Race Detection, PLDI 2009: races of the order that was observed.
//
// # Terms
//
// A task's clock says how much of each task precedes what it does next. An epoch is one
// component of a clock. Happens-before is the order of the structural events, of the
// raw ones, and of locks: the end of an exclusive hold precedes later holds, the end of
// a shared one later exclusive holds.
//
// # Algorithm
//
// A byte's state is the epoch of its last write and the epoch of its last read, or,
// where several reads are unordered, one epoch for each of their tasks. An access races
// with a conflicting epoch that is not in its task's clock. A write makes the reads
// superfluous: what is unordered with one of them is unordered with the write, or the
// write races with it. So of each byte the first race is found, and all bytes with a
// race are; further races of that byte may be missed.
//
// Structural and raw events both count. A trace that tells the same order twice loses
// nothing; one that has structural events only is judged by them.
//
// # Departures
//
// Clocks are persistent tries, which share what they have in common: to fork a task
// copies nothing, and to join one costs what differs. Components are slots, which a
// task takes over from an ended one that precedes it: a clock is as wide as the program
// is parallel, not as many tasks as it has. Atomic accesses conflict with others only,
// so any number of them may be unordered; each kind has an epoch for each slot. Locks
// have modes.
package fasttrack
