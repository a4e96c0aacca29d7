// Package oracle judges sequences of task events by brute force, to check package
// detector. It states that package's definitions of order and race in the plainest form.
//
// An event is one action of one task, and events happen one after the other. For each
// order, each task carries the set of all events that precede its present. The set always
// contains the task's own past. Sets are passed on as follows:
//
//   - A fork copies the parent's sets to the child.
//   - A release stores the task's sets at an address (a merge adds them). An acquire adds
//     the sets at the address to the task's sets. The end of a task passes nothing on by
//     itself.
//   - The end of a hold of a lock adds the happens-before set to the lock. A task that
//     takes the lock exclusively adds all sets ever stored there; a task that takes it
//     shared adds the sets stored by exclusive holders. If a task ends a hold of another
//     task, this is a release merged at the lock's address, and the next task to take the
//     lock acquires it.
//   - A task that takes a lock adds, in the weak order, the sets at the ends of the earlier sections of the lock that
//     surround its fork, if one of the two sections is exclusive and not both are quiet. The same holds for
//     the earlier sections that have begun before its present, and again when it ends a section of its own.
//   - In the weak order, let a task make an access b inside a critical section t of a
//     lock. Let s be an earlier section of that lock by another task, and let s or t be
//     exclusive. If one of an access in s and b writes to one of b's bytes, b's task adds the set at
//     the end of s. This happens for all bytes of b before any of them is judged. There is no
//     such edge if both are atomic and b operates on a lock (Event.Quiet).
//
// A lock is an address together with the allocation there: new memory has neither history
// nor objects. A hold begins when a task takes the lock. It ends when the task gives the lock up, when
// any task gives up an exclusive lock or, after a task without a hold has given up a shared lock, when
// no reader is left. If a task holds a lock shared several times, each unlock by this task ends a
// section of the hold.
//
// A section surrounds an access of the task that began it if this task ends it. It surrounds
// the accesses of tasks that were forked in it, directly or not, and that precede its end by the
// task that began it. A hold surrounds an access of another task if the access follows the
// lock operation and precedes an unlock that may have ended the hold, or if the hold lasts to the end
// of the trace. A hold of the accessing task surrounds an access if the task has not forked since
// the lock operation; otherwise the end decides as for other tasks.
//
// Two conflicting accesses of different tasks race if the happens-before set of the later
// one does not contain the earlier one. They are predicted to race if that set contains
// the earlier one, the set of the weak order (or of the structural order) does not, and
// there is no lock with a section around the earlier access and a hold around the later one of which
// at least one is exclusive.
//
// In the weak order there is one more edge: from the end of a section around an access to a later
// conflicting access that would be predicted to race with the first, if a hold of another task
// with which the section conflicts has begun before the later access and lasts. The predictions of
// the later access itself count with this edge only if the hold surrounds it.
//
// An access that the filter holds back counts as having happened.
//
// # Exactness
//
// The detector forgets an access e when a later access c subsumes it: e precedes c in the
// weak order; so does the end of each of e's critical sections, except those that c
// shares and those without an end; and c conflicts with every access with which e
// conflicts. Let b be a later access. If b holds a lock that excludes one of c's
// sections, b is ordered after the end of that section, and so after e. If b holds none
// and races with e, it races with c. So for each access and byte the detector and the
// definition agree on whether the access races with an earlier one.
//
// They also agree on whether it races or is predicted to race, with one exception. An access b
// that races with c may share a lock with e; then the end of e's section should precede b, although
// the detector has forgotten it. Also, an access that the filter holds back adds no edge from a section
// to one of another task's. The oracle brackets these cases with two weak orders: Full has the edges
// of all accesses, Least only the edges of accesses that no other subsumes. The detector
// remembers, for each lock, some sections whose beginnings order later ones. Full has the edges of all such sections, Least has
// edges of the last eight alone, and none of a section that a sweep has forgotten. The detector must report
// every result of Full, and may report only results of Least. On bytes without a report the two
// agree.
package oracle
