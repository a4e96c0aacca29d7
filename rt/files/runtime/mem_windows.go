//go:build taskinstr_runtime

// Memory of the detector on Windows, from the runtime's own layer, which ends the program
// if there is none.

package runtime

import "unsafe"

// ti_hostAlloc returns n zero bytes.
func ti_hostAlloc(n uintptr) unsafe.Pointer {
	p := sysAllocOS(n, "taskinstr")
	if p == nil {
		tr_noMemory(n)
	}
	tr_gotMemory(n)
	return p
}

// ti_hostFree returns n bytes from ti_hostAlloc.
func ti_hostFree(p unsafe.Pointer, n uintptr) {
	sysFreeOS(p, n)
	tr_gotMemory(-n)
}

// ti_hostReserve reserves an address range without memory behind it.
func ti_hostReserve(n uintptr) unsafe.Pointer {
	p := sysReserveOS(nil, n, "taskinstr")
	if p == nil {
		tr_noMemory(n)
	}
	return p
}

// ti_hostCommit puts zeroed memory behind a part of a reserved range.
func ti_hostCommit(p unsafe.Pointer, n uintptr) {
	sysUsedOS(p, n)
	tr_gotMemory(n)
}

// ti_hostRelease makes committed memory zero again and returns it to the system.
func ti_hostRelease(p unsafe.Pointer, n uintptr) {
	sysUnusedOS(p, n)
	sysUsedOS(p, n)
}
