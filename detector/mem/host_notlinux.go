//go:build !taskinstr_runtime && unix && !linux

package mem

import "unsafe"

const noReserve = 0

// Release makes memory zero again and keeps it: on systems other than Linux the advice that
// returns memory need not zero it.
func Release(p unsafe.Pointer, n uintptr) { clear(bytesAt(p, n)) }

// Huge asks the system to use large pages for a range of committed memory.
func Huge(p unsafe.Pointer, n uintptr) {}
