// Package oracle judges sequences of task events by brute force, to check
// package detector, whose definitions of order and race it states in the
// plainest form.
//
// An event is one step of one task, and events happen one after the other. Each
// task carries, for each order, the set of all events that precede its present
// in it; a task's own past always does. Sets travel:
//
//   - a fork hands the parent's sets to the child;
//   - a release leaves the task's sets at an address (a merge adds them), an
//     acquire adds what it finds there to the task's; the end of a task hands on
//     nothing by itself;
//   - the end of a hold of a lock leaves the happens-before set at the lock; who
//     takes the lock exclusively adds all that was ever left there, who takes it
//     shared adds what exclusive holders left. If a task ends a hold of another
//     task, that is a release merged at the lock's address, which whoever takes
//     the lock next acquires;
//   - in the weak order, an access b by a task in critical section t of a lock
//     adds the set at the end of an earlier critical section s of that lock by
//     another task if an access in s touched one of b's bytes in conflict with b
//     (one of them writes, not both are atomic) and s or t is exclusive. That
//     holds for all bytes of b before any of them is judged.
//
// A lock is an address together with what was allocated there: memory allocated
// anew has neither history nor objects. A shared hold ends when its task ends it
// or, after a task that holds nothing has ended one, when no reader is left.
//
// Two conflicting accesses of different tasks race if the earlier one is not in
// the happens-before set of the later; if it is, but not in the set of the weak
// order (or of the structural one), and no lock is held at both of which one
// holds it exclusively, a race is predicted.
//
// Accesses that the filter holds back count as having happened, except where a
// task ends another's hold of a lock: the other's filter does not learn of it.
//
// # What is exact
//
// The detector forgets an access e when a later one, c, stands for it: e precedes c in
// the weak order, as do the ends of e's critical sections but for those that c shares and
// those that have none; and c conflicts with whatever e does. An access b that holds a
// lock of c's is then ordered after the end of c's section, and after e. If it holds none
// and races with e, it races with c. So for each access and byte the answer to "does it
// race with an earlier one" is the same. So is "does it race or is it predicted to", but
// for two things. An access b that races with c may share a lock with e, and then the end
// of e's section should precede b although it is forgotten. The oracle brackets this:
// with the edges of all accesses (Full) and of those alone that nothing stands for
// (Least). What Full finds the detector must find, what the detector finds Least must
// find. Where no report has been made on a byte the two agree. And a section of c that
// another task ends protects c but orders nothing: predictions of e and b that share c's
// lock then are not demanded (hidden).
package oracle
