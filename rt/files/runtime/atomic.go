//go:build taskinstr_runtime

// Atomic operations.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

const (
	tr_opLoad  = 1 // after a load; if the result is true, load again, and then tr_opDone
	tr_opStore = 2 // before a store; if the result is true, tr_opDone after it
	tr_opRMW   = 3 // before a read-modify-write, with tr_opDone after it
	tr_opDone  = 4
	tr_opFail  = 5 // instead of a compare-and-swap that would fail; if the result is true, load and compare again
	tr_opQuiet = 6 // after a load that races with nothing
)

// taskinstr_atomic records one side of an atomic operation on n bytes at p, and the order
// that the operation implies. Of a quiet load it records the order alone, except in critical sections and for
// traces. Between RaceDisable and RaceEnable the detector sees no atomic operations.
//
// A read-modify-write acquires before its access is recorded. So the access is ordered
// after the operations that it follows and subsumes their records. Until the
// operation is done it holds the engine's lock of its variable, so that no other operation comes
// in between. So does a store, whose release takes the place of earlier releases: a task that loads its value is ordered
// after this store alone. A load therefore has to belong to the release that it acquires. It does so if the task knows
// all that is released after the load. Otherwise the task acquires, and loads again while it holds the lock.
//
//go:linkname taskinstr_atomic
//go:nosplit
func taskinstr_atomic(p unsafe.Pointer, n, op uintptr, s *uint32) bool {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil || gp.raceignore != 0 || gp != gp.m.curg {
		return false
	}
	a := uintptr(p)
	if op == tr_opQuiet {
		op = tr_opLoad
		if !tr_tracing && !tr_engine.Ordered(t) {
			n = 0
		}
	}
	whole := tr_updates && !tr_tracing && !tr_sched.on && !tr_opt.verdict && tr_owned(a)
	if tr_holds && op != tr_opDone && op != tr_opFail && tr_canPass(gp) {
		tr_siteAtomic(gp, a, n, op, sys.GetCallerPC(), getfp(), s)
	}
	if whole && op == tr_opRMW {
		tr_released(t)
		pc, off := sys.GetCallerPC(), gp.stack.hi-getfp()
		acquirem() // until tr_opDone
		systemstack(func() { tr_update(gp, t, a, n, pc, off, s) })
		return false
	}
	if whole && op == tr_opFail && !tr_engine.Acquired(t, a) {
		systemstack(func() { tr_engine.Acquire(t, a) })
		tr_giveWay(gp)
		return true
	}
	if tr_sched.on {
		if op == tr_opStore || op == tr_opRMW {
			tr_atomicPoint(gp, a)
		}
		tr_atomicOrdered(gp, a, op)
	}
	if op == tr_opRMW || op == tr_opFail {
		tr_acquireAtomic(gp, t, a)
	}
	if n != 0 && tr_owned(a) && op != tr_opDone && !tr_engine.Alone(t) && !(op == tr_opLoad && tr_filteredLoad(t, a, n)) {
		kind := uintptr(tr_atomic | tr_write)
		if op == tr_opLoad {
			kind = tr_atomic | tr_read
		}
		t.Act++
		if probe := tr_engine.Probe(t, a, n, ra_Kind(kind)); probe != ra_Covered {
			pc, fp := sys.GetCallerPC(), getfp()
			if probe != ra_Open || !tr_roomForHook(gp) || !tr_quickFrom(gp, t, a, n, kind, pc, *(*uintptr)(unsafe.Pointer(fp)), s) {
				tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, probe)
			}
		}
	}
	if tr_opt.verdict && op != tr_opDone {
		pc := sys.GetCallerPC()
		off := gp.stack.hi - getfp()
		systemstack(func() { tr_noteAtomic(gp, t, a, pc, off) })
	}
	switch op {
	case tr_opLoad, tr_opDone:
		if op == tr_opDone && tr_endUpdate(t) {
			releasem(gp.m)
			tr_sweepIfDue(gp)
			tr_giveWay(gp)
			return false
		}
		if !whole {
			tr_acquireAtomic(gp, t, a)
		} else if !tr_engine.Acquired(t, a) {
			acquirem() // until tr_opDone
			held := false
			systemstack(func() { held = tr_beginLoad(t, a) })
			if held {
				return true
			}
			releasem(gp.m)
		}
		tr_giveWay(gp) // a loop may wait for another goroutine
	case tr_opFail:
		tr_giveWay(gp)
	default:
		tr_released(t)
		if tr_tracing {
			tr_traceSync(gp, t, tw_ReleaseMerge, a)
			return false
		}
		if whole {
			acquirem() // until tr_opDone
			systemstack(func() { tr_beginStore(t, a) })
			return true
		}
		systemstack(func() { tr_engine.ReleaseMerge(t, a) })
	}
	if tr_sched.on && (op == tr_opLoad || op == tr_opFail) {
		tr_spin(gp, a)
	}
	return false
}

// taskinstr_loading is called before a load, and before the load with which a compare-and-swap begins.
// Only programs under a schedule with points call it.
//
//go:linkname taskinstr_loading
//go:nosplit
func taskinstr_loading(p unsafe.Pointer, write bool) {
	gp := getg()
	if gp.racectx == 0 || gp.raceignore != 0 || gp != gp.m.curg {
		return
	}
	op := sc_OpRead
	if write {
		op = sc_OpWrite
		if e := tr_sched.goroutines.find(gp); e != nil {
			e.swaps = uintptr(p)
		}
	}
	tr_syncPoint(op, uintptr(p))
}

// tr_atomicPoint is the point before a store or a read-modify-write of the word at a. A
// compare-and-swap has had its point already.
//
//go:nosplit
func tr_atomicPoint(gp *g, a uintptr) {
	if e := tr_sched.goroutines.find(gp); e != nil && e.swaps != 0 {
		same := e.swaps == a
		e.swaps = 0
		if same {
			return
		}
	}
	tr_syncPoint(sc_OpWrite, a)
}

//go:nosplit
func tr_acquireAtomic(gp *g, t *ti_Task, a uintptr) {
	if tr_tracing {
		tr_traceLoad(gp, t, a)
		return
	}
	tr_acquire(t, a)
}

// tr_atomicOrdered records one side of an atomic operation in the graph of the run.
//
//go:nosplit
func tr_atomicOrdered(gp *g, a, op uintptr) {
	switch op {
	case tr_opLoad, tr_opFail:
		tr_graphed(gp, a, tr_graphAcquire)
	case tr_opStore:
		tr_graphed(gp, a, tr_graphStore)
	case tr_opRMW:
		tr_graphed(gp, a, tr_graphSwap)
	}
}
