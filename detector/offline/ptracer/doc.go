// Package ptracer is the detector of A. Yoga, S. Nagarakatte and A. Gupta, Parallel
// Data Race Detection for Task Parallel Programs with Locks, FSE 2016, on traces. From one
// run in any order it predicts the races of programs with async, finish and locks that some
// order of the critical sections has. With records of branches not taken it also predicts
// races with accesses that did not happen.
//
// # Terms
//
// The program structure tree (package dpst) has the steps and tells whether two of them may
// run in parallel. A lockset is the set of locks that a task holds, with their modes (package
// lockset). Two accesses race if they conflict, their steps are parallel and their locksets do
// not protect each other. The paper calls that an apparent race, the rest of this project a
// structural one.
//
// A possible access is an access that a branch would have made if its condition had been
// otherwise (event.Possible). A race with a possible access is a possible race until its
// diagnosis (package diagnosis) says whether some schedule takes that side of the branch.
//
// # Algorithm
//
// Each byte has a history. For each class of accesses, which is a lockset and a kind of access,
// it keeps up to two accesses that represent the class. A new access is compared with all
// classes that conflict with it and do not exclude it. Then its own class takes it up (figure 5
// of the paper, keep in history.go):
//
//   - The new access follows both representatives: it replaces them, because each later
//     access that is parallel to one of them is parallel to the new access as well.
//   - The class has one representative, and the new access is parallel to it: the new access
//     becomes the second.
//   - The new access is parallel to both, and outside of the subtree of their lowest common
//     ancestor: it replaces one, and the subtree of the new ancestor has the whole class.
//   - Otherwise the new access lies in that subtree, and the two represent it. A later access
//     outside of the subtree is parallel to all accesses in it or to none. A later access inside
//     that is parallel to the new access is parallel to one of the two: only accesses that
//     precede both are parallel to neither, and these are not later.
//
// Time and memory for a byte grow with the locksets of its accesses, not with tasks or
// accesses. Bytes with one history share it, and a range takes one turn for each run of
// such bytes (package shadow).
//
// # Caches
//
// Three caches change no answer: relations of steps (the paper's LCA cache), accesses that a
// step repeats under the same locks (its access cache), and turns, which are the results of
// adding an access to a history. Options switch the first two off. The counters that Close
// returns tell how often each cache helped.
//
// # Diagnosis
//
// Races with possible accesses wait for the end of the trace and are diagnosed then. All other
// races wait, too, if the trace has decisions or has tasks that were made under a lock. A pair of
// accesses that nothing orders in the trace is a race. A pair that only locks order is predicted,
// with an order in which both tasks reach their accesses. A pair that no order lets race is
// counted. Because the accesses of a history represent others, the diagnosis asks about those
// others before it refutes a race.
//
// # Limits
//
// The tree is exact for tasks that end in the innermost finish scope around them. A task that
// a scope further out waits for leaves its own scope before that scope ends: it is ordered
// neither before nor after the code between the two ends, and such an order is in general not
// series-parallel. No tree has it, and in an order of another shape two accesses do not represent
// a class. The detector takes such a task for ordered by its own scope. Package suite lists these
// tasks as outside of the model, so that the run proves nothing. The detectors graph, drdp
// and engine have the order exactly.
//
// # Departures
//
// The paper reports apparent races between accesses that happened without a diagnosis.
// Figure 5 leaves out the second case, which figure 6 needs. Atomic accesses are kinds
// of their own: two of them do not conflict. A possible access never replaces one that
// happened, as it does in figure 6. Possible accesses of different decisions are kept apart,
// because one may turn out to be infeasible. A byte keeps 64 possible accesses; those that it
// drops are counted. Locks have modes, and a task may hold any number of them, taken in any
// order. Accesses have every size. The main task's steps are steps.
package ptracer
