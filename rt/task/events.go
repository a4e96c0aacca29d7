package task

import "unsafe"

// marker tells taskinstr that an instrumented build replaces this file (by
// rt/files/task/events.go), and with which version of it.
const marker = "taskinstr/rt/task events 1"

// The events of the task structure, with the object that each names.
const (
	finishBegin   = 1 // the scope, before its first task
	finishEnd     = 2 // the scope, after the end of its last task
	taskBegin     = 3 // the innermost scope around the task, reported by the task itself
	taskEnd       = 4 // the same scope, when no code of the task's body runs any more
	promiseSet    = 5 // the promise, before any task can get it
	promiseGot    = 6 // the promise, reported by the task that has waited for it
	isolatedBegin = 7 // nil, before the body of the section, while no other Isolated section runs
	isolatedEnd   = 8 // nil, after the body of the section, while no other Isolated section runs
	isolatedWait  = 9 // the lock of Isolated sections, before the task waits for it
)

// loopTasks is the largest number of tasks that For makes; 0: it depends on the number of
// processors.
const loopTasks = 0

// event reports an event of the task structure. It does nothing in a plain build.
func event(op uint32, obj unsafe.Pointer) {}

// hide begins internal synchronization of the package, with locks and channels, which a
// detector must not take for the program's own. The events describe its order completely.
func hide() (task uintptr) { return 0 }

// show ends a part that hide began.
func show(task uintptr) {}
