//go:build taskinstr_runtime

// The entry points of instrumented code (docs/architecture.md, section 2).

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

// tr_canTrace says that checks tell a trace of the accesses, if one is written.
const tr_canTrace = true

var tr_idleFilter ti_filter

// tr_initIdle gives the idle task a filter that stays empty.
//
//go:nosplit
func tr_initIdle() {
	tr_idle.task.filter = uintptr(unsafe.Pointer(&tr_idleFilter))
	tr_idle.task.entries = uintptr(unsafe.Pointer(&tr_idle.task.noEntry))
}

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

// taskinstr_check records an access of n bytes at p, unless the filter dismisses
// it.
//
//go:linkname taskinstr_check
//go:nosplit
func taskinstr_check(t *ti_Task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	gp := getg()
	a := uintptr(p)
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) {
		return
	}
	if n < 64 && tr_filtered(t, a, n, kind) {
		return // code outside of loops leaves the test to us
	}
	probe := tr_engine.Probe(t, a, n, ti_Kind(kind))
	if probe == ti_Covered {
		return
	}
	pc := sys.GetCallerPC()
	fp := getfp()
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); probe == ti_Open && w != nil {
		up := *(*uintptr)(unsafe.Pointer(fp))
		if w.act == t.Act && w.off == gp.stack.hi-up && w.pc == *(*uintptr)(unsafe.Pointer(up + 8)) ||
			framepointer_enabled && tr_stackKnown(gp, t, w, up) {
			if tr_engine.Quick(t, a, n, ti_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
				return
			}
			probe = ti_Unknown // Access it is
		}
	}
	if !tr_owned(a) || t == tr_idleTask() || n == 0 {
		return
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, probe)
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
	if t == nil || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) || !tr_owned(a) || n == 0 {
		return
	}
	if n < 64 && tr_filtered(t, a, n, kind) {
		return
	}
	probe := tr_engine.Probe(t, a, n, ti_Kind(kind))
	if probe == ti_Covered {
		return
	}
	t.Act++
	pc := sys.GetCallerPC()
	fp := getfp()
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); probe == ti_Open && w != nil &&
		framepointer_enabled && tr_stackKnown(gp, t, w, *(*uintptr)(unsafe.Pointer(fp))) {
		if tr_engine.Quick(t, a, n, ti_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
			return
		}
		probe = ti_Unknown
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, probe)
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

// tr_filtered is the inline filter of instrumented code.
//
//go:nosplit
func tr_filtered(t *ti_Task, a, n, kind uintptr) bool {
	k := t.key | uint64(a) | uint64(n)<<48
	e := *t.filterEntry(a)
	return e == k|1<<63 || kind == tr_read && e == k
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
	if n < 64 && tr_filtered(t, a, n, kind) {
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
	if tr_tracing {
		tr_traceAccess(t, a, n, kind, pc, stack, s)
		return
	}
	if probe == ti_Open && tr_engine.Quick(t, a, n, ti_Kind(kind), uintptr(unsafe.Pointer(s)), pc, stack) {
		return
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
	if tr_sched.on && (op == tr_opStore || op == tr_opRMW) {
		tr_syncPoint()
	}
	if op == tr_opRMW || op == tr_opFail {
		tr_acquireAtomic(gp, t, a)
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
		tr_acquireAtomic(gp, t, a)
	case tr_opFail:
	default:
		tr_released(t)
		if tr_tracing {
			tr_traceSync(gp, t, tw_ReleaseMerge, a)
			return
		}
		systemstack(func() { tr_engine.ReleaseMerge(t, a) })
	}
	if tr_sched.on && (op == tr_opLoad || op == tr_opFail) {
		tr_spin(gp, a)
		tr_syncPoint()
	}
}

//go:nosplit
func tr_acquireAtomic(gp *g, t *ti_Task, a uintptr) {
	if tr_tracing {
		tr_traceLoad(gp, t, a)
		return
	}
	tr_acquire(t, a)
}
