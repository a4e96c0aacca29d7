// Package recorded reads what one run of a checked program has left behind, a record of its
// choices and a trace of its events, as what an exploration of all orders of critical
// sections needs: the choices with what each section accessed, and the computation graph
// whose sections are those of the choices.
//
// # Terms
//
// A choice of the record in front of which all tasks that could run were about to take
// locks says how many events the trace had. The first Lock event behind that, in front of
// the next such choice, begins the section that was chosen; the Unlock of the same lock by
// the same task ends it. So sections have names from both sides: a task by the way in
// which it was made (main.2), and a place in the source.
//
// # What a section accesses
//
// It is known of a section that ran from its Lock to its Unlock without another task's
// event or another section in between: the bytes of its accesses, but for memory that it
// was given within the section, which nobody else has known. What it does to channels,
// atomics and the like counts as a write of the byte that stands for them, so that the
// order of such sections is explored. WaitGroups and Pools do not count: the order of two
// Dones, or which object comes out of a Pool, makes no difference to a program.
//
// A choice without a Lock event is a TryLock that failed. TryLock is a choice of its own
// kind: whether it fails depends on who holds the lock at that moment, and not on the order
// of sections alone. [Run.Tries] counts them: they are outside of what an exploration
// proves.
//
// # Orders that differ in sections that commute
//
// The graph of a run has edges between all sections of a lock. [Run.Hidden] looks for
// races that only edges between sections hide which do not conflict, as package
// detector/zipper/orders does, and says in which order the sections have to come so that a
// run shows the race.
package recorded
