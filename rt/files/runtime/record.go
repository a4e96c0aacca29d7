//go:build taskinstr_runtime

// The path of an access from its check or hook to the engine, for all detectors.

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

const (
	tr_read  = 0
	tr_write = 1
	// tr_atomic is added to the kind of an access made by sync/atomic.
	tr_atomic = 2
)

// tr_apart returns the address of the bytes that a check names, and the kind of the access. An
// argument kind has the distance from these bytes to p in the bits from 8 on, because the code of a
// check computes no pointers (see internal/splice/files/helpers.go).
//
//go:nosplit
func tr_apart(p unsafe.Pointer, kind uintptr) (a, k uintptr) {
	return uintptr(p) - uintptr(int(kind)>>8), kind & 0xff
}

// taskinstr_begin returns the task of the calling goroutine. It is the first thing that each
// activation of a function with checks does, unless the checks call taskinstr_enter.
//
//go:linkname taskinstr_begin
//go:nosplit
func taskinstr_begin() *ti_Task {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil {
		return tr_idleTask()
	}
	t.Act++
	t.Outermost = min(t.Outermost, gp.stack.hi-sys.GetCallerSP())
	return t
}

// taskinstr_enter is taskinstr_begin for a function with few checks, at each of them.
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

// taskinstr_handover records the read of a named result after the deferred calls of a
// function. A function that panics returns no result.
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

// tr_access records an access that the runtime or package race reports.
//
//go:nosplit
func tr_access(p unsafe.Pointer, n, kind, callerpc, pc uintptr, s *uint32) {
	gp := getg()
	if gp != gp.m.curg {
		return // on g0, for the runtime itself
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
	if tr_sited {
		tr_siteAt(gp, a, n, kind, callerpc, s)
	}
	t.Act++
	tr_recordPC(gp, t, a, n, kind, callerpc, pc, gp.stack.hi-getfp(), s)
}

// tr_record does the work of a check on the system stack, because a young goroutine's own
// stack is small and growing it costs more than many checks. off is the distance of the
// check's frame pointer from the top of the stack. probe is the result of Probe, or
// ra_Unknown if Quick has failed.
//
//go:nosplit
func tr_record(gp *g, t *ti_Task, a, n, kind, pc, off uintptr, s *uint32, probe int) {
	if probe == ra_Covered {
		return
	}
	systemstack(func() { tr_recordHere(gp, t, a, n, kind, 0, pc, off, s, probe) })
	tr_sweepIfDue(gp)
	tr_giveWay(gp)
}

// tr_giveWay lets other goroutines run if gp has been asked to stop. A signal that asks for it
// has no effect in this package, where a goroutine that spins, with checks, spends nearly all
// of its time. The caller needs no address any more that only an integer holds.
//
//go:nosplit
func tr_giveWay(gp *g) {
	if gp.preempt {
		tr_giveWaySlow(gp)
	}
}

//go:nosplit
//go:noinline
func tr_giveWaySlow(gp *g) {
	if !tr_sched.on && tr_canPass(gp) {
		goschedguarded()
	}
}

// tr_sweepIfDue lets the engine sweep if a sweep is due and gp may stop the world.
//
//go:nosplit
func tr_sweepIfDue(gp *g) {
	if tr_engine.NeedSweep() {
		if mp := gp.m; gp == mp.curg && mp.locks == 0 && mp.mallocing == 0 && mp.preemptoff == "" && !gp.throwsplit {
			tr_sweep()
		}
	}
}

// tr_recordPC is tr_record for an access by the runtime at pc, called from the program at
// callerpc.
//
//go:nosplit
func tr_recordPC(gp *g, t *ti_Task, a, n, kind, callerpc, pc, off uintptr, s *uint32) {
	probe := tr_engine.Probe(t, a, n, ra_Kind(kind))
	if probe == ra_Covered {
		return
	}
	if probe != ra_Open || !tr_roomForHook(gp) || !tr_quickHook(gp, t, a, n, kind, callerpc, pc, off, s) {
		systemstack(func() { tr_recordHere(gp, t, a, n, kind, callerpc, pc, off, s, probe) })
	}
	tr_sweepIfDue(gp) // a program may do nothing but use channels
}

// tr_recordHere passes the access to the engine. If callerpc is not 0, the accessing
// function is the runtime's, at pc, called from the program at callerpc.
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
	tr_recordIn(t, a, n, kind, pc, stack, s, probe)
}

// tr_recordIn passes the access to the engine, with its calling context.
func tr_recordIn(t *ti_Task, a, n, kind, pc uintptr, stack uint32, s *uint32, probe int) {
	if tr_tracing {
		tr_traceAccess(t, a, n, kind, pc, stack, s)
		return
	}
	if probe == ra_Open {
		tr_restock(t)
		if tr_engine.Quick(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, stack) {
			return
		}
	}
	tr_engine.Access(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, stack)
}

// tr_sweep stops the world and lets the engine sweep, if a sweep is still due and no other goroutine is about to do so.
//
//go:noinline
func tr_sweep() {
	if !atomic.Cas(&tr_sweeping, 0, 1) {
		return
	}
	kept := uint64(0)
	stw := stopTheWorld(stwGCMarkTerm)
	systemstack(func() {
		if tr_engine.NeedSweep() {
			forEachGRace(tr_noteAwaits)
			kept = tr_engine.Sweep()
		}
	})
	startTheWorld(stw)
	if kept > 0 {
		tr_collectGrown(kept)
	}
	atomic.Store(&tr_sweeping, 0)
}

// tr_collected holds the number of elements that the first sweep after the last collection kept, and the number of collections by
// then. It belongs to the goroutine in tr_sweep.
var tr_collected struct {
	kept   uint64
	cycles uint32
}

// tr_collectFrom is the least number of kept elements for which a collection starts. A sweep of so many stops the world for some
// 15 ms.
const tr_collectFrom = 1 << 18

// tr_collectGrown starts a collection if the elements that sweeps keep have doubled since the last one. Dead objects keep
// their shadow until they are collected, and a heap that was large once is collected rarely. The collection starts like one
// that has not come for too long, so it does not if the collector is off.
func tr_collectGrown(kept uint64) {
	if n := memstats.numgc; n != tr_collected.cycles {
		tr_collected.cycles, tr_collected.kept = n, kept
	}
	if kept >= max(tr_collectFrom, 2*tr_collected.kept) {
		gcStart(gcTrigger{kind: gcTriggerTime, now: int64(memstats.last_gc_nanotime) + forcegcperiod + 1})
	}
}

var tr_sweeping uint32 // 1: a goroutine is in tr_sweep

// tr_awaits reports whether gp's next event follows a release that is yet to come: gp waits at a channel or for
// a WaitGroup, or for the first thread of C that calls Go. What a timer sends comes
// after the setting of the timer alone, and a mutex, a condition and the network wake goroutines without an edge
// that predictions keep.
func tr_awaits(gp *g) bool {
	if gp.m != nil && gp.m.isextra {
		return !tr_calledBack
	}
	if readgstatus(gp)&^_Gscan != _Gwaiting {
		return false
	}
	switch gp.waitreason {
	case waitReasonChanReceiveNilChan, waitReasonChanSendNilChan, waitReasonSelectNoCases, waitReasonSyncWaitGroupWait:
		return true
	case waitReasonChanReceive, waitReasonChanSend, waitReasonSelect:
		if gp.raceignore != 0 {
			return false
		}
		for s := gp.waiting; s != nil; s = s.waitlink {
			if tr_chanOf(s).timer != nil {
				return false
			}
		}
		return gp.waiting != nil
	}
	return false
}

// tr_chanOf returns the channel at which s waits.
func tr_chanOf(s *sudog) *hchan { return *(**hchan)(unsafe.Pointer(&s.c)) }
