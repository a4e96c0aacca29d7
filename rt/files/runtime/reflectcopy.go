//go:build taskinstr_runtime

package runtime

import (
	"internal/abi"
	"internal/runtime/sys"
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
