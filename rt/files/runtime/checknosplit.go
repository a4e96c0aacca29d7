//go:build taskinstr_runtime

package runtime

import (
	"internal/goarch"
	"unsafe"
)

// taskinstr_checkn is the check of functions marked go:nosplit. Such a function may hold
// values that a moved stack or a collection would lose, so the check does all its work on
// the system stack and leaves sweeping to other checks. The linker allows 800 bytes of
// stack for chains of such functions. On arm64, and on amd64 without the compiler's
// optimizations, reflect.methodValueCall comes within 8 bytes of that limit. So the
// closure captures nothing that it can find again on the system stack.
//
//go:linkname taskinstr_checkn
//go:nosplit
func taskinstr_checkn(p unsafe.Pointer, n uintptr, kind uintptr, s *uint32) {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	a := uintptr(p)
	if t == nil || gp != gp.m.curg || a-gp.stack.lo < gp.stack.hi-gp.stack.lo || !tr_owned(a) || n == 0 {
		return
	}
	t.Act++
	systemstack(func() {
		gp := getg().m.curg
		fp := gp.sched.bp // of this function's frame, with its return address beside it
		pc := *(*uintptr)(unsafe.Pointer(fp + goarch.PtrSize))
		tr_recordHere(gp, (*ti_Task)(unsafe.Pointer(gp.racectx)), a, n, kind, 0, pc, gp.stack.hi-fp, s, ra_Unknown)
	})
}
