//go:build !taskinstr_runtime && unix && !linux

package parallel

import "unsafe"

// hostRelease makes committed memory zero again and keeps it: on systems other than Linux
// the advice that returns memory need not zero it.
func hostRelease(p unsafe.Pointer, n uintptr) { clear(hostBytes(p, n)) }

// hostHuge asks the system to use large pages for a range of committed memory.
func hostHuge(p unsafe.Pointer, n uintptr) {}
