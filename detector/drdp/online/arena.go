package online

import "unsafe"

// An arena is an array that grows. Elements are named by index; 0 is none.
type arena struct {
	base uintptr
	size uintptr
	next uint32
	max  uint32
	free uint32 // head of the chain of free elements, linked by their first word
	kept uint32 // next at the last sweep
	what string
}

// init sets addresses aside for max elements.
func (a *arena) init(size uintptr, max uint32, what string) {
	*a = arena{base: uintptr(hostMap(size * uintptr(max))), size: size, next: 1, max: max, what: what}
}

//go:nosplit
func (a *arena) at(i uint32) unsafe.Pointer { return unsafe.Add(nil, a.base+uintptr(i)*a.size) }

// get returns an element whose contents mean nothing.
func (a *arena) get() uint32 {
	if i := a.free; i != 0 {
		a.free = *(*uint32)(a.at(i))
		return i
	}
	if a.next == a.max {
		hostExhausted(a.what)
	}
	a.next++
	return a.next - 1
}

func (a *arena) put(i uint32) {
	*(*uint32)(a.at(i)) = a.free
	a.free = i
}

// empty gives all elements back.
func (a *arena) empty() { a.next, a.free = 1, 0 }

// close gives the addresses back.
func (a *arena) close() { hostFree(unsafe.Add(nil, a.base), a.size*uintptr(a.max)) }
