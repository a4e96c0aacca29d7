//go:build taskinstr_runtime

// The functions that the detector needs from its host, in package runtime.

package runtime

import (
	"internal/runtime/atomic"
	"unsafe"
)

//go:nosplit
func ti_load32(p *uint32) uint32 { return atomic.Load(p) }

//go:nosplit
func ti_store32(p *uint32, v uint32) { atomic.Store(p, v) }

//go:nosplit
func ti_cas32(p *uint32, old, new uint32) bool { return atomic.Cas(p, old, new) }

//go:nosplit
func ti_add32(p *uint32, d uint32) uint32 { return atomic.Xadd(p, int32(d)) }

//go:nosplit
func ti_load64(p *uint64) uint64 { return atomic.Load64(p) }

//go:nosplit
func ti_store64(p *uint64, v uint64) { atomic.Store64(p, v) }

//go:nosplit
func ti_cas64(p *uint64, old, new uint64) bool { return atomic.Cas64(p, old, new) }

//go:nosplit
func ti_add64(p *uint64, d uint64) uint64 { return atomic.Xadd64(p, int64(d)) }

// ti_hostFence orders the caller's earlier stores before its later ones. The processors of amd64 keep
// stores in order, and the compiler does, too.
//
//go:nosplit
func ti_hostFence() {
	if GOARCH != "amd64" {
		publicationBarrier()
	}
}

// ti_hostShare returns the share of the detector's limit n that the process has addresses for: all of it,
// see ti_hostReserve.
//
//go:nosplit
func ti_hostShare(n uintptr) uintptr { return n }

// ti_hostYield is called in spin loops. Go never deschedules the holder of a detector
// lock; only the operating system does.
func ti_hostYield(spins uint32) {
	if spins < 64 {
		procyield(10)
	} else {
		osyield()
	}
}

// ti_hostPause is called between the attempts of quickLockSeq, on any stack.
//
//go:nosplit
func ti_hostPause() { procyield(4) }

func tr_spinLock(l *uint32) {
	for n := uint32(0); !atomic.Cas(l, 0, 1); n++ {
		ti_hostYield(n)
	}
}

func tr_spinUnlock(l *uint32) { atomic.Store(l, 0) }

// ti_hostHuge asks the system to use large pages for a range of committed memory.
func ti_hostHuge(p unsafe.Pointer, n uintptr) { sysHugePageOS(p, n) }

// tr_exitMemory is the exit code of a program whose detector could not get memory.
const tr_exitMemory = 67

// tr_memory is the number of bytes that the detector has got.
var tr_memory uint64

func tr_gotMemory(n uintptr) { atomic.Xadd64(&tr_memory, int64(n)) }

// tr_noMemory ends the program, because a detector without memory would silently miss
// races.
func tr_noMemory(n uintptr) {
	print("taskinstr: cannot get ", n, " bytes of memory for the race detector, which has got ", atomic.Load64(&tr_memory), " bytes so far.\n",
		"The history of accesses takes up to a few times the memory that the program's tasks share.\n",
		"Raise the memory limit (ulimit -v, cgroup), make the input smaller, or leave packages out with -pkgs=PATTERNS.\n")
	exit(tr_exitMemory)
}

// ti_hostProc returns the number, from 1, of the processor on which the caller acts for t.
//
//go:nosplit
func ti_hostProc(t *ti_Task) uint32 { return uint32(getg().m.p.ptr().id) + 1 }

// ti_hostExhausted ends the program because one of the engine's tables is full.
func ti_hostExhausted(what string) {
	print("taskinstr: the race detector's table of ", what, " is full.\n",
		"Make the input smaller, or leave packages out with -pkgs=PATTERNS.\n")
	exit(tr_exitMemory)
}
