//go:build taskinstr_runtime

// The functions of package internal/race, as package runtime provides them.

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

// Scheduled says that a schedule has points (docs/schedule.md).
//
//go:linkname Scheduled runtime.tr_scheduled
var Scheduled bool

// Noted says that a verdict or a trace wants to know of what may fail.
//
//go:linkname Noted runtime.tr_noted
var Noted bool

// Trying says that the calling goroutine takes a lock if that is free.
//
//go:linkname Trying
func Trying()

// Point is where a schedule may let another goroutine run.
//
//go:linkname Point
func Point()

// Locking says that the calling goroutine is about to take the lock at addr, or tries to.
//
//go:linkname Locking
func Locking(addr unsafe.Pointer, shared, try bool)

// Lock says that the calling goroutine has taken the lock at addr.
//
//go:linkname Lock
func Lock(addr unsafe.Pointer, shared bool)

// Unlock says that the calling goroutine is about to give the lock at addr up.
//
//go:linkname Unlock
func Unlock(addr unsafe.Pointer, shared bool)
