//go:build !taskinstr_runtime

package serial

import (
	"syscall"
	"unsafe"
)

// hostMap cannot reserve addresses that get memory later: on Windows all n bytes have memory
// at once, so an engine needs a small Options.Space.
func hostMap(n uintptr) unsafe.Pointer { return virtualAlloc(0, n) }

func hostZero(p unsafe.Pointer, n uintptr) { hostClear(p, n) }

func hostFree(p unsafe.Pointer, n uintptr) {
	const release = 0x8000
	virtualFree.Call(uintptr(p), 0, release)
}

var (
	kernel       = syscall.NewLazyDLL("kernel32.dll")
	virtualFree  = kernel.NewProc("VirtualFree")
	virtualAlloP = kernel.NewProc("VirtualAlloc")
)

func virtualAlloc(at, n uintptr) unsafe.Pointer {
	const commit, reserve, readWrite = 0x1000, 0x2000, 4
	p, _, err := virtualAlloP.Call(at, n, commit|reserve, readWrite)
	if p == 0 {
		panic("serial detector: cannot get memory: " + err.Error())
	}
	return unsafe.Add(nil, p)
}
