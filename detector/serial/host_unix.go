//go:build !taskinstr_runtime && unix

package serial

import (
	"syscall"
	"unsafe"
)

// hostMap returns n zero bytes of addresses, page-aligned, that get memory when they
// are written to.
func hostMap(n uintptr) unsafe.Pointer {
	return mmap(0, n, syscall.MAP_ANON|syscall.MAP_PRIVATE|noReserve)
}

// hostZero makes pages zero again and gives their memory back.
func hostZero(p unsafe.Pointer, n uintptr) {
	mmap(uintptr(p), n, syscall.MAP_ANON|syscall.MAP_PRIVATE|noReserve|syscall.MAP_FIXED)
}

func hostFree(p unsafe.Pointer, n uintptr) {
	syscall.Syscall(syscall.SYS_MUNMAP, uintptr(p), n, 0)
}

func mmap(at, n uintptr, flags int) unsafe.Pointer {
	p, _, err := syscall.Syscall6(syscall.SYS_MMAP, at, n, syscall.PROT_READ|syscall.PROT_WRITE, uintptr(flags), ^uintptr(0), 0)
	if err != 0 {
		panic("serial detector: cannot set memory aside: " + err.Error())
	}
	return unsafe.Add(nil, p)
}
