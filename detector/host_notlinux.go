//go:build !taskinstr_runtime && unix && !linux

package detector

import "unsafe"

// hostRelease makes committed memory zero again. It is kept: elsewhere than on
// Linux the advice that gives it back need not zero it.
func hostRelease(p unsafe.Pointer, n uintptr) { clear(hostBytes(p, n)) }
