//go:build taskinstr_runtime

// Memory of the detector, on systems with mmap.
//
// The engine's tables are reserved as address ranges at the start and get memory as they
// grow. If the address space of the process is limited (ulimit -v) they cannot be
// reserved. Then the tables are placed at addresses that nothing else is expected to use,
// and only the parts with memory are mapped.

package runtime

import "unsafe"

const (
	// tr_spaceProbe is more than all tables together reserve, and leaves enough for the
	// program.
	tr_spaceProbe = 4 << 40
	// tr_spaceBase is the place of tables that could not be reserved: above the addresses
	// of Go's heap, below the addresses that the system hands out from the top.
	tr_spaceBase = 1 << 45
	// tr_spaceShadow is more than a table has: a range from this size on is the shadow of all addresses.
	tr_spaceShadow = 1 << 40
	// tr_spaceAlign is the alignment of such tables.
	tr_spaceAlign = 1 << 20
)

var tr_space struct {
	probed bool
	next   uintptr // address of the next table that is not reserved; 0: all are reserved
}

func tr_mmap(v unsafe.Pointer, n uintptr, prot, flags int32) unsafe.Pointer {
	p, err := mmap(v, n, prot, _MAP_ANON|_MAP_PRIVATE|flags, -1, 0)
	if err != 0 {
		tr_noMemory(n)
	}
	return p
}

// tr_alloc returns n zero bytes.
//
//go:noinline
func tr_alloc(n uintptr) unsafe.Pointer {
	p := tr_mmap(nil, n, _PROT_READ|_PROT_WRITE, 0)
	tr_gotMemory(n)
	return p
}

// me_Free returns n bytes from tr_alloc.
func me_Free(p unsafe.Pointer, n uintptr) {
	munmap(p, n)
	tr_gotMemory(-n)
}

// me_Reserve reserves an address range without memory behind it.
func me_Reserve(n uintptr) unsafe.Pointer {
	s := &tr_space
	if !s.probed {
		s.probed = true
		if p, err := mmap(nil, tr_spaceProbe, _PROT_NONE, _MAP_ANON|_MAP_PRIVATE, -1, 0); err == 0 {
			munmap(p, tr_spaceProbe)
		} else if p := unsafe.Pointer(uintptr(tr_spaceBase)); tr_mmap(p, physPageSize, _PROT_NONE, 0) == p {
			munmap(p, physPageSize)
			s.next = tr_spaceBase
		} // else the system has fewer addresses, and the tables are reserved after all
	}
	if s.next == 0 {
		return tr_mmap(nil, n, _PROT_NONE, 0)
	}
	p := s.next
	s.next += alignUp(n, tr_spaceAlign)
	return unsafe.Pointer(p)
}

// tr_commit makes a part of a reserved range zeroed memory. It returns the error of the system.
func tr_commit(p unsafe.Pointer, n uintptr) int {
	flags := int32(_MAP_FIXED)
	if a := uintptr(p); a >= tr_spaceBase && a < tr_space.next {
		flags = 0 // do not replace an existing mapping
	}
	q, err := mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_ANON|_MAP_PRIVATE|tr_noReserve|flags, -1, 0)
	if err == 0 && q != p {
		print("taskinstr: the race detector's memory cannot grow at ", p, ", where something else lies.\n",
			"Raise the limit on addresses (ulimit -v), so that it can be set aside at the start.\n")
		exit(tr_exitMemory)
	}
	return err
}

// me_Commit puts zeroed memory behind a part of a reserved range.
func me_Commit(p unsafe.Pointer, n uintptr) {
	if tr_commit(p, n) != 0 {
		tr_noMemory(n)
	}
	tr_gotMemory(n)
}

// me_Map returns n zero bytes of addresses that get memory when they are written to.
func me_Map(n uintptr) unsafe.Pointer {
	p := me_Reserve(n)
	switch err := tr_commit(p, n); {
	case err == 0:
	case n < tr_spaceShadow:
		tr_noMemory(n)
	default:
		print("taskinstr: cannot set ", n>>20, " MB of addresses aside for the race detector, which gives them memory as it needs it.\n",
			"Raise the limit on addresses (ulimit -v), or build without -detector.\n")
		exit(tr_exitMemory)
	}
	return p
}

// me_Release makes committed memory zero again and returns it to the system.
func me_Release(p unsafe.Pointer, n uintptr) {
	tr_mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_FIXED|tr_noReserve)
}
