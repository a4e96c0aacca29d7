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

// hostHuge asks the system to use large pages for a range of committed memory. It should
// replace the small pages in use among the first used bytes.
func hostHuge(p unsafe.Pointer, n, used uintptr) {
	b := hostBytes(p, n)
	syscall.Madvise(b, syscall.MADV_HUGEPAGE)
	if used != 0 {
		const collapse = 25 // MADV_COLLAPSE, since Linux 6.1
		syscall.Madvise(b[:used], collapse)
	}
}
