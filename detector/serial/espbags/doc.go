// Package espbags is the ESP-bags algorithm (Raman, Zhao, Sarkar, Vechev and Yahav:
// Efficient Data Race Detection for Async-Finish Parallelism, Formal Methods in System
// Design 41, 2012). It executes a program of tasks and finish scopes serially, in
// depth-first order, and finds a race on a location if and only if some schedule of
// the same input has one, as long as no isolated section decides which code is executed.
//
// Package serial has the shadow, histories, locksets and reports, and documents them; this
// package has the order of tasks. Both are ordinary packages and, merged by
// package rt, parts of package runtime (docs/architecture.md, -detector=espbags).
//
// # Bags
//
// Each task that runs has an S-bag: the tasks all of whose steps so far precede its
// present one. Each finish scope has a P-bag: the tasks that ended in it and that no task
// has waited for. Bags are disjoint sets of task ids, in a forest with union by rank and
// path halving (forest.go); a bit in the root tells S-bags from P-bags.
//
//	fork of A            S(A) = {A}
//	end of A in scope F  P(F) += S(A)
//	B waits for F        S(B) += P(F)
//
// The paper gives each task a P-bag, too, which goes to the scope around it when the
// task ends. Here the task enters the P-bag of that scope at once: nothing waits for one
// of them without the other. Spawn and sync are scopes that begin anew at each sync.
//
// A past access races with the present one if they conflict, its task is in a P-bag,
// and no lock protects both.
//
// # Locations
//
// An entry of the shadow names tasks: the last writer and one reader. A reader in a P-bag
// represents later readers, because each access that races with one of them races with it.
// Each step remembers entries that a read leaves as they are. One of these, with a reader
// in a P-bag and no writer, holds for all tasks until the next Wait (Engine.shared).
//
// # Locks
//
// Section 5 of the paper has an isolated reader and writer for each location, which
// race with plain accesses only. Here an isolated access is one under a set of locks, and
// a location has a list of them (package serial). With the one lock of isolated sections
// this list is the paper's reader and writer.
//
// On the path that was executed the result is exact: each race reported is one, and a byte
// has a race reported if it has any, for all combinations of locks, as long as no list is
// full. If sections that exclude each other do not commute, another schedule may execute
// other code.
//
// # Memory
//
// A task that ends without an access leaves nothing. When the only task alive has waited
// for all others, the smallest id in use rises and everything recorded counts as empty
// (Restart). Otherwise Sweep gives back ids that no word, cell or bag names.
//
//	task     44 B as long as a word names it; 1 KB while it runs
package espbags
