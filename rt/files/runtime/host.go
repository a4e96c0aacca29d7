//go:build taskinstr_runtime

// The functions that packages mem and parallel of the detector need from their host, in package runtime. The memory
// of the system is in mem_unix.go and mem_windows.go.

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

//go:nosplit
func me_Load32(p *uint32) uint32 { return atomic.Load(p) }

//go:nosplit
func me_Store32(p *uint32, v uint32) { atomic.Store(p, v) }

//go:nosplit
func me_Cas32(p *uint32, old, new uint32) bool { return atomic.Cas(p, old, new) }

//go:nosplit
func me_Add32(p *uint32, d uint32) uint32 { return atomic.Xadd(p, int32(d)) }

//go:nosplit
func me_Load64(p *uint64) uint64 { return atomic.Load64(p) }

//go:nosplit
func me_Store64(p *uint64, v uint64) { atomic.Store64(p, v) }

//go:nosplit
func me_Cas64(p *uint64, old, new uint64) bool { return atomic.Cas64(p, old, new) }

//go:nosplit
func me_Add64(p *uint64, d uint64) uint64 { return atomic.Xadd64(p, int64(d)) }

// me_Fence orders the caller's earlier stores before its later ones. The processors of amd64 keep
// stores in order, and the compiler does, too.
//
//go:nosplit
func me_Fence() {
	if GOARCH != "amd64" {
		publicationBarrier()
	}
}

// me_Clear makes n bytes at p zero.
func me_Clear(p unsafe.Pointer, n uintptr) { memclrNoHeapPointers(p, n) }

// me_Share returns the share of the detector's limit n that the process has addresses for: all of it,
// see me_Reserve.
//
//go:nosplit
func me_Share(n uintptr) uintptr { return n }

// me_Yield is called in spin loops. Go never deschedules the holder of a detector
// lock; only the operating system does.
func me_Yield(spins uint32) {
	if spins < 64 {
		procyield(10)
	} else {
		osyield()
	}
}

// me_Pause is called between the attempts of QuickLockSeq, on any stack.
//
//go:nosplit
func me_Pause() { procyield(4) }

// me_Prefetch asks the processor to load the memory at p into its caches. There need not be any.
//
//go:nosplit
func me_Prefetch(p unsafe.Pointer) { sys.Prefetch(uintptr(p)) }

// me_Huge asks the system to use large pages for a range of committed memory.
func me_Huge(p unsafe.Pointer, n uintptr) { sysHugePageOS(p, n) }

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

// me_Exhausted ends the program because one of the engine's tables is full.
func me_Exhausted(what string) {
	print("taskinstr: the race detector's table of ", what, " is full.\n",
		"Make the input smaller, or leave packages out with -pkgs=PATTERNS.\n")
	exit(tr_exitMemory)
}
