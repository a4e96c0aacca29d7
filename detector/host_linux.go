//go:build !taskinstr_runtime

package detector

import (
	"syscall"
	"unsafe"
)

// hostRelease makes committed memory zero again and gives it back.
func hostRelease(p unsafe.Pointer, n uintptr) {
	if b := hostBytes(p, n); syscall.Madvise(b, syscall.MADV_DONTNEED) != nil {
		clear(b)
	}
}
