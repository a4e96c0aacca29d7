//go:build taskinstr_runtime

// The functions of package internal/race, implemented in package runtime.

package race

import (
	"internal/abi"
	"unsafe"
)

const Enabled = true

//go:linkname Acquire
func Acquire(addr unsafe.Pointer)

//go:linkname Release
func Release(addr unsafe.Pointer)

//go:linkname ReleaseMerge
func ReleaseMerge(addr unsafe.Pointer)

//go:linkname Disable
func Disable()

//go:linkname Enable
func Enable()

//go:linkname Read
func Read(addr unsafe.Pointer)

//go:linkname ReadPC
func ReadPC(addr unsafe.Pointer, callerpc, pc uintptr)

//go:linkname ReadObjectPC
func ReadObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr)

//go:linkname Write
func Write(addr unsafe.Pointer)

//go:linkname WritePC
func WritePC(addr unsafe.Pointer, callerpc, pc uintptr)

//go:linkname WriteObjectPC
func WriteObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr)

//go:linkname ReadRange
func ReadRange(addr unsafe.Pointer, len int)

//go:linkname WriteRange
func WriteRange(addr unsafe.Pointer, len int)

//go:linkname Errors
func Errors() int

// Scheduled says that a schedule has scheduling points (docs/design/schedule.md).
//
//go:linkname Scheduled runtime.tr_scheduled
var Scheduled bool

// Noted says that a verdict or a trace needs the calls of Trying.
//
//go:linkname Noted runtime.tr_noted
var Noted bool

// Trying announces that the calling goroutine tries to take a lock without waiting.
//
//go:linkname Trying
func Trying()

// Put announces that the calling goroutine is about to put x into a Pool.
//
//go:linkname Put
func Put(x any)

// Got orders the calling goroutine, which a Pool gives x, after the Put of x. If nothing else orders the two tasks, Got returns false for
// a quarter of the objects, and orders nothing: the Pool drops such an object.
//
//go:linkname Got
func Got(x any) bool

// Drops reports whether a Pool drops the object that is about to be put. Only traces and schedules drop objects at Put.
//
//go:linkname Drops
func Drops() bool

// Counting announces that the calling goroutine is about to add n to the WaitGroup at addr.
//
//go:linkname Counting
func Counting(addr unsafe.Pointer, n int)

// Waiting announces that the calling goroutine is about to wait for the WaitGroup at addr.
//
//go:linkname Waiting
func Waiting(addr unsafe.Pointer)

// Locking announces that the calling goroutine is about to take the lock at addr or, with
// try, to attempt it.
//
//go:linkname Locking
func Locking(addr unsafe.Pointer, shared, try bool)

// Lock announces that the calling goroutine has taken the lock at addr.
//
//go:linkname Lock
func Lock(addr unsafe.Pointer, shared bool)

// Unlock announces that the calling goroutine is about to give up the lock at addr.
//
//go:linkname Unlock
func Unlock(addr unsafe.Pointer, shared bool)
