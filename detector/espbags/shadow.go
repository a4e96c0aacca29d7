package espbags

import "unsafe"

// The entry of a word, 8 bytes:
//
//	bits  0..27  the last writer, a task id; 0: none
//	bits 28..55  a reader that the last writer does not stand for; 0: none
//	bits 56..63  the bytes of the word that both are about; the others have no history
//
// With hasCell for the writer, the reader is the index of the word's cell.
const (
	idBits    = 28
	idMask    = 1<<idBits - 1
	hasCell   = idMask
	byteShift = 2 * idBits
	full      = 0xff // all bytes of a word
	wordBytes = 8

	// noEntry is none that a word can have.
	noEntry = hasCell | 1<<byteShift

	// inLine is the entry of all words of a line that has an entry for the whole of
	// it, see line.go.
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

// entry returns where the entry of the word at a lies.
//
//go:nosplit
func (e *Engine) entry(a uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, e.shadow+a&e.mask))
}

// places returns where the origins of an entry lie: of the writer in the lower half, of the
// reader in the upper one.
//
//go:nosplit
func (e *Engine) places(p *uint64) *uint64 {
	return (*uint64)(unsafe.Add(unsafe.Pointer(p), e.size))
}

//go:nosplit
func pair(w, r uint32) uint64 { return uint64(w) | uint64(r)<<32 }

//go:nosplit
func (e *Engine) marked(a uintptr) *byte {
	return (*byte)(unsafe.Add(nil, e.marks+(a&e.mask)>>chunkShift))
}

// touch puts the chunks of a range into the list of those with entries.
func (e *Engine) touch(a, n uintptr) {
	for c := a &^ (chunkBytes - 1); c < a+n; c += chunkBytes {
		if m := e.marked(c); *m == 0 {
			*m = 1
			p := e.entry(c)
			hostPopulate(unsafe.Pointer(p), chunkBytes)
			hostPopulate(unsafe.Pointer(e.places(p)), chunkBytes)
			*(*uint32)(e.chunks.at(e.chunks.get())) = uint32(c & e.mask >> chunkShift)
		}
	}
}

// chunk returns the first entry of the i-th chunk.
func (e *Engine) chunk(i uint32) *uint64 {
	n := *(*uint32)(e.chunks.at(i))
	return (*uint64)(unsafe.Add(nil, e.shadow+uintptr(n)<<chunkShift))
}

// clearShadow empties it.
func (e *Engine) clearShadow() {
	for i := uint32(1); i < e.chunks.next; i++ {
		p := unsafe.Pointer(e.chunk(i))
		hostZero(p, chunkBytes)
		hostClear(unsafe.Pointer(e.line(uintptr(p)-e.shadow)), chunkBytes/lineBytes*lineSize)
	}
	e.cells.free, e.cells.next = 0, 1
	e.lockers.free, e.lockers.next = 0, 1
}

// HasShadow reports whether Alloc would find anything.
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
	for end := a + n; a < end; a += wordBytes {
		if *e.entry(a) != 0 {
			return true
		}
	}
	return false
}

// Alloc says that n bytes at a are fresh: they have no history.
func (e *Engine) Alloc(a, n uintptr) {
	for n > 0 {
		k := min(n, chunkBytes-a&(chunkBytes-1))
		if *e.marked(a) != 0 {
			e.clear(a, k)
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

//go:nosplit
func at32(base uintptr, i int) *uint32 { return (*uint32)(unsafe.Add(nil, base+uintptr(i)*4)) }
