//go:build taskinstr_runtime

// Memory of the detector, on systems with mmap.

package runtime

import "unsafe"

func tr_mmap(v unsafe.Pointer, n uintptr, prot, flags int32) unsafe.Pointer {
	p, err := mmap(v, n, prot, _MAP_ANON|_MAP_PRIVATE|flags, -1, 0)
	if err != 0 {
		tr_noMemory(n)
	}
	return p
}

// ti_hostAlloc returns n zero bytes.
func ti_hostAlloc(n uintptr) unsafe.Pointer {
	return tr_mmap(nil, n, _PROT_READ|_PROT_WRITE, 0)
}

func ti_hostFree(p unsafe.Pointer, n uintptr) { munmap(p, n) }

// ti_hostReserve sets an address range aside without any memory behind it.
func ti_hostReserve(n uintptr) unsafe.Pointer {
	return tr_mmap(nil, n, _PROT_NONE, 0)
}

// ti_hostCommit puts zeroed memory behind a part of a reserved range.
func ti_hostCommit(p unsafe.Pointer, n uintptr) {
	tr_mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_FIXED)
}

// ti_hostRelease makes committed memory zero again and gives it back.
func ti_hostRelease(p unsafe.Pointer, n uintptr) {
	tr_mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_FIXED)
}
