// Package drdp is package offline/drdp for programs that run: the algorithm of Jin, Yu,
// Cogumbreiro, Shirako and Sarkar (Dynamic Determinacy Race Detection for Task-Parallel
// Programs with Promises, ECOOP 2023), which is told events as they happen. One goroutine
// runs at a time, depth-first (schedule=serial).
//
// Package serial has the shadow, histories, locksets and reports, and documents them; this
// package has the order of steps. Both are ordinary packages and, merged by
// package rt, parts of package runtime (docs/architecture.md, -detector=drdp).
//
// # Order
//
// The host reports forks, and releases and acquires of objects: a promise is an object with
// one release; a finish scope is an object that each task releases at its end (order.go,
// object.go). A step is a run of a task between two forks or releases. A place is a task
// and one of its steps: everything that the task has done up to that step. An acquire joins
// the places that were left at the object.
//
// The program structure tree has no nodes for steps and scopes here. A task has a number
// for each step, and its description has the step of the parent that forked it. Links
// replace the finish scopes of the tree (joins.go): if an ancestor joins everything that an
// ended task has done, the link of that task says that its steps precede that step of the
// ancestor. So chains of links replace the bags of the paper's disjoint-set forest. Joins
// of other kinds, the non-tree joins, are elements of a list of the task that joined.
//
// A step precedes a task if one of these holds (precede.go):
//
//   - A chain of links leads from it to a place on the path from the root of the tree to
//     the task: a place of the task itself, or of an ancestor that forked the branch of the
//     task behind that place.
//   - A chain of heirs leads there. The heir of a task is one of the tasks that have joined
//     it; heirs are replaced by theirs, as in disjoint sets. Only a yes is an answer.
//   - A search from the task, breadth-first through joins from the newest to the oldest and
//     through forks, reaches a place on the step's chain of links. It skips joins and forks
//     that happened before the step.
//
// Answers are remembered by step and task: a yes for good, a no until the task joins again.
// Answers are exact for every order of events; links are found if the order is depth-first.
//
// # Locations
//
// An entry of the shadow names steps. A word has the last writer and all readers since, in
// lists that words share (readers.go): where tasks wait for promises, one reader cannot
// represent others. A reader is left out if forks and links put it in front of a later one.
//
// Exact claim: in a program whose tasks are ordered by forks, finish scopes and promises,
// the bytes with a reported race are the bytes with a race in any schedule, the first race
// reported of a byte is made by the first access that races with an earlier one, and each
// pair reported is unordered. A program without a race computes the same result under every
// schedule (theorem 11 of the paper).
//
// # Outside of the model
//
// Other orders between tasks (channels with several senders or receivers, select, atomics)
// are recorded as they were observed, so that no order is missed, and the host names them:
// the theorem does not hold then. Locks order nothing. A pair of accesses that a common
// lock protects is not reported but counted, and its place is a choice (Conflict).
//
// # Memory
//
// A task that is alone records nothing, and when it forks, everything recorded counts as
// empty (Restart). A task is alone if it is the only one that runs, and each ended task has
// been joined up to the last step that did something. A task that has done nothing leaves
// nothing behind. Sweep gives back steps, tasks and joins that no entry, object or running
// task leads to, and entries that precede all running tasks. The non-tree joins of a task
// are kept as long as the task: a task that joins a million promises while others run keeps
// 20 MB of them, and the joins of those tasks in turn.
//
//	task    128 B as long as a step or a join names it; 1 KB while it runs
//	step     16 B as long as a word names it
//	join     20 B
//	promise  36 B until it has a new owner or precedes all
package drdp
