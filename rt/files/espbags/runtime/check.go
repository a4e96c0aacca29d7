//go:build taskinstr_runtime

// The entry points of instrumented code (docs/architecture.md, section 2), for a detector
// of serial execution: what instrumented code and the checks look at is the shadow itself.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

const (
	tr_read  = 0
	tr_write = 1
	// tr_atomic is added to the kind of an access made by sync/atomic.
	tr_atomic = 2
)

// tr_canTrace: checks know of no trace.
const tr_canTrace = false

// tr_initIdle makes all accesses of the idle task covered.
//
//go:nosplit
func tr_initIdle() { tr_idle.task.Hide() }

// taskinstr_enter returns the task of the calling goroutine, once for each
// activation of a function with checks.
//
//go:linkname taskinstr_enter
//go:nosplit
func taskinstr_enter() *ti_Task {
	t := (*ti_Task)(unsafe.Pointer(getg().racectx))
	if t == nil {
		return tr_idleTask()
	}
	t.Act++
	return t
}

// taskinstr_check records an access of n bytes at p, unless the shadow shows that it
// leaves no trace.
//
//go:linkname taskinstr_check
//go:nosplit
func taskinstr_check(t *ti_Task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	a := uintptr(p)
	if t.Pass(a, n, ti_Kind(kind)) {
		return
	}
	if n == 8 && a%8 == 0 && tr_engine.Again(t, a, ti_Kind(kind), uintptr(unsafe.Pointer(s)), sys.GetCallerPC()) {
		return
	}
	gp := getg()
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 {
		return
	}
	tr_checkAt(gp, t, a, n, kind, s, sys.GetCallerPC(), getfp())
}

// taskinstr_check1 is enter and check in one, for functions with a single
// check.
//
//go:linkname taskinstr_check1
//go:nosplit
func taskinstr_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	a := uintptr(p)
	if t == nil || t.Pass(a, n, ti_Kind(kind)) {
		return
	}
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 {
		return
	}
	t.Act++
	tr_checkAt(gp, t, a, n, kind, s, sys.GetCallerPC(), getfp())
}

// tr_checkAt is the part of a check that looks at more than the first word's entry. fp
// is the frame of the check, which the access calls at pc.
//
//go:nosplit
func tr_checkAt(gp *g, t *ti_Task, a, n, kind uintptr, s *uint32, pc, fp uintptr) {
	if tr_engine.Covered(t, a, n, ti_Kind(kind)) {
		return
	}
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); w != nil && framepointer_enabled {
		up := *(*uintptr)(unsafe.Pointer(fp))
		if w.act == t.Act && w.off == gp.stack.hi-up && w.pc == *(*uintptr)(unsafe.Pointer(up + 8)) || tr_stackKnown(gp, t, w, up) {
			if tr_engine.Quick(t, a, n, ti_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
				return
			}
		}
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, ti_Unknown)
}

// taskinstr_handover records the read of a named result behind the deferred calls of a
// function. A function that panics hands nothing over.
//
//go:linkname taskinstr_handover
//go:nosplit
func taskinstr_handover(p unsafe.Pointer, n uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	a := uintptr(p)
	if e := gp._panic; t == nil || e != nil && !e.recovered || tr_engine.Alone(t) || !tr_owned(a) || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || n == 0 {
		return
	}
	t.Act++
	tr_record(gp, t, a, n, tr_read, sys.GetCallerPC(), gp.stack.hi-getfp(), s, tr_engine.Probe(t, a, n, tr_read))
}

// tr_access records an access that the runtime or package race makes known.
//
//go:nosplit
func tr_access(p unsafe.Pointer, n, kind, callerpc, pc uintptr, s *uint32) {
	gp := getg()
	if gp != gp.m.curg {
		return // on g0, for the runtime's own sake
	}
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	a := uintptr(p)
	if t == nil || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) || !tr_owned(a) || n == 0 {
		return
	}
	if callerpc == 0 {
		callerpc = pc
	}
	t.Act++
	tr_recordPC(gp, t, a, n, kind, callerpc, pc, gp.stack.hi-getfp(), s)
}

// tr_record does the work behind a check, on the system stack: a young
// goroutine's own is small, and growing it costs more than many checks. off is
// the distance of the check's frame pointer from the top of the stack, and probe what
// Probe has just found, if Quick has not been tried.
//
//go:nosplit
func tr_record(gp *g, t *ti_Task, a, n, kind, pc, off uintptr, s *uint32, probe int) {
	if probe == ti_Covered {
		return
	}
	systemstack(func() { tr_recordHere(gp, t, a, n, kind, 0, pc, off, s, probe) })
	if tr_engine.NeedSweep() {
		if mp := gp.m; gp == mp.curg && mp.locks == 0 && mp.mallocing == 0 && mp.preemptoff == "" && !gp.throwsplit {
			tr_sweep()
		}
	}
}

//go:nosplit
func tr_recordPC(gp *g, t *ti_Task, a, n, kind, callerpc, pc, off uintptr, s *uint32) {
	probe := tr_engine.Probe(t, a, n, ti_Kind(kind))
	if probe == ti_Covered {
		return
	}
	systemstack(func() { tr_recordHere(gp, t, a, n, kind, callerpc, pc, off, s, probe) })
}

// tr_recordHere hands the access to the engine. With callerpc the accessing
// function is the runtime's (at pc), called from the program at callerpc.
func tr_recordHere(gp *g, t *ti_Task, a, n, kind, callerpc, pc, off uintptr, s *uint32, probe int) {
	var stack uint32
	if callerpc == 0 {
		stack = tr_stackHere(gp, t, off)
	} else {
		stack = tr_stackFrom(gp, t, gp.stack.hi-off, callerpc)
		if callerpc == pc {
			stack, _ = tr_engine.Frame(stack)
		}
	}
	tr_engine.Access(t, a, n, ti_Kind(kind), uintptr(unsafe.Pointer(s)), pc, stack)
}

// tr_sweep lets the engine reclaim what the program can no longer race with.
//
//go:noinline
func tr_sweep() {
	stw := stopTheWorld(stwGCMarkTerm)
	systemstack(func() {
		if tr_engine.NeedSweep() {
			tr_engine.Sweep()
		}
	})
	startTheWorld(stw)
}

const (
	tr_opLoad  = 1 // after a load
	tr_opStore = 2 // before a store
	tr_opRMW   = 3 // before a read-modify-write
	tr_opDone  = 4 // after a read-modify-write
	tr_opFail  = 5 // in place of a compare-and-swap that would have failed
)

// taskinstr_atomic records one side of an atomic operation on n bytes at p and
// the order that comes with it. Between RaceDisable and RaceEnable atomic
// operations are not seen at all.
//
// A read-modify-write acquires before it is recorded, so that it is ordered
// after those it follows and their records can go.
//
//go:linkname taskinstr_atomic
//go:nosplit
func taskinstr_atomic(p unsafe.Pointer, n, op uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil || gp.raceignore != 0 || gp != gp.m.curg {
		return
	}
	a := uintptr(p)
	if op == tr_opRMW || op == tr_opFail {
		tr_acquire(t, a)
	}
	if tr_owned(a) && op != tr_opDone && !tr_engine.Alone(t) {
		kind := uintptr(tr_atomic | tr_write)
		if op == tr_opLoad {
			kind = tr_atomic | tr_read
		}
		t.Act++
		tr_record(gp, t, a, n, kind, sys.GetCallerPC(), gp.stack.hi-getfp(), s, tr_engine.Probe(t, a, n, ti_Kind(kind)))
	}
	if tr_opt.verdict && op != tr_opDone {
		pc := sys.GetCallerPC()
		off := gp.stack.hi - getfp()
		systemstack(func() { tr_noteAtomic(gp, t, a, pc, off) })
	}
	switch op {
	case tr_opLoad, tr_opDone:
		tr_acquire(t, a)
	case tr_opFail:
	default:
		tr_released(t)
		systemstack(func() { tr_engine.ReleaseMerge(t, a) })
	}
}

// tr_filtered reports whether an access need not be looked at.
//
//go:nosplit
func tr_filtered(t *ti_Task, a, n, kind uintptr) bool {
	return tr_engine.Covered(t, a, n, ti_Kind(kind))
}
