//go:build !taskinstr_runtime && unix

package parallel

import (
	"sync"
	"syscall"
	"unsafe"
)

func hostMap(n uintptr, prot int) unsafe.Pointer {
	b, err := syscall.Mmap(-1, 0, int(n), prot, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
	return unsafe.Pointer(unsafe.SliceData(b))
}

func hostBytes(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }

// manyAddresses is several times what the tables of an engine reserve.
const manyAddresses = 16 << 40

// hostShare returns the share of the engine's limit n that the process has addresses for: all of it,
// unless its addresses are limited (ulimit -v). A test under an emulator that keeps data on each
// reserved page needs such a limit.
func hostShare(n uintptr) uintptr { return n >> addressBits() }

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

// hostReserve reserves an address range without memory behind it.
func hostReserve(n uintptr) unsafe.Pointer { return hostMap(n, syscall.PROT_NONE) }

// hostCommit puts zero memory behind a part of a reserved range.
func hostCommit(p unsafe.Pointer, n uintptr) {
	if err := syscall.Mprotect(hostBytes(p, n), syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		panic("taskinstr: no memory for the race detector: " + err.Error())
	}
}

// hostFree gives a whole reserved range back.
func hostFree(p unsafe.Pointer, n uintptr) {
	if err := syscall.Munmap(hostBytes(p, n)); err != nil {
		panic("taskinstr: unmapping: " + err.Error())
	}
}
