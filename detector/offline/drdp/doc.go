// Package drdp detects the races of programs with async, finish and promises (Jin, Yu,
// Cogumbreiro, Shirako and Sarkar: Dynamic Determinacy Race Detection for Task-Parallel
// Programs with Promises, ECOOP 2023). A future is a promise that its task sets at its
// end.
//
// # Terms
//
// The program structure tree (package dpst) orders steps by async and finish. A Get makes
// a non-tree join: the events before the Set precede the events after the Get. A point is
// the moment of a Set; the setter's step ends there. The joins of a task are the points
// that the task has got and the points that the tasks it has waited for have got. The
// least significant ancestor (lsa) of a task is its nearest ancestor that had joins when
// it forked the branch that leads to the task, together with the ancestor's joins at that
// time. The ancestor has an lsa in turn. The joins of a task and of its chain of lsa are
// therefore exactly the points whose Get precedes the task's present step in the tree.
//
// # Algorithm
//
// Step a precedes the present step b if the tree orders a before b, or if the tree orders
// a before a point from which b can be reached. These are the points in the joins of b's
// task and of its chain of lsa and, recursively for each such point, the points in the
// joins of the chain that its setter had at the Set. The search is breadth-first or
// depth-first, and reads the joins of a task from the newest to the oldest or in the
// opposite order (options order and joins; the answer is the same). It skips points and
// joins that are older than the access of step a (option age): the events come in an
// order that the execution could have had, so that a precedes none of them.
//
// Each byte remembers the record of its last write and a list of the reads since. A read
// that precedes a later read of the byte is dropped if that is cheap to find out, because
// a write that is parallel to the earlier read is parallel to the later one. The paper
// does not do this.
//
// Exact claim for programs of async, finish and promises: the bytes with a reported race
// are the bytes with a race; the first race reported on a byte is made by the first
// access that races with an earlier one; every reported pair is unordered. The order of
// events need not be depth-first. A program without a race computes the same result under
// every schedule (theorem 11 of the paper).
//
// # Departures from the paper
//
//   - The paper keeps joins and lsa for sets of tasks that a finish has merged, in a
//     disjoint-set forest, and takes the predecessors of a point from its setter's set. But
//     by the time of the query that set also contains the points that the setter, and the
//     tasks merged with it, have got after the Set, and its lsa is the lsa of the task into
//     which it was merged: races are missed and ordered pairs are reported (known_test.go
//     has an example of each). Here a point keeps the lsa chain of its own time. Lists of joins
//     are persistent: the end of a scope adds the lists of its tasks as items to the list
//     of the waiting task, and nothing is ever merged.
//   - The paper considers a step of a task that is suspended but not blocked as ordered
//     before the present one. This requires the paper's scheduler; here the search finds
//     the join.
//   - Figure 9 of the paper marks some points as visited before it examines them, and
//     examines them only when they leave the queue. Other paths to such a point are cut off,
//     and its second loop takes over only the first level of a point's joins. Here each
//     point is examined when it is found.
//   - A Get of a point that the tree orders anyway makes no join. It is counted.
//   - A task that escapes the innermost scope (package dpst) is joined by the scope that
//     does wait for it, as if the scope got a promise that the task sets at its end.
//
// Accesses of any size are exact to the byte; ranges are treated like other accesses.
//
// # Outside of the model
//
// Locks, atomic accesses and scopes that do not nest are counted. A pair is not reported
// if a lock protects it or both accesses are atomic. One write and the reads since cannot
// represent all locksets, so that races can be missed in programs with locks.
//
// # Memory
//
// reclaim.go frees the steps, records, joins and reads to which nothing refers any more.
// It replaces each step below an ended scope by the scope, unless a promise was set in
// the step. So ended tasks occupy no memory. A promise can be got at any time: each keeps
// its point, the path from the point to the root, and the joins of its setter at the Set.
//
// # On line
//
// Package detector/serial/drdp implements the algorithm for running programs (-detector=drdp): with
// memory from the host, bounded by sweeps, a shadow that instrumented code tests, and
// checks of a few nanoseconds. This package serves traces and the study of traversals: it
// supports any order of events, tasks that escape their scope, and the paper's searches.
// Both must pass differential.FirstRaces on the same random programs.
package drdp
