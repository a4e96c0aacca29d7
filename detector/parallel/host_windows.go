//go:build !taskinstr_runtime && windows

package parallel

import (
	"syscall"
	"unsafe"
)

var (
	kernel32     = syscall.NewLazyDLL("kernel32.dll")
	virtualAlloc = kernel32.NewProc("VirtualAlloc")
	virtualFree  = kernel32.NewProc("VirtualFree")
)

const (
	memCommit   = 0x1000
	memReserve  = 0x2000
	memDecommit = 0x4000
	memRelease  = 0x8000
	readWrite   = 4
)

func hostVirtual(p unsafe.Pointer, n, how uintptr) unsafe.Pointer {
	r, _, err := virtualAlloc.Call(uintptr(p), n, how, readWrite)
	if r == 0 {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
	return unsafe.Add(nil, r)
}

// hostShare returns the share of the engine's limit n that the process has addresses for.
func hostShare(n uintptr) uintptr { return n }

// hostReserve reserves an address range without memory behind it.
func hostReserve(n uintptr) unsafe.Pointer { return hostVirtual(nil, n, memReserve) }

// hostCommit puts zero memory behind a part of a reserved range.
func hostCommit(p unsafe.Pointer, n uintptr) { hostVirtual(p, n, memCommit) }

// hostHuge asks the system to use large pages for a range of committed memory.
func hostHuge(p unsafe.Pointer, n uintptr) {}

// hostRelease makes committed memory zero again and returns it to the system.
func hostRelease(p unsafe.Pointer, n uintptr) {
	virtualFree.Call(uintptr(p), n, memDecommit)
	hostCommit(p, n)
}

// hostFree gives a whole reserved range back.
func hostFree(p unsafe.Pointer, n uintptr) { virtualFree.Call(uintptr(p), 0, memRelease) }
