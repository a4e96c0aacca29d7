//go:build taskinstr_runtime

// The order that calls between Go and C impose. The detector does not see what C does, so a call of
// C may hand its past to every callback and every return of a call behind it, and the effects of a
// callback are visible where a later call returns. Two callbacks do not order each other.

package runtime

import (
	"internal/abi"
	"internal/runtime/sys"
	"unsafe"
)

// tr_cgoCalls and tr_cgoCallbacks stand for the calls of C that have begun, and for the callbacks
// that have ended.
var tr_cgoCalls, tr_cgoCallbacks uint64

// tr_calledBack says that a thread of C has called Go.
var tr_calledBack bool

// tr_callsC is called by a goroutine that is about to call C.
//
//go:nosplit
func tr_callsC() { racereleasemerge(unsafe.Pointer(&tr_cgoCalls)) }

// tr_returnsFromC is called by a goroutine whose call of C has returned.
//
//go:nosplit
func tr_returnsFromC() {
	raceacquire(unsafe.Pointer(&tr_cgoCalls))
	raceacquire(unsafe.Pointer(&tr_cgoCallbacks))
}

// tr_callbackBegins is called by a goroutine that C has called, before it calls the program's
// function.
//
//go:nosplit
func tr_callbackBegins() {
	raceacquire(unsafe.Pointer(&tr_cgoCalls))
	if !tr_threadsKnown() {
		raceacquire(unsafe.Pointer(&tr_cgoCallbacks))
	}
}

// tr_callbackEnds is called when the program's function has returned.
//
//go:nosplit
func tr_callbackEnds() { racereleasemerge(unsafe.Pointer(&tr_cgoCallbacks)) }

// tr_threadsKnown reports whether a thread of C keeps its goroutine until it ends. Elsewhere a
// thread may get another goroutine for each callback.
//
//go:nosplit
func tr_threadsKnown() bool {
	return _cgo_pthread_key_created != nil && *(*uintptr)(_cgo_pthread_key_created) != 0
}

// tr_threadPC stands for the place at which tasks of threads of C are created.
//
//go:nosplit
func tr_threadPC() uintptr { return abi.FuncPCABIInternal(newextram) + sys.PCQuantum }

// tr_newThread returns the context of a task for a thread of C. No task is its parent: the order
// comes from the first callback.
//
//go:nosplit
func tr_newThread() uintptr { return racectxstart(tr_threadPC(), 0) }

// tr_threadEnds is called when a thread of C gives up its goroutine gp. The next thread gets gp
// under another number.
//
//go:nosplit
func tr_threadEnds(gp *g) {
	if tr_threadsKnown() {
		gp.goid = sched.goidgen.Add(1)
	}
}

// tr_fromC is called at the beginning of a callback. It gives a thread of C that has taken over
// another thread's goroutine a task of its own.
func tr_fromC() {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil || !gp.m.isextra || gp.m.ncgo != 0 {
		return
	}
	tr_calledBack = true
	if t.Name != 0 && t.Name != gp.goid {
		racectxend(gp.racectx)
		gp.racectx = tr_newThread()
		t = tr_taskOf(gp)
	}
	t.Name = gp.goid
}
