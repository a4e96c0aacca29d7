package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A list of readers is the readers of a word since its last write, where one of them cannot
// represent the others. Lists do not change once they are made, and words share them.
//
// A reference to readers is a unit, whose origin its holder keeps, or isList and the number
// of a list, the newest reader first. 0 refers to none.
type reader struct {
	rest   uint32 // the older readers; also the link of the free chain
	unit   uint32
	origin uint32
	length uint32
	mark   uint32
}

const isList = 1 << (idBits - 1)

// IsList reports whether a reference is one to a list.
//
//go:nosplit
func IsList(r uint32) bool { return readerLists && r&isList != 0 }

//go:nosplit
func (e *Engine) readerAt(r uint32) *reader {
	return (*reader)(unsafe.Add(nil, e.readers.Base+uintptr(r&^isList-e.listBase)*unsafe.Sizeof(reader{})))
}

// Past reports whether all readers of a reference, or the unit, precede everything, because
// they are of the time before the last forget.
//
//go:nosplit
func (e *Engine) Past(r uint32) bool {
	if readerLists && r&isList != 0 {
		return r&^isList < e.listBase
	}
	return r < e.Base
}

// Newest takes the newest reader off a reference whose holder keeps the origin ro.
func (e *Engine) Newest(r, ro uint32) (unit, origin, rest uint32) {
	if !IsList(r) {
		return r, ro, 0
	}
	x := e.readerAt(r)
	return x.unit, x.origin, x.rest
}

// ListLength returns the length of a list.
func (e *Engine) ListLength(r uint32) uint32 { return e.readerAt(r).length }

// listMemos is the number of lists that are found again: neighbouring words are read in the
// same way.
const listMemos = 1 << 10

// List returns a list of a reader in front of others.
func (e *Engine) List(unit, origin, rest uint32) uint32 {
	slot := &e.listed[(unit^origin*31^rest*0x9e37)%listMemos]
	if r := *slot; r != 0 && !e.Past(r) {
		if x := e.readerAt(r); x.unit == unit && x.origin == origin && x.rest == rest {
			return r
		}
	}
	length := uint32(1)
	if rest != 0 {
		length += e.readerAt(rest).length
	}
	r := e.freeReader
	if r != 0 {
		e.freeReader = e.readerAt(r).rest
	} else {
		if e.nextList == isList-1 {
			mem.Exhausted("readers")
		}
		r = e.nextList | isList
		e.nextList++
	}
	*e.readerAt(r) = reader{rest: rest, unit: unit, origin: origin, length: length}
	*slot = r
	return r
}

// Behind reports whether all of some readers precede the present step of t.
func (e *Engine) Behind(t *Task, r uint32) bool {
	for !e.Past(r) {
		unit, _, rest := e.Newest(r, 0)
		if algParallel(e, t, unit) {
			return false
		}
		r = rest
	}
	return true
}

// ListsUsedUp reports whether few numbers of lists are left: then the next Restart should
// call ClearShadow.
func (e *Engine) ListsUsedUp() bool { return e.nextList > isList/4*3 }

func (e *Engine) forgetLists() { e.listBase, e.freeReader = e.nextList, 0 }

// keepReaders marks the readers of a reference and their origins.
func (e *Engine) keepReaders(r, origin uint32) {
	for !e.Past(r) {
		unit, o, rest := e.Newest(r, origin)
		if IsList(r) {
			x := e.readerAt(r)
			if x.mark == e.sweeps {
				return
			}
			x.mark = e.sweeps
		}
		algKeep(e, unit)
		e.markOrigin(o)
		r = rest
	}
}

// readersBehindAll reports whether all readers of a reference precede all tasks.
func (e *Engine) readersBehindAll(r uint32) bool {
	for !e.Past(r) {
		unit, _, rest := e.Newest(r, 0)
		if !algBehindAll(e, unit) {
			return false
		}
		r = rest
	}
	return true
}

// sweepLists frees the lists that the sweep has not marked.
func (e *Engine) sweepLists() {
	e.freeReader = 0
	for i := e.nextList - 1; i >= e.listBase; i-- {
		if x := e.readerAt(i | isList); x.mark != e.sweeps {
			*x = reader{rest: e.freeReader}
			e.freeReader = i | isList
		}
	}
}
