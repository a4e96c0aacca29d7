//go:build taskinstr_runtime

// The events of package rt/task, which define the exact order of its tasks. The locks and
// channels inside the package are hidden (taskinstr_suspend).

package runtime

import "unsafe"

// The operations of taskinstr_structure. The object is a scope or a promise unless stated
// otherwise.
const (
	tr_eventFinishBegin   = 1 // the calling task opens the scope
	tr_eventFinishEnd     = 2 // the calling task has waited for all tasks of the scope
	tr_eventTaskBegin     = 3 // the calling task begins; the scope is the innermost one around it
	tr_eventTaskEnd       = 4 // the calling task ends
	tr_eventPromiseSet    = 5 // the calling task is about to publish the promise
	tr_eventPromiseGot    = 6 // the calling task has waited for the promise
	tr_eventIsolatedBegin = 7 // the calling task excludes all other isolated sections; no object
	tr_eventIsolatedEnd   = 8 // the calling task is about to admit others; no object
	tr_eventIsolatedWait  = 9 // the calling task is about to wait for its turn; the object is the package's lock
)

// tr_taskPackage is the prefix of the package's function names.
const tr_taskPackage = "taskinstr/rt/task."

// tr_isolation represents, by its address, the lock of all isolated sections.
var tr_isolation uint64

// tr_isolationLock is the address of the lock that package rt/task takes for isolated
// sections, once one was about to begin. Only the order of this lock of the package is a
// choice of the program.
var tr_isolationLock uintptr

func tr_isolationAddr() uintptr { return uintptr(unsafe.Pointer(&tr_isolation)) }

// taskinstr_structure is called at each event of the task structure.
//
//go:linkname taskinstr_structure
//go:nosplit
func taskinstr_structure(op uint32, obj uintptr) {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	switch op {
	case tr_eventIsolatedWait:
		tr_isolationLock = obj
		return
	case tr_eventIsolatedBegin:
		tr_noteLockPC(gp, t, getfp())
	}
	tr_structure(gp, t, op, obj)
}

// tr_structure passes an event of t, the task of gp, to the engine.
//
//go:nosplit
func tr_structure(gp *g, t *ti_Task, op uint32, obj uintptr) {
	if tr_tracing {
		systemstack(func() { tr_traceStructure(gp, t, op, uint64(obj)) })
		return
	}
	switch op {
	case tr_eventFinishEnd, tr_eventPromiseGot:
		tr_acquire(t, obj)
	case tr_eventTaskEnd:
		tr_released(t)
		systemstack(func() { tr_engine.ReleaseMerge(t, obj) })
	case tr_eventPromiseSet:
		tr_released(t)
		systemstack(func() { tr_engine.Release(t, obj) })
	case tr_eventIsolatedBegin:
		systemstack(func() { tr_engine.Lock(t, tr_isolationAddr(), false) })
	case tr_eventIsolatedEnd:
		systemstack(func() { tr_engine.Unlock(t, tr_isolationAddr(), false) })
	}
}
