package serial

import "unsafe"

// An Arena is an array that grows. Its elements are named by index; 0 names none.
type Arena struct {
	Next uint32 // the index that follows the largest one in use so far
	Size uintptr

	base uintptr
	max  uint32
	free uint32 // head of the chain of free elements, linked by their first word
	kept uint32 // Next at the last sweep
	what string
}

// Init reserves addresses for max elements of a size. The name of the table appears in
// the message about a full one.
func (a *Arena) Init(size uintptr, max uint32, what string) {
	*a = Arena{base: uintptr(hostMap(size * uintptr(max))), Size: size, Next: 1, max: max, what: what}
}

// At returns the element i.
//
//go:nosplit
func (a *Arena) At(i uint32) unsafe.Pointer { return unsafe.Add(nil, a.base+uintptr(i)*a.Size) }

// Get returns an element with undefined contents.
func (a *Arena) Get() uint32 {
	if i := a.free; i != 0 {
		a.free = *(*uint32)(a.At(i))
		return i
	}
	if a.Next == a.max {
		hostExhausted(a.what)
	}
	a.Next++
	return a.Next - 1
}

// Put makes an element free.
func (a *Arena) Put(i uint32) {
	*(*uint32)(a.At(i)) = a.free
	a.free = i
}

// Empty makes all elements free.
func (a *Arena) Empty() { a.Next, a.free = 1, 0 }

// Full reports whether i is beyond the last index.
func (a *Arena) Full(i uint32) bool { return i >= a.max }

// Bytes returns how much memory the elements in use so far take.
func (a *Arena) Bytes() uint64 { return uint64(a.Next) * uint64(a.Size) }

// Close gives the addresses back.
func (a *Arena) Close() { hostFree(unsafe.Add(nil, a.base), a.Size*uintptr(a.max)) }

// sweepAfter is the least growth between two sweeps, in elements.
const sweepAfter = 1 << 18

// Due reports whether the arena has grown so much since the last sweep that another
// sweep pays.
//
//go:nosplit
func (a *Arena) Due() bool { return a.Next > 2*a.kept+sweepAfter }

// Swept notes the size after a sweep.
func (a *Arena) Swept() { a.kept = a.Next }

// Map returns the address of n zero bytes that get memory when they are written, for tables
// of the algorithm. Unmap gives them back.
func Map(n uintptr) uintptr { return uintptr(hostMap(n)) }

func Unmap(p, n uintptr) { hostFree(unsafe.Add(nil, p), n) }

// At32 returns the i-th of the numbers at base.
//
//go:nosplit
func At32(base uintptr, i int) *uint32 { return (*uint32)(unsafe.Add(nil, base+uintptr(i)*4)) }
