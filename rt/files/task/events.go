//go:build taskinstr_runtime

// What package rt/task says in an instrumented build, in place of its events.go.

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

// loopTasks bounds the tasks of For. Below it each iteration is a task, so that a race
// between neighbours is seen.
const loopTasks = 1 << 14

//go:noescape
//go:linkname event runtime.taskinstr_structure
func event(op uint32, obj unsafe.Pointer)

//go:linkname hide runtime.taskinstr_suspend
func hide() (task uintptr)

//go:linkname show runtime.taskinstr_resume
func show(task uintptr)
