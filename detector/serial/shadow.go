package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// The entry of a word, 8 bytes:
//
//	bits  0..27  the last writer, a unit; 0: none
//	bits 28..55  the readers that the last writer does not represent (readers.go); 0: none
//	bits 56..63  the bytes of the word that both have accessed; the others have no history
//
// With hasCell for the writer, the reader is the index of the word's cell.
const (
	idBits    = 28
	idMask    = 1<<idBits - 1
	hasCell   = idMask
	byteShift = 2 * idBits
	full      = 0xff // all bytes of a word
	wordBytes = 8

	// noEntry is not the entry of any word.
	noEntry = hasCell | 1<<byteShift

	// NoEntry is noEntry, for ForgetStep.
	NoEntry = noEntry

	// inLine is the entry of a word that has the history of its line, see line.go.
	inLine = 1<<64 - 1
)

const (
	chunkShift = 16
	chunkBytes = 1 << chunkShift
)

//go:nosplit
func word(w, r, bytes uint32) uint64 {
	return uint64(w) | uint64(r)<<idBits | uint64(bytes)<<byteShift
}

//go:nosplit
func unpack(x uint64) (w, r, bytes uint32) {
	return uint32(x & idMask), uint32(x >> idBits & idMask), uint32(x >> byteShift)
}

// entry returns the address of the entry of the word at a.
//
//go:nosplit
func (e *Engine) entry(a uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, e.shadow.Base+a&e.mask))
}

// places returns the address of the origins of an entry: the lower half is the origin of the
// writer, the upper half the origin of the reader.
//
//go:nosplit
func (e *Engine) places(p *uint64) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(p), e.size))
}

//go:nosplit
func pair(w, r uint32) uint64 { return uint64(w) | uint64(r)<<32 }

// setReader changes the origin of the reader at q. It does not read the origin of the writer,
// which may not be in the processor's cache.
//
//go:nosplit
func setReader(q *uint64, r uint32) { *(*uint32)(unsafe.Add(unsafe.Pointer(q), 4)) = r }

// The bits of the byte that each chunk of memory has.
const (
	hasEntries = 1 << iota
	hasObjects
)

//go:nosplit
func (e *Engine) marked(a uintptr) *byte {
	return (*byte)(unsafe.Add(nil, e.marks.Base+(a&e.mask)>>chunkShift))
}

// touch puts the chunks of a range into the list of those with entries.
func (e *Engine) touch(a, n uintptr) {
	for c := a &^ (chunkBytes - 1); c < a+n; c += chunkBytes {
		if m := e.marked(c); *m&hasEntries == 0 {
			*m |= hasEntries
			p := e.entry(c)
			mem.Populate(unsafe.Pointer(p), chunkBytes)
			mem.Populate(unsafe.Pointer(e.places(p)), chunkBytes)
			*(*uint32)(e.chunks.At(e.chunks.Take())) = uint32(c & e.mask >> chunkShift)
		}
	}
}

// chunk returns the first entry of the i-th chunk.
func (e *Engine) chunk(i uint32) *uint64 {
	n := *(*uint32)(e.chunks.At(i))
	return (*uint64)(unsafe.Add(nil, e.shadow.Base+uintptr(n)<<chunkShift))
}

// HasShadow reports whether Alloc would change anything.
//
//go:nosplit
func (e *Engine) HasShadow(a, n uintptr) bool {
	if e.quiet || n == 0 {
		return false
	}
	if *e.marked(a) == 0 && (a^(a+n-1)) < chunkBytes {
		return false
	}
	if n > 64*wordBytes {
		return true
	}
	for b := a; b < a+n; b += wordBytes {
		if *e.entry(b) != 0 {
			return true
		}
	}
	return *e.marked(a)&hasObjects != 0 && algObjectIn(e, a, n)
}

// HoldObject says that an object of the algorithm belongs to the memory at a. ReleaseObjects
// says that no object belongs to the chunk of a any more.
func (e *Engine) HoldObject(a uintptr)     { *e.marked(a) |= hasObjects }
func (e *Engine) ReleaseObjects(a uintptr) { *e.marked(a) &^= hasObjects }

// Alloc says that n bytes at a are fresh: they have no history, and no task has left
// anything there.
func (e *Engine) Alloc(a, n uintptr) {
	for n > 0 {
		k := min(n, chunkBytes-a&(chunkBytes-1))
		m := *e.marked(a)
		if m&hasEntries != 0 {
			e.clear(a, k)
		}
		if m&hasObjects != 0 {
			algDropObjects(e, a, k)
		}
		a += k
		n -= k
	}
}

// Free is Alloc, for bytes that are given up.
func (e *Engine) Free(a, n uintptr) { e.Alloc(a, n) }

// clear empties the history of n bytes at a, of one chunk.
func (e *Engine) clear(a, n uintptr) {
	if head := a % wordBytes; head != 0 || n < wordBytes {
		k := min(n, wordBytes-head)
		e.clearBytes(a, bytesOf(head, k))
		a += k
		n -= k
	}
	if k := n &^ (wordBytes - 1); k != 0 {
		e.clearWords(a, k)
		a += k
		n -= k
	}
	if n != 0 {
		e.clearBytes(a, bytesOf(0, n))
	}
}

// bytesOf returns the bits of n bytes of a word, from the i-th on.
//
//go:nosplit
func bytesOf(i, n uintptr) uint32 { return (1<<n - 1) << i }

func (e *Engine) clearBytes(a uintptr, bytes uint32) {
	p := e.entry(a)
	if *p == inLine {
		e.takeOut(a)
	}
	w, r, m := unpack(*p)
	if w == hasCell {
		c := e.cell(r)
		for i := range c.bytes {
			if bytes>>i&1 != 0 {
				c.bytes[i] = hist{}
			}
		}
		e.heal(p, c)
		return
	}
	if m &^= bytes; m == 0 {
		*p = 0
	} else {
		*p = word(w, r, m)
	}
}

//go:nosplit
func at64(p *uint64, i int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(p), i*8)) }

// Units returns the writer and the readers of an entry.
//
//go:nosplit
func Units(x uint64) (w, r uint32) { return uint32(x & idMask), uint32(x >> idBits & idMask) }
