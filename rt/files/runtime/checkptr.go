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
	lo, size := tr_allocation(p)
	return p-lo < size && n <= size-(p-lo)
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
	lo, size := tr_allocation(p)
	for _, f := range from {
		if uintptr(f)-lo < size {
			return true
		}
	}
	return false
}

// tr_allocation returns the range of the object in the heap, or of the goroutine's stack, that contains p. Its size is 0 if there is none.
func tr_allocation(p uintptr) (lo, size uintptr) {
	if gp := getg(); gp.stack.lo <= p && p < gp.stack.hi {
		return gp.stack.lo, gp.stack.hi - gp.stack.lo
	}
	if base, s, _ := findObject(p, 0, 0); base != 0 {
		return base, s.elemsize
	}
	return 0, 0
}

// tr_smallest divides the addresses and the sizes of all allocations and stacks. Where a segment of data ends within so many bytes,
// padding follows, which checkptr counts as another allocation; here it is the same one.
const tr_smallest = 8

// tr_inTypes reports whether the n bytes at p are read-only data of the linker, which are no allocation.
func tr_inTypes(p, n uintptr) bool {
	return p-firstmoduledata.types < firstmoduledata.etypes-firstmoduledata.types && n <= firstmoduledata.etypes-p
}
