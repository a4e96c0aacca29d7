// Package event defines the events by which an execution is described to the detectors
// below detector/: task events, the accesses between them, and the races that a
// detector reports.
//
// # Terms
//
// A task runs events one after the other. The main task is 0; a [Fork] of its parent
// makes each other task. One task opens and closes a finish scope ([FinishBegin],
// [FinishEnd]). A task belongs to the innermost scope that was open in its parent when it
// was forked, or to its parent's own scope if the parent has opened none. [End] names the
// scope that waits for the task. A promise is set once ([Set]) and read afterwards any
// number of times ([Get]). A lock is held by one task exclusively or by several tasks in
// shared mode; [Isolation] is the lock of isolated sections.
//
// # The structural order of an execution is the least partial order in which
//
// - the events of a task follow each other,
// - a Fork precedes the events of the child,
// - the ends of a scope's tasks precede the events that follow the scope's FinishEnd,
// - a Set precedes the events that follow a Get of the promise.
//
// Two accesses conflict if they share a byte, at least one writes, and not both are
// atomic. They are a structural race if they conflict and neither precedes the other.
// They are a race if, besides, no lock protects both: no lock is held at both accesses
// with at least one of the two holds exclusive.
//
// There are two groups of events. The structured events are those named above; all
// detectors know them. The raw events (from [Acquire] on) describe the operations of
// package sync and of channels one by one. The parallel engine and detectors with vector
// clocks need them; other detectors ignore them. A structured event implies its order for
// every detector, so a trace need not have raw events beside it. [Outside] marks a
// synchronization that the structured events do not describe; a detector of structured
// programs then proves nothing about the order that this synchronization establishes.
//
// # Traces in order
//
// The events of a trace come in an order that the execution could have had. A serial
// detector needs depth-first order: the events of a child, its own children included,
// stand between its Fork and the next event of the parent. [DepthFirst] brings a trace
// into that order; [Check] reports whether a trace is well formed.
//
// The glossary of all packages is docs/design/glossary.md.
package event
