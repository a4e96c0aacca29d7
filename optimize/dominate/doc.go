// Package dominate is the pass that removes the check of an access if another check covers
// it: a check of the same bytes, or of a struct or array that contains them, which the
// same function call makes, or a callee or caller of it (calls.go). A write covers reads
// and writes, a read covers reads.
//
//   - A cover before the access dominates it, and no path from the cover's last execution
//     to the access has a release or changes the locks held. An access of another task
//     that races with this one is then not ordered behind the cover either, because only a
//     release between the two could order it. An acquire between does no harm: everything
//     that precedes the cover precedes the access.
//   - A cover behind the access is always a write. Once the access has happened, the cover
//     follows for certain: on every path, without a loop, a panic, or a call that may not
//     return. No path has an acquire, changes the locks held, or makes another check.
//   - Without a cover that dominates the access, each path to it may have a cover of its own
//     (available.go).
//
// Summaries judge the calls between access and cover. If an access has several instances,
// the cover must have them, too.
//
// Two addresses are the same if they select the same fields and elements of the same SSA
// value, by values that are computed alike (number.go). If the path of an address loads a
// pointer or slice from memory twice, both loads give one value only if nothing between
// them may write that memory: no other task at any time while tasks run (points-to), and
// no instruction of this task. An SSA value that a loop computes anew is no obstacle: the
// value dominates the cover, so that each path from its computation to the access passes
// the cover again.
//
// Neighbouring fields and elements are checked together (neighbour.go). So are the length of a slice
// or string and the slice itself: len reads one word, and its check becomes one of the whole
// variable if the program reads the variable next for certain.
//
// Calls of small functions that only access fields of their parameters are looked into (copies.go,
// package accessor). If the caller's checks cover the accesses of one call, or these are
// neighbours of an earlier access, that call goes to a copy of the function without checks.
// For calls that are neighbours one more condition holds: nothing between makes another check.
// The wider check is made earlier than the checks that it includes. In a critical section a check may show that
// the section comes after an earlier one, which orders, in the weak order, what follows the
// check. So an access between would be ordered, and its predicted race lost.
//
// Atomic accesses have
// no sites. Accesses of slices as a whole (range, append, copy) neither cover nor are
// covered.
//
// Source: TaskChecker (Raman et al.), section 6.5. Departures: the paper's rules ask for
// dominance alone. Without the condition on releases they lose races (read x; start a task
// that writes x; read x again), and likewise without the condition on acquires for covers
// behind. The paper removes reads only; here a write removes covered writes as well.
package dominate
