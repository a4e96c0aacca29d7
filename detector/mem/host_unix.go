//go:build !taskinstr_runtime && unix

package mem

import (
	"sync"
	"syscall"
	"unsafe"
)

func mmap(n uintptr, prot, flags int) unsafe.Pointer {
	b, err := syscall.Mmap(-1, 0, int(n), prot, syscall.MAP_ANON|syscall.MAP_PRIVATE|flags)
	if err != nil {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

// manyAddresses is several times what the tables of an engine reserve.
const manyAddresses = 16 << 40

// Share returns the share of the engine's limit n that the process has addresses for: all of it,
// unless its addresses are limited (ulimit -v). A test under an emulator that keeps data on each
// reserved page needs such a limit.
func Share(n uintptr) uintptr { return n >> addressBits() }

// addressBits returns the binary logarithm of 1 divided by the share.
var addressBits = sync.OnceValue(func() (bits int) {
	for ; ; bits++ {
		b, err := syscall.Mmap(-1, 0, manyAddresses>>bits, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
		if err == nil {
			syscall.Munmap(b)
			return bits
		}
		if bits == 20 {
			panic("taskinstr: no addresses for the race detector: " + err.Error())
		}
	}
})

// Map returns n zero bytes, page-aligned, whose pages get memory when they are written.
func Map(n uintptr) unsafe.Pointer {
	return mmap(n, syscall.PROT_READ|syscall.PROT_WRITE, noReserve)
}

// Reserve reserves an address range without memory behind it.
func Reserve(n uintptr) unsafe.Pointer { return mmap(n, syscall.PROT_NONE, 0) }

// Commit puts zero memory behind a part of a reserved range.
func Commit(p unsafe.Pointer, n uintptr) {
	if err := syscall.Mprotect(bytesAt(p, n), syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
}

// Free gives a whole range from Map or Reserve back.
func Free(p unsafe.Pointer, n uintptr) {
	if err := syscall.Munmap(bytesAt(p, n)); err != nil {
		panic("taskinstr: unmapping: " + err.Error())
	}
}
