// Package hoist is the pass on loop-invariant checks: it checks an access in a loop only
// the first time, if its address is the same all through the loop and nothing in the loop
// is a release. A race of any iteration is then a race of the first one. A flag in front
// of the outermost such loop says whether the check was made. The accesses to one place
// share one flag, reads and writes each their own.
//
// The pass needs:
//
//   - the place is named by variables that the loop does not assign to, and by memory
//     that nothing in the loop may write (points-to sets and summaries of ssapass);
//   - no release, go, channel operation, or change of the locks held, in the loop or its
//     callees.
//
// Acquires do no harm: they give later accesses more predecessors, and the first access
// was checked without them. The flag is tested at the access, which does happen there. So
// conditional accesses, loops that run zero times, several exits, and panics need no
// care.
//
// # Cost
//
// An element whose neighbours a loop around reaches one after the other is left to pass gather: a
// product of a sparse matrix, whose rows have ten elements, takes 0.81 of the time.
//
// A flag is a byte that each activation clears, and a test in each iteration. With the pass a
// bundler takes 1.03 ±0.07 of its time without it, a consensus library's tests 0.94 ±0.03, a store
// with short loops over its tables 1.11 ±0.14 (docs/lab/tables.md).
//
// Source: TaskChecker (Raman et al.), section 6.4, which moves the check in front of the
// loop. Departures: nothing is moved, so that the loop needs no unconditional execution
// and no test for zero iterations; and the conditions on releases and locks, which the
// paper lacks. The pass keeps the paper's name.
package hoist
