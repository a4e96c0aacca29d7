//go:build !taskinstr_runtime

package mem

import (
	"syscall"
	"unsafe"
)

// noReserve has the system count no memory for a range until its pages are written.
const noReserve = syscall.MAP_NORESERVE

// Release makes memory zero again and returns it to the system.
func Release(p unsafe.Pointer, n uintptr) {
	if b := bytesAt(p, n); syscall.Madvise(b, syscall.MADV_DONTNEED) != nil {
		clear(b)
	}
}

// Huge asks the system to use large pages for a range of committed memory.
func Huge(p unsafe.Pointer, n uintptr) { syscall.Madvise(bytesAt(p, n), syscall.MADV_HUGEPAGE) }
