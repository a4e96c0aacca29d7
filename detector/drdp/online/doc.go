// Package online is package drdp for programs that run: the algorithm of Jin, Yu,
// Cogumbreiro, Shirako and Sarkar (Dynamic Determinacy Race Detection for Task-Parallel
// Programs with Promises, ECOOP 2023), told events as they happen. The
// same text is an ordinary package and, merged by package rt, a part of package runtime
// (docs/architecture.md, -detector=drdp). One goroutine runs at a time, depth-first
// (schedule=serial), so nothing here is locked or atomic.
//
// # Order
//
// The host tells forks, and releases and acquires of objects: a promise is an object with
// one release, a finish scope one that each task releases at its end (order.go,
// object.go). A step is a run of a task between two forks or releases; a place is what a
// task has done up to one of its steps. An acquire joins the places that were left at the
// object.
//
// The program structure tree has no nodes for steps and scopes here. A task has a
// number for each step, and knows the step of its parent that forked it. What finish
// scopes are for in the tree, links do (joins.go): if an ancestor joins all that a task
// has done that has ended, the task's link says that its steps precede that step of the
// ancestor. So the bags of the disjoint-set forest of the paper are chains of links. Joins of
// other kinds, the non-tree joins, are elements of a list of the task that joined.
//
// A step precedes a task if (precede.go)
//
//   - a chain of links leads from it to a place that the task is at, or behind which
//     one of its ancestors has forked the branch that the task is on; or if
//   - a chain of heirs does: each task names one of those that have joined it, and heirs
//     are replaced by theirs as in disjoint sets. Only a yes is an answer; or if
//   - a search from the task, breadth-first through joins from the newest to the oldest and
//     through forks, comes by a place on the step's chain of links. It passes over joins and forks of before
//     the step.
//
// Answers are remembered by step and task: a yes for good, a no until the task joins again.
// The order of events need not be depth-first for answers to be exact; it is for links to
// be found.
//
// # Locations
//
// The shadow is that of package espbags: 8 bytes for each word, which instrumented code
// tests itself, and 8 for the places in the program; lines of 16 words; cells for words
// whose bytes differ. Entries name steps. A word has the last writer and all
// readers since, in lists that words share (readers.go): one reader cannot speak for others
// where tasks wait for promises. A reader that precedes a later one, as forks and links tell, is
// left out.
//
// Exact claim: in a program whose tasks are ordered by forks, finish scopes and promises,
// the bytes with a reported race are those with a race in any schedule, the first race
// reported of a byte is made by the first access that races with an earlier one, and each
// pair reported is unordered. A program without one computes the same result under every
// schedule (theorem 11 of the paper).
//
// # Outside of the model
//
// What else orders tasks (channels with several senders or receivers, select, atomics) is
// taken as it was observed, so that no order is missed, and the host names it: the
// theorem does not hold then. Locks order nothing. An access under locks is kept in a list of the
// byte, of at most maxLockers; a pair that a common lock protects is not reported, but
// counted, and its place is a choice (Conflict). An atomic access is one under a lock that
// all atomic accesses share.
//
// # Memory
//
// As in package espbags, a task that is alone records nothing, and when it forks, all
// that was recorded counts as nothing (alone.go): that is so when it alone runs and each
// task that has ended has been joined by some other, to the last step that it did something in. A task that has
// done nothing leaves nothing behind. Sweep gives back steps, tasks and joins that no
// entry, object or task that runs leads to, and entries that precede all tasks that run.
// Otherwise the non-tree joins of a task are kept as long as the task: one
// that joins a million promises while others run keeps 20 MB of them, and what those tasks
// have joined in turn.
//
//	task    128 B as long as a step or a join names it; 1 KB while it runs
//	step     16 B as long as a word names it
//	join     20 B
//	promise  36 B until it has a new owner or precedes all
//	word     16 B; 16 KiB for each 8 KiB page of memory with an access
//	reader   20 B, shared by the words that have the same ones
//	cell    164 B
//	origin   24 B for each site and calling context
package online
