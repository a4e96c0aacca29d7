// Package event is the language in which an execution is told to the detectors
// below package detector: the events of tasks, the accesses between them, and what
// a detector answers.
//
// # Terms
//
// A task runs events one after the other. The main task is 0; each other task is
// made by a [Fork] of its parent. A finish scope is opened and closed by one task
// ([FinishBegin], [FinishEnd]); a task belongs to the innermost scope that was open
// in its parent when it was forked, or to its parent's own scope if the parent has
// opened none. [End] names the scope that the task's end counts for. A promise is
// set once ([Set]) and read after that, any number of times ([Get]). A lock is held
// by one task, or, shared, by several; [Isolation] is the lock of isolated sections.
//
// The structural order of an execution is the least partial order in which the
// events of a task follow each other, a fork precedes the child, the ends of a
// scope's tasks precede what follows the scope's FinishEnd, and a Set precedes what
// follows a Get. Two accesses are a structural race if they conflict (they share a
// byte, one of them writes, not both are atomic) and neither precedes the other. It
// is a race if, besides, no lock protects both: none is held at both of which one
// holds it exclusively.
//
// Two groups of events exist. Those above are structured: all detectors know them.
// The raw ones (from [Acquire] on) say what package sync and the channels did,
// operation by operation; the parallel engine and vector clocks need them, and
// others pass over them. A structured event implies its order for everybody, so a
// trace need not have raw events beside it. [Outside] is said where the program did
// something that the structured events leave out: a detector of structured programs
// then proves nothing about what that something orders.
//
// # Traces in order
//
// The events of a trace come in an order that the execution could have had. A
// serial detector wants depth-first order: the events of a child, its own children
// included, stand between its Fork and the next event of the parent ([DepthFirst]
// brings a trace into that order, [Check] tells whether a trace is well formed).
package event
