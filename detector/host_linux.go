//go:build !taskinstr_runtime

package detector

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

// hostHuge asks the system to use large pages for a range of committed memory. If used is set,
// small pages are in use at the beginning of the range, and the system should replace them.
func hostHuge(p unsafe.Pointer, n uintptr, used bool) {
	b := hostBytes(p, n)
	syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	if used {
		const collapse = 25 // MADV_COLLAPSE, since Linux 6.1
		syscall.Madvise(b[:hugeChunk], collapse)
	}
}
