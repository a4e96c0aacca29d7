//go:build !taskinstr_runtime && windows

package mem

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

func virtual(p unsafe.Pointer, n, how uintptr) unsafe.Pointer {
	r, _, err := virtualAlloc.Call(uintptr(p), n, how, readWrite)
	if r == 0 {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
	return unsafe.Add(nil, r)
}

// Share returns the share of the engine's limit n that the process has addresses for.
func Share(n uintptr) uintptr { return n }

// Map returns n zero bytes, page-aligned. Windows counts them all at once, so an engine of serial
// execution needs a small Options.Space.
func Map(n uintptr) unsafe.Pointer { return virtual(nil, n, memCommit|memReserve) }

// Reserve reserves an address range without memory behind it.
func Reserve(n uintptr) unsafe.Pointer { return virtual(nil, n, memReserve) }

// Commit puts zero memory behind a part of a reserved range.
func Commit(p unsafe.Pointer, n uintptr) { virtual(p, n, memCommit) }

// Huge asks the system to use large pages for a range of committed memory.
func Huge(p unsafe.Pointer, n uintptr) {}

// Release makes committed memory zero again and returns it to the system.
func Release(p unsafe.Pointer, n uintptr) {
	virtualFree.Call(uintptr(p), n, memDecommit)
	Commit(p, n)
}

// Free gives a whole range from Map or Reserve back.
func Free(p unsafe.Pointer, n uintptr) { virtualFree.Call(uintptr(p), 0, memRelease) }
