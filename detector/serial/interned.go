package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// An interned arena has no two elements of equal contents. Each element begins with the
// link of its list, or of the free chain, and the number of the last sweep that marked it,
// 0 if it is free.
type interned struct {
	mem.Arena
	lists mem.Zeroed // of 4 bytes: the elements by the hash of their contents
}

type internedHead struct {
	next uint32
	mark uint32
}

const listSlots = 1 << 18

func (t *interned) init(size uintptr, max uint32, what string) {
	t.Arena.Init(size, 0, max, what)
	t.lists.Init(listSlots * 4)
}

func (t *interned) close() {
	t.Arena.Close()
	t.lists.Close()
}

//go:nosplit
func (t *interned) head(i uint32) *internedHead { return (*internedHead)(t.At(i)) }

//go:nosplit
func (t *interned) list(hash uint64) *uint32 {
	return t.lists.At32(uintptr(hash * 0x9e3779b97f4a7c15 >> 46))
}

// add returns a new element, at the head of the list that begins at l.
func (t *interned) add(l *uint32, sweep uint32) uint32 {
	i := t.Take()
	h := t.head(i)
	h.next, h.mark = *l, sweep
	*l = i
	return i
}

// see marks element i and reports whether it was not marked yet.
func (t *interned) see(i, sweep uint32) bool {
	h := t.head(i)
	if i == 0 || h.mark == sweep {
		return false
	}
	h.mark = sweep
	return true
}

// keep frees all elements that the sweep has not marked, and builds the lists anew.
func (t *interned) keep(sweep uint32, hash func(unsafe.Pointer) uint64) {
	t.lists.Forget()
	t.Empty()
	for i := t.Next - 1; i > 0; i-- {
		h := t.head(i)
		if h.mark != sweep {
			h.mark = 0
			t.Add(i)
			continue
		}
		l := t.list(hash(t.At(i)))
		h.next = *l
		*l = i
	}
}
