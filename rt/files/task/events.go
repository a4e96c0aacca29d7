//go:build taskinstr_runtime

// The events of package rt/task in an instrumented build, instead of its own events.go.

package task

import "unsafe"

const marker = "taskinstr/rt/task events 1"

const (
	finishBegin   = 1
	finishEnd     = 2
	taskBegin     = 3
	taskEnd       = 4
	promiseSet    = 5
	promiseGot    = 6
	isolatedBegin = 7
	isolatedEnd   = 8
	isolatedWait  = 9
)

// loopTasks is the largest number of tasks that For makes. A loop with fewer iterations
// makes a task for each, so that races between neighbours are found.
const loopTasks = 1 << 14

//go:noescape
//go:linkname event runtime.taskinstr_structure
func event(op uint32, obj unsafe.Pointer)

//go:linkname hide runtime.taskinstr_suspend
func hide() (task uintptr)

//go:linkname show runtime.taskinstr_resume
func show(task uintptr)
