//go:build taskinstr_runtime

package runtime

import (
	"internal/abi"
	"internal/runtime/sys"
	"unsafe"
)

// tr_reflectCopy records the accesses of reflect.Copy, and of functions of reflect that
// use it, for elements with pointers.
//
//go:nosplit
func tr_reflectCopy(elem *_type, dst, src slice) {
	n := uintptr(min(dst.len, src.len)) * elem.Size_
	pc := abi.FuncPCABIInternal(reflect_typedslicecopy)
	callerpc := sys.GetCallerPC()
	racewriterangepc(dst.array, n, callerpc, pc)
	racereadrangepc(src.array, n, callerpc, pc)
}

// tr_reflectClear records that the function at pc, which package reflect has called at callerpc, clears n bytes at p.
//
//go:nosplit
func tr_reflectClear(p unsafe.Pointer, n, callerpc, pc uintptr) { racewriterangepc(p, n, callerpc, pc) }
