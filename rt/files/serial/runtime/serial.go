//go:build taskinstr_runtime

// What the detectors of serial execution ask of their host, as package runtime gives it,
// besides what package detector asks.

package runtime

import "unsafe"

func ti_hostClear(p unsafe.Pointer, n uintptr) { memclrNoHeapPointers(p, n) }

func ti_hostEqual(p, q unsafe.Pointer, n uintptr) bool { return memequal(p, q, n) }
