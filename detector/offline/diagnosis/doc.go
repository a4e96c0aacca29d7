// Package diagnosis decides whether a race with an access that a branch would have made is
// feasible: whether some order of the events of a trace makes the branch decide the
// other way (section 3.3 of A. Yoga, S. Nagarakatte and A. Gupta, Parallel Data Race
// Detection for Task Parallel Programs with Locks, FSE 2016).
//
// # Terms
//
// The canonical form of a trace ([Trace]) has the events of each task in order, and, for each
// event, the events of other tasks that it waits for: its task's fork, the ends of a scope's
// tasks, the Set of a promise. A decision is one Branch event. The prefix of an execution ends
// where the decisions of the question are next; that point is the cut. An order variable says
// which of two events comes first. A value variable is the value that a read finds.
//
// # Constraints
//
// A [Problem] has these constraints, in the paper's words:
//
//   - Program order and spawn-sync: the structural order, which is fixed.
//   - Synchronization: of two holds of one lock that begin in the prefix, one ends before the
//     other begins, unless both are shared.
//   - Read-write: a read finds the value that the latest write before it left, or the first
//     value of the bytes. The trace tells the value of a write, or the value follows from
//     reads of the write's task (event.Expr).
//   - Negated branch: the conditions of the decisions in question have the other value. Other
//     decisions in the prefix keep their values, because otherwise other events would follow
//     them.
//
// The problem has only the events that bear on the question: the events that structure puts
// before the decisions, the ends of critical sections that these events begin, the reads in
// conditions, the writes that such reads may see, and the events that those need in turn. All
// other events could be removed from any solution.
//
// # Values
//
// An access of up to eight bytes tells its value. An access of 16 or 24 bytes tells its second
// word, which is the length if the bytes are a string or a slice (told in problem.go).
//
// # Solvers
//
// [SAT] encodes the order of each pair that a constraint names, and the source of each
// read, in propositional logic. If the order of a model has a cycle, or its values do not meet
// a condition, SAT adds the reason as a clause and solves again. [Z3] writes the same problem as
// SMT-LIB text, with integers for order and words for values. Each order that a solver returns
// is executed on the constraints before it becomes an answer.
//
// # Answers
//
// Feasible comes with an order of events by task that leads to the other side. It is an
// order of this trace's events. Orders that other operations make, such as channels and
// atomics, are not in it. If the condition of a branch is not known, or depends on a value that
// is not known, the branch is taken to decide as it did, unless it is to flip. So a feasible race
// is predicted, and running the order confirms it. Infeasible, too, speaks of this trace's
// events. Unknown is the answer where only a value that the trace does not tell decides a branch
// that is to flip; the value of a read that sees parts of several writes is such a value.
//
// [Trace.Record] writes an order as a schedule in which the program can run
// (docs/design/schedule.md), and [Trace.Unkept] says where no schedule can keep the order.
// [Trace.Guess] finds an order that leads to a branch whose condition is not known.
//
// # Accesses that happened
//
// [Trace.DecidePair] asks the same question about two accesses that happened and that only locks
// kept apart: no branch is to flip, and both accesses are next at the cut. An access is the same
// only if the read that found its pointer or slice finds the same again (pin.go). If the accesses
// that a detector names do not race, other accesses that the detector has not kept may race
// (rivals.go).
//
// # Departures
//
// The paper asks about a whole execution. Here the events behind the decision do not count,
// because the other side would have changed them. The paper is content with an order that makes
// the branch decide otherwise. But the access of the other task may lie before a release that the
// order needs, so that no order has the race. Here that access must be next in its task at the
// cut, so that it and all later events of its task come after the cut ([Trace.Decide]).
package diagnosis
