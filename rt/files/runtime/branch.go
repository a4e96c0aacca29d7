//go:build taskinstr_runtime

// Branch events of programs built with -branches=on. Traces contain them, and lines of a
// schedule's record may end at them.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

// taskinstr_branch reports the side that the caller takes at the branch with site s:
// taken is 1 if the condition holds, else 0.
//
//go:linkname taskinstr_branch
//go:nosplit
func taskinstr_branch(s *uint32, taken uintptr) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil || gp != gp.m.curg {
		return
	}
	if tr_tracing {
		t.Act++
		pc, off := sys.GetCallerPC(), gp.stack.hi-getfp()
		systemstack(func() { tr_traceBranch(gp, t, taken != 0, pc, off, s) })
	}
	if tr_points == sc_PointsStops && tr_canPass(gp) {
		tr_stop(gp, (*sc_Replay).Deciding)
	}
}

// taskinstr_possible reports that the other side of the branch would have accessed n
// bytes at p, under the locks at a, b and c in addition to the held ones. An address 0
// means none; bit 0 marks a shared lock.
//
//go:linkname taskinstr_possible
//go:nosplit
func taskinstr_possible(p unsafe.Pointer, n, kind uintptr, s *uint32, a, b, c uintptr) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if !tr_tracing || t == nil || gp != gp.m.curg || n == 0 || !tr_owned(uintptr(p)) || uintptr(p)-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return
	}
	t.Act++
	pc, off := sys.GetCallerPC(), gp.stack.hi-getfp()
	systemstack(func() {
		tr_tracePossible(gp, t, uintptr(p), n, kind, pc, off, s, [...]uintptr{a, b, c})
	})
}
