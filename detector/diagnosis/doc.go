// Package diagnosis tells whether the race of an access that a branch would have made is
// feasible: whether some order of the events of a trace makes the branch decide the
// other way (section 3.3 of A. Yoga, S. Nagarakatte and A. Gupta, Parallel Data Race
// Detection for Task Parallel Programs with Locks, FSE 2016).
//
// # Terms
//
// The canonical form of a trace ([Trace]) is each task's events in order, with what each
// waits for: its task's fork, the ends of a scope's tasks, the Set of a promise. A
// decision is one Branch event. The prefix of an execution is what has happened when the
// decisions in question come; the cut is the end of the prefix. Order variables say
// which of two events comes first, value variables what a read finds.
//
// # Constraints
//
// A [Problem] is, in the paper's words:
//
//   - program order and spawn-sync: the structural order, which is fixed;
//   - synchronization: of two holds of one lock that begin in the prefix, unless both
//     are shared, one ends before the other begins;
//   - read-write: a read finds what the latest write before it left, or what the bytes
//     held at first. The value of a write is known from the trace, or follows from reads
//     of its task (event.Expr);
//   - negated branch: the conditions of the decisions in question have the other value.
//     Those of other decisions in the prefix keep theirs, because otherwise the events
//     behind them would be others.
//
// The problem has only the events that have a bearing on the question: what structure
// puts before them, the ends of critical sections that they begin, the reads in
// conditions, the writes that these may see, and so on. All other events could be taken
// out of any solution.
//
// # Solvers
//
// [SAT] encodes the order of each pair that a constraint names, and the source of each
// read, in propositional logic. A model whose order has circles, or whose values miss
// a condition, adds the reason as a clause. [Z3] writes the same as SMT-LIB text, with
// integers for order and words for values. An order that a solver gives is executed on
// the constraints before it is believed.
//
// # Answers
//
// Feasible comes with an order of events by task that leads to the other side. It is an
// order of this trace's events: whatever the program does beyond them, with channels or
// atomic operations, is not in it. Nor is what a branch would do whose condition is not
// known, or depends on a value that is not known: unless it is to flip, it is taken to
// decide as it did. So a feasible race is predicted, and running the order confirms it.
// Infeasible is meant of this trace's events, too. Unknown is the answer for branches to flip
// where only a value that the trace does not tell decides; a read that sees parts of
// several writes is one.
//
// [Trace.Record] writes an order as a schedule that the program can be run in
// (docs/schedule.md), and [Trace.Guess] finds one that leads to a branch of which nobody can
// tell what it depends on.
//
// # Accesses that happened
//
// [Trace.DecidePair] asks the same about two accesses that happened and that only locks kept
// apart: no branch is to flip, and both are next at the cut. An access is only the same where
// the read that found its pointer or slice finds that again (pin.go). Where the accesses that
// a detector names do not race, others of which it kept nothing may (rivals.go).
//
// # Departures
//
// The paper asks about a whole execution; here what comes behind the decision does not
// count, because the other side would have changed it. And the paper is content with an
// order that makes the branch decide otherwise; the access of the other task may lie
// before a release that the order needs, so that no order has the race. Here that access
// must be next in its task at the cut: it, and all that follows it there, comes after the
// cut ([Trace.Decide]).
package diagnosis
