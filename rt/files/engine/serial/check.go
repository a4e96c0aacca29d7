//go:build taskinstr_runtime

// The entry points of instrumented code (docs/architecture.md, section 2), for a detector
// of serial execution: instrumented code and the checks look at the shadow itself.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

// tr_canTrace says that checks know of no trace.
const tr_canTrace = false

// tr_new does nothing: zeros in new memory are no access.
//
//go:nosplit
func tr_new(gp *g, a, n uintptr) bool { return false }

// tr_restock does nothing: the quick way needs no stock.
func tr_restock(t *ti_Task) {}

// tr_noteAwaits does nothing: such a sweep asks no task that waits.
func tr_noteAwaits(gp *g) {}

// tr_inexact is 0: the detector has no limit on tasks.
func tr_inexact() uint64 { return 0 }

// tr_updates is false: the detector learns of an atomic operation in several steps.
const tr_updates = false

func tr_update(gp *g, t *ti_Task, a, n, pc, off uintptr, s *uint32) {}

func tr_beginLoad(t *ti_Task, a uintptr) bool { return false }

func tr_beginStore(t *ti_Task, a uintptr) {}

//go:nosplit
func tr_endUpdate(t *ti_Task) bool { return false }

// tr_roomForHook is false: accesses by the runtime take the system stack.
//
//go:nosplit
func tr_roomForHook(gp *g) bool { return false }

func tr_quickFrom(gp *g, t *ti_Task, a, n, kind, pc, fp uintptr, s *uint32) bool { return false }

func tr_quickHook(gp *g, t *ti_Task, a, n, kind, callerpc, pc, off uintptr, s *uint32) bool {
	return false
}

// tr_initIdle makes all accesses of the idle task covered.
//
//go:nosplit
func tr_initIdle() { tr_idle.task.Hide() }

// taskinstr_check records an access of n bytes at p, unless the shadow shows that it
// leaves no trace.
//
//go:linkname taskinstr_check
//go:nosplit
func taskinstr_check(t *ti_Task, p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	a, kind := tr_apart(p, kind)
	if x, ok := t.First(a, ra_Kind(kind)); ok && (a%8+n <= 8 || t.Same(a, n, x)) {
		return
	}
	tr_checkOf(t, a, n, kind, s, sys.GetCallerPC())
}

// tr_checkOf is the part of a check that looks at more than the entries, for an access
// that calls the check at pc.
//
//go:nosplit
//go:noinline
func tr_checkOf(t *ti_Task, a, n, kind uintptr, s *uint32, pc uintptr) {
	if n == 8 && a%8 == 0 {
		if tr_engine.Again(t, a, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc) {
			return
		}
	} else if t.Pass(a, n, ra_Kind(kind)) {
		return
	}
	gp := getg()
	if a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 {
		return
	}
	tr_checkAt(gp, t, a, n, kind, s, pc, tr_outerFrame(getfp()))
}

// taskinstr_checks records count accesses of n bytes each, stride bytes apart, the first at p.
//
//go:linkname taskinstr_checks
//go:nosplit
func taskinstr_checks(t *ti_Task, p unsafe.Pointer, n, stride, count, kind uintptr, s *uint32) {
	pc := sys.GetCallerPC()
	for a, kind := tr_apart(p, kind); count > 0; a += stride {
		if x, ok := t.First(a, ra_Kind(kind)); !ok || a%8+n > 8 && !t.Same(a, n, x) {
			tr_checkOf(t, a, n, kind, s, pc)
		}
		count--
	}
}

// taskinstr_check1 is enter and check in one, for functions with a single
// check.
//
//go:linkname taskinstr_check1
//go:nosplit
func taskinstr_check1(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	t := (*ti_Task)(unsafe.Pointer(getg().racectx))
	a, kind := tr_apart(p, kind)
	if t == nil {
		return
	}
	if x, ok := t.First(a, ra_Kind(kind)); ok && (a%8+n <= 8 || t.Same(a, n, x)) {
		return
	}
	tr_check1Of(t, a, n, kind, s, sys.GetCallerPC())
}

// tr_check1Of is tr_checkOf behind taskinstr_check1.
//
//go:nosplit
//go:noinline
func tr_check1Of(t *ti_Task, a, n, kind uintptr, s *uint32, pc uintptr) {
	gp := getg()
	if t.Pass(a, n, ra_Kind(kind)) || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 {
		return
	}
	t.Act++
	tr_checkAt(gp, t, a, n, kind, s, pc, tr_outerFrame(getfp()))
}

// tr_outerFrame returns the frame of the caller of the function with the frame fp.
//
//go:nosplit
func tr_outerFrame(fp uintptr) uintptr {
	if !framepointer_enabled {
		return 0
	}
	return *(*uintptr)(unsafe.Pointer(fp))
}

// tr_checkAt is a check of memory that is the program's and shared. fp is the frame of the
// check, which the access calls at pc.
//
//go:nosplit
func tr_checkAt(gp *g, t *ti_Task, a, n, kind uintptr, s *uint32, pc, fp uintptr) {
	// The entry of a whole word is known not to cover the access; its line may.
	if (n != 8 || a%8 != 0 || tr_engine.InLine(a)) && tr_engine.Covered(t, a, n, ra_Kind(kind)) {
		return
	}
	w := (*tr_walk)(unsafe.Pointer(t.Host))
	if w == nil && gp == gp.m.curg {
		w = tr_quickWalk(t)
	}
	if w != nil && framepointer_enabled {
		up := *(*uintptr)(unsafe.Pointer(fp))
		if w.act == t.Act && w.off == gp.stack.hi-up && w.pc == *(*uintptr)(unsafe.Pointer(up + 8)) || tr_stackKnown(gp, t, w, up) {
			if tr_engine.Quick(t, a, n, ra_Kind(kind), uintptr(unsafe.Pointer(s)), pc, w.cur) {
				return
			}
		}
	}
	tr_record(gp, t, a, n, kind, pc, gp.stack.hi-fp, s, ra_Unknown)
}

// tr_filtered reports whether an access need not be looked at.
//
//go:nosplit
func tr_filtered(t *ti_Task, a, n, kind uintptr) bool {
	return tr_engine.Covered(t, a, n, ra_Kind(kind))
}

// tr_filteredLoad is tr_filtered for an atomic load.
//
//go:nosplit
func tr_filteredLoad(t *ti_Task, a, n uintptr) bool { return false }

// tr_repeats reports whether the shadow shows that the check of an access leaves no trace.
//
//go:nosplit
func tr_repeats(t *ti_Task, a, n, kind uintptr) bool { return t.Pass(a, n, ra_Kind(kind)) }
