// Package drdp decides races of programs with async, finish and promises (Jin, Yu,
// Cogumbreiro, Shirako and Sarkar: Dynamic Determinacy Race Detection for
// Task-Parallel Programs with Promises, ECOOP 2023). A future is a promise that is
// set at the end of its task.
//
// # Terms
//
// The program structure tree (package dpst) orders steps by async and finish. Each
// Get makes a non-tree join: what precedes the Set precedes what follows the Get. A
// point is the moment of a Set: the setter's step ends there. The joins of a task
// are the points that it has got, and those that the tasks it has waited for have
// got. Its least significant ancestor (lsa) is the nearest ancestor that had joins
// when it forked the branch that the task is on, with the joins of that time; that
// one has an lsa in turn. So a task's joins and the chain of its lsa are exactly the
// points whose Get precedes the task's present step through the tree.
//
// # Algorithm
//
// Step a precedes the present step b if the tree says so, or if the tree orders a
// before a point from which b can be reached: the points in the joins of b's task
// and in its chain of lsa, and then, for each point, those in the chain that its
// setter had when it set the promise. The search goes breadth-first or depth-first,
// and through the joins of a task from the newest to the oldest or the other way.
// (Options order, joins and age; the answer is the same.) Points and joins that are older
// than the access of step a are passed over: the events come in an order that the
// execution could have had, so a precedes none of them.
//
// Each byte remembers the record of its last write and a list of the reads since.
// A read that precedes a later read of the byte is left out where that is cheap to
// find out, which the paper does not do: whatever write is parallel to the first is
// parallel to the second.
//
// Exact claim: in a program of async, finish and promises, the bytes with a reported
// race are those with a race, the first race reported of a byte is made by the first
// access that races with an earlier one, and every pair reported is unordered. The
// order of events need not be depth-first. A program without a race computes the
// same result under every schedule (theorem 11 of the paper).
//
// # Where this departs from the paper
//
//   - The paper keeps joins and lsa for sets of tasks that a finish has merged, in a
//     disjoint-set forest, and asks the set of the setter for what precedes a point.
//     But by then the setter's set has what the setter and the tasks merged with it
//     have got after the Set, too, and its lsa is that of the task it was merged into:
//     races are missed and ordered pairs reported (drdp_test.go has both). Here a
//     point keeps the lsa chain of its own time. Lists of joins are persistent: the
//     end of a scope hands the lists of its tasks to the task that waited, as items
//     of the list of that task, and nothing is ever merged.
//   - The paper takes a step of a task that is suspended but not blocked for ordered
//     before the present one. That needs the paper's scheduler; here the search finds
//     the join.
//   - Figure 9 marks some points as visited before it examines them and examines them
//     when they come out of the queue, other ways to such a point are cut off, and
//     its second loop takes over no more than the first level of a point's joins.
//     Here each point is examined when it is found.
//   - A Get of a point that the tree orders anyway makes no join. It is counted.
//   - Tasks that escape the innermost scope (package dpst) are joined by the scope
//     that does wait for them as if it got a promise that the task sets at its end.
//
// Accesses of any size are exact to the byte; ranges are accesses like others.
//
// # Outside of the model
//
// Locks, atomic accesses and scopes that do not nest are counted. A pair that a lock
// protects or that is atomic on both sides is not reported. One write and the reads
// since cannot speak for all locksets, so with locks races can be missed.
//
// # Memory
//
// Steps, records, joins and reads that nothing refers to any more are given back
// (reclaim.go), and steps below a scope that has ended, in which no promise was set,
// are replaced by the scope. So tasks leave nothing behind. A promise can be got at
// any time: each keeps its point, the path from there to the root, and what its
// setter had got.
//
// # On line
//
// Package online has the algorithm for programs that run (-detector=drdp): memory from
// the host, bounded by sweeps, a shadow that instrumented code tests, and checks of a few
// nanoseconds. This one is for traces and for the study of traversals: any order
// of events, tasks that escape, the paper's searches. Both have to pass
// differential.FirstRaces on the same random programs.
package drdp
