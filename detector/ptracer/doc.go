// Package ptracer is the detector of A. Yoga, S. Nagarakatte and A. Gupta, Parallel
// Data Race Detection for Task Parallel Programs with Locks, FSE 2016, on traces: races
// of programs with async, finish and locks that some order of the critical sections
// has, from one run in any order; and, with the records of branches not taken, races
// with accesses that did not happen.
//
// # Terms
//
// Steps, and whether two may run in parallel, come from the program structure tree
// (package dpst). A lockset is what a task holds, with modes (package lockset). Two
// accesses race if they conflict, their steps are parallel and their locksets do not
// protect each other: the paper's apparent race, this project's structural one.
//
// A possible access is one that a branch would have made had its condition been
// otherwise (event.Possible). A race with a possible access is a possible race until
// its diagnosis (package diagnosis) says whether some schedule takes that side.
//
// # Algorithm
//
// Each byte has a history: for each lockset and kind of access, up to two accesses that
// stand for all of that class. A new access is compared with all classes that neither
// commute with it nor are protected from it. Then its own class takes it up (figure 5
// of the paper, keep in history.go):
//
//   - it follows both that stand there: it replaces them, because whatever is parallel
//     to one of them later is parallel to it as well;
//   - only one stands there and is parallel: it becomes the second;
//   - it is parallel to both and outside of the subtree of their lowest common ancestor:
//     it replaces one, and the subtree of the new ancestor has all of the class;
//   - otherwise it lies in that subtree, and the two stand for it: a later access
//     outside of the subtree is parallel to all in it or to none, and one inside that
//     is parallel to the new access is parallel to one of the two. The only ones inside
//     that are not precede both, and so are not later.
//
// Time and memory for a byte grow with the locksets of its accesses, not with tasks or
// accesses. Bytes with one history share it, and a range is one turn for each run of
// such bytes (package bytemap).
//
// # Caches
//
// Relations of steps (the paper's LCA cache), accesses that a step repeats under the
// same locks (its access cache), and turns: what an access makes of a history. They
// change no answer; options switch the paper's two off, and Close tells how often each
// helped.
//
// # Diagnosis
//
// Races with possible accesses wait for the end of the trace and are diagnosed then. So are
// all others in a trace that tells of decisions, or has tasks that were made under a lock: a
// pair that nothing orders in the trace is a race; one that locks order is predicted, with an
// order in which the tasks come to both accesses; one that no order lets race is counted. The
// accesses of a history stand for others, so these are asked about before that.
//
// # Departures
//
// The paper reports apparent races between accesses that happened without a diagnosis.
// Figure 5 leaves out the second case, which figure 6 needs. Atomic accesses are kinds
// of their own: two of them do not conflict. A possible access never takes the place of
// one that happened, as it does in figure 6, and those of different decisions are kept
// apart, because one may turn out to be infeasible; a byte keeps 64 of them, and what
// it drops is counted. Locks have modes, any number of them is held, in any order;
// accesses have every size; the main task's steps are steps.
package ptracer
