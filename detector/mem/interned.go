package mem

import "unsafe"

// An Interned arena lets all tasks find existing elements by a hash of their contents, so that equal
// elements are mostly made once. Its table is half a MiB, of which unused pages take no memory until the first sweep. A word
// of the table holds a tag (part of the hash) and an element's index; another element with the same slot
// mostly has another tag. Elements do not change until the next sweep, so a task may overwrite any word.
type Interned struct {
	Arena
	words Zeroed
}

const internedBits = 16

// Init is that of Arena.
func (s *Interned) Init(size, link uintptr, limit uint32, plural string) {
	s.Arena.Init(size, link, limit, plural)
	s.words.Init(8 << internedBits)
}

// Close gives the addresses back.
func (s *Interned) Close() {
	s.Arena.Close()
	s.words.Close()
}

// Find returns the index of an element that may have been made from x, 0 if the table has
// none, and the slot and tag with which Intern enters a new element.
//
//go:nosplit
func (s *Interned) Find(x uint64) (i uint32, slot *uint64, tag uint64) {
	const index = 1<<32 - 1
	h := (x ^ x>>29) * 0x9e3779b97f4a7c15
	slot, tag = s.words.At64(uintptr(h>>(64-internedBits))), h<<internedBits&^index
	if y := Load64(slot); y&^index == tag {
		i = uint32(y)
	}
	return i, slot, tag
}

// Intern publishes element i under slot and tag, as Find returned them.
//
//go:nosplit
func Intern(slot *uint64, tag uint64, i uint32) { Store64(slot, tag|uint64(i)) }

// Sweep is that of Arena. It empties the table.
func (s *Interned) Sweep(mark uintptr, used uint32) {
	Clear(unsafe.Add(nil, s.words.Base), s.words.n) // new pages would cost two faults each, and all processors an interrupt
	s.Arena.Sweep(mark, used)
}
