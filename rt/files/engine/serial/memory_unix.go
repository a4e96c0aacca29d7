//go:build taskinstr_runtime

package runtime

import "unsafe"

// se_hostMap returns n zero bytes of addresses that get memory when they are written
// to. Where addresses are limited (ulimit -v) there are not enough.
func se_hostMap(n uintptr) unsafe.Pointer {
	p, err := mmap(nil, n, _PROT_READ|_PROT_WRITE, _MAP_ANON|_MAP_PRIVATE|tr_noReserve, -1, 0)
	if err != 0 {
		print("taskinstr: cannot set ", n>>20, " MB of addresses aside for the race detector, which gives them memory as it needs it.\n",
			"Raise the limit on addresses (ulimit -v), or build without -detector.\n")
		exit(tr_exitMemory)
	}
	return p
}

// se_hostZero makes pages zero and gives their memory back.
func se_hostZero(p unsafe.Pointer, n uintptr) {
	tr_mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_FIXED|tr_noReserve)
}
