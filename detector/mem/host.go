//go:build !taskinstr_runtime

// The host of an ordinary Go program. rt/files/runtime/host.go has the same functions for package
// runtime.

package mem

import (
	"bytes"
	"runtime"
	"sync/atomic"
	"unsafe"
)

func Load32(p *uint32) uint32             { return atomic.LoadUint32(p) }
func Store32(p *uint32, v uint32)         { atomic.StoreUint32(p, v) }
func Cas32(p *uint32, old, v uint32) bool { return atomic.CompareAndSwapUint32(p, old, v) }
func Add32(p *uint32, d uint32) uint32    { return atomic.AddUint32(p, d) }
func Load64(p *uint64) uint64             { return atomic.LoadUint64(p) }
func Store64(p *uint64, v uint64)         { atomic.StoreUint64(p, v) }
func Cas64(p *uint64, old, v uint64) bool { return atomic.CompareAndSwapUint64(p, old, v) }
func Add64(p *uint64, d uint64) uint64    { return atomic.AddUint64(p, d) }

// Yield is called by a spinning thread; spins counts the rounds so far.
func Yield(spins uint32) {
	if spins > 16 {
		runtime.Gosched()
	}
}

// Pause is called between the attempts of QuickLockSeq.
func Pause() {}

// Prefetch asks the processor to load the memory at p into its caches.
func Prefetch(p unsafe.Pointer) {}

// Exhausted ends the program, because the table of elements with this name is full.
func Exhausted(plural string) {
	panic("taskinstr: the race detector's table of " + plural + " is full")
}

// Clear makes n bytes at p zero.
func Clear(p unsafe.Pointer, n uintptr) { clear(bytesAt(p, n)) }

// Equal reports whether n bytes at p and at q are equal.
func Equal(p, q unsafe.Pointer, n uintptr) bool { return bytes.Equal(bytesAt(p, n), bytesAt(q, n)) }

// Populate gives memory to pages that are about to be written. Here the system does it page by page.
func Populate(p unsafe.Pointer, n uintptr) {}

func bytesAt(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }
