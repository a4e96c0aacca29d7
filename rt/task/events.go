package task

import "unsafe"

// marker tells taskinstr that this file is to be replaced in an instrumented build
// (rt/files/task/events.go), and by which version of it.
const marker = "taskinstr/rt/task events 1"

// The events of the task structure. Each names the scope or promise that it is about.
const (
	finishBegin   = 1 // the scope, before its first task
	finishEnd     = 2 // the scope, behind the end of its last task
	taskBegin     = 3 // the innermost scope around the task, by the task itself
	taskEnd       = 4 // the same scope, when nothing of the task's body runs any more
	promiseSet    = 5 // the promise, before anybody can get it
	promiseGot    = 6 // the promise, by the task that has waited for it
	isolatedBegin = 7 // nil, when no other Isolated section runs
	isolatedEnd   = 8 // nil, while no other Isolated section runs
	isolatedWait  = 9 // the lock of Isolated sections, before the task waits for it
)

// loopTasks is how many tasks make the iterations of For; 0 leaves that to the number
// of processors.
const loopTasks = 0

// event makes an event of the task structure known. It does nothing in a plain build.
func event(op uint32, obj unsafe.Pointer) {}

// hide begins what the package does for itself, with locks and channels of package
// sync and the runtime. A detector must not take it for the program's own
// synchronization. The events say all that is to be known of it.
func hide() (task uintptr) { return 0 }

// show ends what hide began.
func show(task uintptr) {}
