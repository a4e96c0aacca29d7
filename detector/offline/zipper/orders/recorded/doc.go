// Package recorded reads the two outputs of one run of a checked program: the record of
// its choices and the trace of its events. It derives from them the input of an
// exploration of all orders of critical sections: the choices with the accesses of each
// section, and the computation graph with the same sections.
//
// # Terms
//
// At some choices of the record, all tasks that could run were about to take locks. Such
// a choice has the number of events that the trace had at that moment. The first Lock
// event after it, and before the next such choice, begins the chosen section; the
// Unlock of the same lock by the same task ends it. A section is therefore identified on
// both sides: by a task, named by its forks (main.2), and by a place in the source.
//
// # The accesses of a section
//
// The accesses of a section are known if it ran from its Lock to its Unlock without
// another task's event or another section in between. They are the bytes that it
// accesses, except for memory that it was given within the section, which no other task
// has known. An operation on a channel, an atomic or the like counts as a write of the
// byte at its address, so that the order of such sections is explored. WaitGroups and
// Pools do not count: a program does not depend on the order of two Dones or on the
// object that a Pool returns.
//
// A choice without a Lock event is a TryLock that failed. A TryLock is a choice of
// another kind: its failure depends on the holder of the lock at that moment, and not on
// the order of sections alone. [Run.Tries] lists them: the proof of an exploration does
// not cover them.
//
// # Orders that differ in sections that commute
//
// The graph of a run has edges between all sections of a lock. [Run.Hidden] looks for
// races that are hidden only by edges between sections that do not conflict, as package
// detector/offline/zipper/orders does, and returns the order of sections in which a run shows the
// race.
package recorded
