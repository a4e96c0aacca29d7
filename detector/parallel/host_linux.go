//go:build !taskinstr_runtime

package parallel

import (
	"syscall"
	"unsafe"
)

// hostRelease makes committed memory zero again and returns it to the system.
func hostRelease(p unsafe.Pointer, n uintptr) {
	if b := hostBytes(p, n); syscall.Madvise(b, syscall.MADV_DONTNEED) != nil {
		clear(b)
	}
}

// hostHuge asks the system to use large pages for a range of committed memory.
func hostHuge(p unsafe.Pointer, n uintptr) {
	syscall.Madvise(hostBytes(p, n), syscall.MADV_HUGEPAGE)
}
