//go:build taskinstr_runtime

// Cheaper answers of checkptr, which package reflect asks for at each access.

package runtime

import "unsafe"

// tr_oneObject reports whether the n bytes at p, which are not at the end of the addresses, surely lie in one allocation
// or in none. Then checkptrStraddles need not look for the allocations of both ends.
func tr_oneObject(p, n uintptr) bool {
	if p%tr_smallest+n <= tr_smallest || tr_inTypes(p, n) {
		return true
	}
	if gp := getg(); gp.stack.lo <= p && p < gp.stack.hi {
		return n <= gp.stack.hi-p
	}
	base, s, _ := findObject(p, 0, 0)
	return base != 0 && n <= s.elemsize-(p-base)
}

// tr_sameObject reports whether p surely points into the allocation of one of the pointers from, or into none.
func tr_sameObject(p uintptr, from []unsafe.Pointer) bool {
	if p < minLegalPointer {
		return false
	}
	for _, f := range from {
		if p/tr_smallest == uintptr(f)/tr_smallest {
			return true
		}
	}
	if tr_inTypes(p, 1) {
		return true
	}
	lo, n := uintptr(0), uintptr(0)
	if gp := getg(); gp.stack.lo <= p && p < gp.stack.hi {
		lo, n = gp.stack.lo, gp.stack.hi-gp.stack.lo
	} else if base, s, _ := findObject(p, 0, 0); base != 0 {
		lo, n = base, s.elemsize
	}
	for _, f := range from {
		if uintptr(f)-lo < n {
			return true
		}
	}
	return false
}

// tr_smallest divides the addresses and the sizes of all allocations and stacks. Where a segment of data ends within so many bytes,
// padding follows, which checkptr counts as another allocation; here it is the same one.
const tr_smallest = 8

// tr_inTypes reports whether the n bytes at p are read-only data of the linker, which are no allocation.
func tr_inTypes(p, n uintptr) bool {
	return p-firstmoduledata.types < firstmoduledata.etypes-firstmoduledata.types && n <= firstmoduledata.etypes-p
}
