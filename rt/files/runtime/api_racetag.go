//go:build taskinstr_runtime

// The exported race API, present if the build tag race is set.

package runtime

import (
	"internal/runtime/sys"
	"unsafe"
)

// RaceRead checks a read of the byte at addr.
func RaceRead(addr unsafe.Pointer) {
	tr_access(addr, 1, tr_read, 0, sys.GetCallerPC(), nil)
}

// RaceWrite checks a write of the byte at addr.
func RaceWrite(addr unsafe.Pointer) {
	tr_access(addr, 1, tr_write, 0, sys.GetCallerPC(), nil)
}

// RaceReadRange checks a read of len bytes at addr.
func RaceReadRange(addr unsafe.Pointer, len int) {
	tr_access(addr, uintptr(len), tr_read, 0, sys.GetCallerPC(), nil)
}

// RaceWriteRange checks a write of len bytes at addr.
func RaceWriteRange(addr unsafe.Pointer, len int) {
	tr_access(addr, uintptr(len), tr_write, 0, sys.GetCallerPC(), nil)
}

// RaceErrors returns the number of races reported so far.
func RaceErrors() int { return tr_raceErrors() }

// RaceAcquire orders everything that follows after the releases on addr.
//
//go:nosplit
func RaceAcquire(addr unsafe.Pointer) { raceacquire(addr) }

// RaceRelease orders everything before it before later acquires on addr, and makes addr
// forget earlier releases.
//
//go:nosplit
func RaceRelease(addr unsafe.Pointer) { racerelease(addr) }

// RaceReleaseMerge is RaceRelease that keeps earlier releases.
//
//go:nosplit
func RaceReleaseMerge(addr unsafe.Pointer) { racereleasemerge(addr) }

// RaceDisable hides the synchronization of the calling goroutine until RaceEnable. Calls
// nest. Accesses are still checked.
//
//go:nosplit
func RaceDisable() { tr_raceDisable() }

// RaceEnable undoes one RaceDisable.
//
//go:nosplit
func RaceEnable() { tr_raceEnable() }
