package parallel

import "unsafe"

// An interned table lets all tasks find existing elements of an arena by a hash of their
// contents, so that equal elements are mostly made once. It is half a MiB, of which
// unused pages take no memory. A word of it holds a tag (part of the hash) and an
// element's index; another element with the same slot mostly has another tag. Elements do
// not change until the next sweep, so a task may overwrite any word.
type interned struct{ words zeroed }

const internedBits = 16

func (s *interned) init() { s.words.init(8 << internedBits) }

func (s *interned) close() { s.words.close() }

// find returns the index of an element that may have been made from x, 0 if the table has
// none, and the slot and tag with which intern enters a new element.
//
//go:nosplit
func (s *interned) find(x uint64) (i uint32, slot *uint64, tag uint64) {
	const index = 1<<32 - 1
	h := (x ^ x>>29) * 0x9e3779b97f4a7c15
	slot, tag = s.words.at64(uintptr(h>>(64-internedBits))), h<<internedBits&^index
	if y := load64(slot); y&^index == tag {
		i = uint32(y)
	}
	return i, slot, tag
}

// intern publishes element i under slot and tag, as find returned them.
//
//go:nosplit
func intern(slot *uint64, tag uint64, i uint32) { store64(slot, tag|uint64(i)) }

// forget empties the table.
func (s *interned) forget() { hostRelease(unsafe.Add(nil, s.words.base), s.words.n) }
