//go:build taskinstr_runtime

// The entry points of instrumented code (docs/architecture.md, section 2).

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

// tr_canTrace says that checks write accesses to a trace, if there is one.
const tr_canTrace = true

// tr_restock prepares the engine's quick way for an access of t.
func tr_restock(t *ti_Task) { tr_engine.Restock(t) }

// tr_noteAwaits tells the engine, before a sweep, whether gp's next event follows a release that is yet to come.
func tr_noteAwaits(gp *g) {
	if t := (*ti_Task)(unsafe.Pointer(gp.racectx)); t != nil {
		t.Awaits = tr_awaits(gp)
	}
}

// The zeros of memory are recorded if its length lies between these bounds. A task accesses a smaller object a few
// times and often passes it on, and the receiver's check then has to order the zeros as well. In reports the accesses
// of a small object keep their own places.
const tr_newLeast, tr_newMost = 64, 1 << 20

// tr_new records that gp's task has got n bytes at a, which are zero, if the program's call of an allocation is
// known. It returns false if the engine knows nothing of it.
//
//go:nosplit
func tr_new(gp *g, a, n uintptr) bool {
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil || gp != gp.m.curg || t == tr_idleTask() || !framepointer_enabled || n < tr_newLeast || n > tr_newMost || a%8 != 0 || tr_engine.Alone(t) {
		return false
	}
	n = (n + 7) &^ 7 // the rest of the last word belongs to no other object
	call := tr_programCall(gp, getfp())
	if call == 0 {
		return false
	}
	pc, up := *(*uintptr)(unsafe.Pointer(call + 8)), *(*uintptr)(unsafe.Pointer(call))
	t.Act++
	site := tr_newSite()
	w := (*tr_walk)(unsafe.Pointer(t.Host))
	if w != nil && tr_engine.Ready(t, tr_write) && tr_stackKnown(gp, t, w, up) && tr_engine.QuickNew(t, a, n, site, pc, w.cur) {
		return true
	}
	off := gp.stack.hi - call
	systemstack(func() {
		stack := tr_stackHere(gp, t, off)
		tr_engine.New(t, a, n, site, pc, stack)
	})
	return true
}

// tr_updates says that the detector handles atomic operations in one piece.
const tr_updates = true

// tr_update begins a read-modify-write of n bytes at a.
func tr_update(gp *g, t *ti_Task, a, n, pc, off uintptr, s *uint32) {
	stack := uint32(0)
	if !tr_engine.Alone(t) {
		t.Act++
		stack = tr_stackHere(gp, t, off)
		tr_restock(t)
	}
	tr_engine.BeginUpdate(t, a, a, n, uintptr(unsafe.Pointer(s)), pc, stack)
}

// tr_beginLoad begins the second load of the variable at a. It returns false if no store has released there.
func tr_beginLoad(t *ti_Task, a uintptr) bool { return tr_engine.BeginLoad(t, a) }

// tr_beginStore begins a store at a.
func tr_beginStore(t *ti_Task, a uintptr) { tr_engine.BeginStore(t, a) }

// tr_endUpdate ends the update, load or store that t has begun. It returns false if there is none.
//
//go:nosplit
func tr_endUpdate(t *ti_Task) bool { return tr_engine.EndUpdate(t) }

// tr_depthFirst says that the detector relies on depth-first order.
const tr_depthFirst = false

var tr_idleFilter ti_filter

// tr_initIdle gives the idle task a filter that stays empty.
//
//go:nosplit
func tr_initIdle() {
	tr_idle.task.filter = uintptr(unsafe.Pointer(&tr_idleFilter))
	tr_idle.task.entries = uintptr(unsafe.Pointer(&tr_idle.task.noEntry))
}

// taskinstr_check records an access of n bytes at p, or where kind says (tr_apart), unless the filter holds it back.
//
//go:linkname taskinstr_check
//go:nosplit
func taskinstr_check(t *ti_Task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	gp := getg()
	a, kind := tr_apart(p, kind)
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) {
		return
	}
	if n < 64 && tr_filtered(t, a, n, kind) {
		return // instrumented code outside of loops does not test the filter itself
	}
	probe := tr_engine.Probe(t, a, n, ra_Kind(kind))
	if probe == ra_Covered {
		tr_giveWay(gp)
		return
	}
	pc := sys.GetCallerPC()
	if tr_sited {
		tr_siteAt(gp, a, n, kind, pc, s)
		probe = tr_engine.Probe(t, a, n, ra_Kind(kind)) // others may have run
	}
	fp := getfp()
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); probe == ra_Open && w != nil && tr_engine.Ready(t, ra_Kind(kind)) {
		up := *(*uintptr)(unsafe.Pointer(fp))
		if w.act == t.Act && w.off == gp.stack.hi-up && w.pc == *(*uintptr)(unsafe.Pointer(up + 8)) ||
			framepointer_enabled && tr_stackKnown(gp, t, w, up) {
			if tr_engine.Quick(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
				tr_giveWay(gp)
				return
			}
			probe = ra_Unknown // only Access is left
		}
	}
	if !tr_owned(a) || t == tr_idleTask() || n == 0 {
		return
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, probe)
}

// taskinstr_checks records count accesses of n bytes each, stride bytes apart, the first at p.
//
//go:linkname taskinstr_checks
//go:nosplit
func taskinstr_checks(t *ti_Task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32) {
	gp := getg()
	a, kind := tr_apart(p, kind)
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) || !tr_owned(a) || t == tr_idleTask() || n == 0 {
		return
	}
	if stride == n { // neighbours, with a stride that is known at run time only
		n, count = n*count, 1
	}
	for n < 64 && tr_filtered(t, a, n, kind) {
		if count--; count == 0 {
			return
		}
		a += stride
	}
	pc := sys.GetCallerPC()
	if tr_sited {
		tr_siteAt(gp, a, stride*(count-1)+n, kind, pc, s)
	}
	off := gp.stack.hi - getfp()
	for count > 0 {
		var done uintptr
		systemstack(func() { done = tr_recordEach(gp, t, a, n, stride, count, kind, pc, off, s) })
		a += done * stride
		count -= done
		tr_sweepIfDue(gp)
		tr_giveWay(gp)
	}
}

// tr_recordMost is the number of accesses that tr_recordEach passes at most: the goroutine
// cannot be preempted meanwhile.
const tr_recordMost = 4096

// tr_recordEach passes a row of accesses to the engine (see taskinstr_checks). It returns how
// many it has passed; it stops early if a sweep is due.
func tr_recordEach(gp *g, t *ti_Task, a, n, stride, count, kind, pc, off uintptr, s *uint32) (done uintptr) {
	stack := tr_stackHere(gp, t, off)
	k, site := ra_Kind(kind), uintptr(unsafe.Pointer(s))
	count = min(count, tr_recordMost)
	for {
		quick := tr_engine.QuickEach(t, a, n, stride, count-done, k, site, pc, stack)
		a += quick * stride
		if done += quick; done == count {
			return done
		}
		if probe := tr_engine.Probe(t, a, n, k); probe != ra_Covered {
			tr_recordIn(t, a, n, kind, pc, stack, s, probe)
		}
		a += stride
		if done++; done == count || tr_engine.NeedSweep() {
			return done
		}
	}
}

// taskinstr_check1 is taskinstr_enter and taskinstr_check in one, for functions with a
// single check.
//
//go:linkname taskinstr_check1
//go:nosplit
func taskinstr_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	a, kind := tr_apart(p, kind)
	if t == nil || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || tr_engine.Alone(t) || !tr_owned(a) || n == 0 {
		return
	}
	if n < 64 && tr_filtered(t, a, n, kind) {
		return
	}
	probe := tr_engine.Probe(t, a, n, ra_Kind(kind))
	if probe == ra_Covered {
		return
	}
	t.Act++
	pc := sys.GetCallerPC()
	if tr_sited {
		tr_siteAt(gp, a, n, kind, pc, s)
		probe = tr_engine.Probe(t, a, n, ra_Kind(kind)) // others may have run
	}
	fp := getfp()
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); probe == ra_Open && w != nil && tr_engine.Ready(t, ra_Kind(kind)) &&
		framepointer_enabled && tr_stackKnown(gp, t, w, *(*uintptr)(unsafe.Pointer(fp))) {
		if tr_engine.Quick(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
			tr_giveWay(gp)
			return
		}
		probe = ra_Unknown
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, probe)
}

// tr_roomForHook reports whether gp may call tr_quickHook, and its stack need not grow for that.
//
//go:nosplit
func tr_roomForHook(gp *g) bool {
	return framepointer_enabled && !gp.throwsplit && getfp()-gp.stack.lo > stackGuard+512
}

// tr_hookCalls is the number of calls inside the runtime among which tr_quickHook looks for the program's.
const tr_hookCalls = 6

// tr_quickHook is tr_recordHere on the task's own stack, for an access that the runtime makes for a
// call of the program's at callerpc. If pc is callerpc, the access counts as the program's own at that
// call. tr_quickHook returns false, having recorded nothing, if the task's stack does not suffice. It is
// not nosplit, because the stack that all callers leave would be too small.
//
//go:noinline
func tr_quickHook(gp *g, t *ti_Task, a, n, kind, callerpc, pc, off uintptr, s *uint32) bool {
	fp := gp.stack.hi - off
	for calls := 0; *(*uintptr)(unsafe.Pointer(fp + 8)) != callerpc; calls++ {
		up := *(*uintptr)(unsafe.Pointer(fp))
		if calls == tr_hookCalls || up <= fp || up >= gp.stack.hi-16 {
			return false
		}
		fp = up
	}
	if callerpc == pc { // the program's own access, in the function of that call
		up := *(*uintptr)(unsafe.Pointer(fp))
		if up <= fp || up >= gp.stack.hi-16 {
			return false
		}
		fp = up
	}
	return tr_quickFrom(gp, t, a, n, kind, pc, fp, s)
}

// tr_quickFrom is tr_recordHere on the task's own stack for an access whose context begins with the
// frame at fp. Like tr_quickHook, it is not nosplit, and returns false if that does not suffice.
//
//go:noinline
func tr_quickFrom(gp *g, t *ti_Task, a, n, kind, pc, fp uintptr, s *uint32) bool {
	w := (*tr_walk)(unsafe.Pointer(t.Host))
	// The goroutine may have been preempted since the caller looked at the history.
	return w != nil && tr_engine.Ready(t, ra_Kind(kind)) && tr_stackKnown(gp, t, w, fp) &&
		tr_engine.Probe(t, a, n, ra_Kind(kind)) == ra_Open &&
		tr_engine.Quick(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur)
}

// tr_filtered reports whether t's filter holds back an access.
//
//go:nosplit
func tr_filtered(t *ti_Task, a, n, kind uintptr) bool { return t.Filtered(a, n, ra_Kind(kind)) }

// tr_filteredLoad is tr_filtered for an atomic load.
//
//go:nosplit
func tr_filteredLoad(t *ti_Task, a, n uintptr) bool { return t.FilteredLoad(a, n) }

// tr_repeats reports whether the history shows that the check of an access repeats an earlier one
// of the task's present step.
//
//go:nosplit
func tr_repeats(t *ti_Task, a, n, kind uintptr) bool {
	return n < 64 && tr_filtered(t, a, n, kind) || tr_engine.Probe(t, a, n, ra_Kind(kind)) == ra_Covered
}
