//go:build taskinstr_runtime

// Memory of the detector, on systems with mmap.
//
// The engine's tables are set aside as ranges of addresses at the start and get
// memory as they grow. Where the addresses of a process are limited (ulimit -v)
// they cannot be set aside: the tables then lie where nothing else is expected
// to lie, and only what has memory behind it is mapped at all.

package runtime

import "unsafe"

const (
	// tr_spaceProbe is more than all tables together set aside, and leaves
	// enough for the program.
	tr_spaceProbe = 4 << 40
	// tr_spaceBase is where tables lie that could not be set aside: above the
	// addresses of Go's heap, below those that the system hands out from the top.
	tr_spaceBase = 1 << 45
	// tr_spaceAlign separates tables there.
	tr_spaceAlign = 1 << 20
)

var tr_space struct {
	probed bool
	next   uintptr // of the next table that is not set aside; 0: all are
}

func tr_mmap(v unsafe.Pointer, n uintptr, prot, flags int32) unsafe.Pointer {
	p, err := mmap(v, n, prot, _MAP_ANON|_MAP_PRIVATE|flags, -1, 0)
	if err != 0 {
		tr_noMemory(n)
	}
	return p
}

// ti_hostAlloc returns n zero bytes.
//
//go:noinline
func ti_hostAlloc(n uintptr) unsafe.Pointer {
	p := tr_mmap(nil, n, _PROT_READ|_PROT_WRITE, 0)
	tr_gotMemory(n)
	return p
}

// ti_hostFree takes back what ti_hostAlloc returned.
func ti_hostFree(p unsafe.Pointer, n uintptr) {
	munmap(p, n)
	tr_gotMemory(-n)
}

// ti_hostReserve sets an address range aside without any memory behind it.
func ti_hostReserve(n uintptr) unsafe.Pointer {
	s := &tr_space
	if !s.probed {
		s.probed = true
		if p, err := mmap(nil, tr_spaceProbe, _PROT_NONE, _MAP_ANON|_MAP_PRIVATE, -1, 0); err == 0 {
			munmap(p, tr_spaceProbe)
		} else if p := unsafe.Pointer(uintptr(tr_spaceBase)); tr_mmap(p, physPageSize, _PROT_NONE, 0) == p {
			munmap(p, physPageSize)
			s.next = tr_spaceBase
		} // else there are not as many addresses on this system
	}
	if s.next == 0 {
		return tr_mmap(nil, n, _PROT_NONE, 0)
	}
	p := s.next
	s.next += alignUp(n, tr_spaceAlign)
	return unsafe.Pointer(p)
}

// ti_hostCommit puts zeroed memory behind a part of a reserved range.
func ti_hostCommit(p unsafe.Pointer, n uintptr) {
	flags := int32(_MAP_FIXED)
	if a := uintptr(p); a >= tr_spaceBase && a < tr_space.next {
		flags = 0 // whatever lies there already stays
	}
	if q := tr_mmap(p, n, _PROT_READ|_PROT_WRITE, flags); q != p {
		print("taskinstr: the race detector's memory cannot grow at ", p, ", where something else lies.\n",
			"Raise the limit on addresses (ulimit -v), so that it can be set aside at the start.\n")
		exit(tr_exitMemory)
	}
	tr_gotMemory(n)
}

// ti_hostRelease makes committed memory zero again and gives it back.
func ti_hostRelease(p unsafe.Pointer, n uintptr) {
	tr_mmap(p, n, _PROT_READ|_PROT_WRITE, _MAP_FIXED)
}
