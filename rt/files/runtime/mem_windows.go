//go:build taskinstr_runtime

// Memory of the detector on Windows, from the runtime's own layer, which ends the program
// if there is none.

package runtime

import "unsafe"

// tr_alloc returns n zero bytes.
func tr_alloc(n uintptr) unsafe.Pointer {
	p := sysAllocOS(n, "taskinstr")
	if p == nil {
		tr_noMemory(n)
	}
	tr_gotMemory(n)
	return p
}

// me_Free returns n bytes from tr_alloc.
func me_Free(p unsafe.Pointer, n uintptr) {
	sysFreeOS(p, n)
	tr_gotMemory(-n)
}

// me_Reserve reserves an address range without memory behind it.
func me_Reserve(n uintptr) unsafe.Pointer {
	p := sysReserveOS(nil, n, "taskinstr")
	if p == nil {
		tr_noMemory(n)
	}
	return p
}

// me_Commit puts zeroed memory behind a part of a reserved range.
func me_Commit(p unsafe.Pointer, n uintptr) {
	sysUsedOS(p, n)
	tr_gotMemory(n)
}

// me_Release makes committed memory zero again and returns it to the system.
func me_Release(p unsafe.Pointer, n uintptr) {
	sysUnusedOS(p, n)
	sysUsedOS(p, n)
}

// me_Map returns n zero bytes. Windows counts them all at once.
func me_Map(n uintptr) unsafe.Pointer {
	p := me_Reserve(n)
	me_Commit(p, n)
	return p
}
