package detector

import "unsafe"

// A word is where the history of a word is in a block of cells: a cell for what its
// bytes have in common, and beside it one for the origins. If the bytes differ in either,
// c has, with isSplit in w, the index of a splitWord, which is the word's own.
type word struct {
	c, from *cell
}

// wordAt returns the word of the block of cells b at offset lo.
func (e *Engine) wordAt(b *block, lo uintptr) word {
	return e.wordOf(e.pages.base + uintptr(b.page)*blockBytes + lo&(blockBytes-wordBytes))
}

// wordOf returns the word whose cell is at address c.
//
//go:nosplit
func (e *Engine) wordOf(c uintptr) word {
	return word{(*cell)(unsafe.Add(nil, c)), (*cell)(unsafe.Add(nil, c+e.fromPages))}
}

//go:nosplit
func (c *cell) split() bool { return c.w&isSplit == isSplit }

// byteOf returns the history of byte j of w.
func (e *Engine) byteOf(w word, j uintptr) history {
	h := history{*w.c, *w.from}
	if w.c.split() {
		s := e.split(w.c.w & indexOf)
		h = history{s.bytes[j%wordBytes], s.from[j%wordBytes]}
	}
	return h.plain()
}

// setBytes makes h the history of the bytes [lo, hi) of w; t may be nil.
func (e *Engine) setBytes(t *Task, w word, lo, hi uintptr, h history) {
	if hi-lo == wordBytes {
		e.mend(t, w.c)
		*w.c, *w.from = h.cell, h.from
		return
	}
	if !w.c.split() {
		if h == e.byteOf(w, 0) {
			return
		}
		if t == nil {
			var i uint32
			e.divide(w, e.draw(&i, &e.splits, 1))
		} else {
			e.divide(w, e.draw(&t.spareSplits, &e.splits, t.batch()))
		}
	}
	s := e.split(w.c.w & indexOf)
	for j := lo; j < hi; j++ {
		s.bytes[j%wordBytes], s.from[j%wordBytes] = h.cell, h.from
	}
}

// divide makes i, which is new, the splitWord of w.
//
//go:nosplit
func (e *Engine) divide(w word, i uint32) {
	s := e.split(i)
	s.mark = 0
	c, from := *w.c, *w.from
	for j := range s.bytes {
		s.bytes[j], s.from[j] = c, from
	}
	*w.c = cell{w: isSplit | i}
}

// mend gives the splitWord of c back, if it is one; t may be nil.
//
//go:nosplit
func (e *Engine) mend(t *Task, c *cell) {
	if !c.split() || t == nil {
		return // Sweep finds it
	}
	i := c.w & indexOf
	e.split(i).next = t.spareSplits
	t.spareSplits = i
}

// undivide makes w one cell again if its bytes have become the same; t may be nil.
//
//go:nosplit
func (e *Engine) undivide(t *Task, w word) {
	if !w.c.split() {
		return
	}
	s := e.split(w.c.w & indexOf)
	c, from := s.bytes[0], s.from[0]
	for j := 1; j < wordBytes; j++ {
		if s.bytes[j] != c || s.from[j] != from {
			return
		}
	}
	e.mend(t, w.c)
	*w.c, *w.from = c, from
}

// makeCells turns a block of runs into one of cells.
func (e *Engine) makeCells(b *block) {
	i := e.indexOf(b)
	p := e.page(i)
	if b.celled {
		p.cells = [blockWords]cell{}
		*(*cellPage)(unsafe.Add(unsafe.Pointer(p), e.fromPages)) = cellPage{}
	}
	b.celled = true
	b.page = i
	for j := uint32(0); j < b.n; j++ {
		s := &b.runs[j]
		e.setCells(b, s.history, uintptr(s.lo), uintptr(s.hi))
	}
	b.n = 0
	b.due = 0
	e.setPage(b, i)
}

// indexOf returns the index of b.
func (e *Engine) indexOf(b *block) uint32 {
	return uint32((uintptr(unsafe.Pointer(b)) - e.blocks.base) / unsafe.Sizeof(block{}))
}

// setCells makes h the history of [lo, hi), which has none or of which nothing is to be
// known any more.
func (e *Engine) setCells(b *block, h history, lo, hi uintptr) {
	for lo < hi {
		w := e.wordAt(b, lo)
		next := min((lo|(wordBytes-1))+1, hi)
		switch {
		case next-lo != wordBytes:
			e.setBytes(nil, w, lo, next, h)
			e.undivide(nil, w)
		case h.w|h.r == 0:
			*w.c = cell{} // Sweep finds what was split; the origins mean nothing
		default:
			*w.c, *w.from = h.cell, h.from
		}
		lo = next
	}
}

// updateCells is updateRuns for a block of cells.
func (e *Engine) updateCells(t *Task, b *block, base, lo, hi uintptr) {
	words := (hi - lo) / wordBytes
	for lo < hi {
		next := min((lo|(wordBytes-1))+1, hi)
		w := e.wordAt(b, lo)
		if next-lo != wordBytes || w.c.split() {
			e.updateBytes(t, w, base, lo, next)
		} else {
			h := history{*w.c, *w.from}
			h = e.judge(t, h.plain(), base+lo, wordBytes)
			*w.c, *w.from = h.cell, h.from
		}
		lo = next
	}
	if words >= mergeWords {
		if b.due += uint16(words); b.due >= blockWords {
			// Ranges are back: they have paid for a look at all cells.
			b.due = 0
			e.makeRuns(b)
		}
	}
}

// mergeWords is the length from which an access counts as a range that might
// make runs worth while again.
const mergeWords = 32

// healBytes is the length up to which an access leaves the origins of its own step alone.
const healBytes = 64

// updateBytes is an access of the bytes [lo, hi) of a word. Equal bytes are judged
// together.
func (e *Engine) updateBytes(t *Task, w word, base, lo, hi uintptr) {
	for lo < hi {
		h := e.byteOf(w, lo)
		next := hi
		if w.c.split() {
			s := e.split(w.c.w & indexOf)
			i := lo % wordBytes
			for next = lo + 1; next < hi && s.bytes[next%wordBytes] == s.bytes[i] && s.from[next%wordBytes] == s.from[i]; {
				next++
			}
		}
		if g := e.judge(t, h, base+lo, next-lo); g != h {
			e.setBytes(t, w, lo, next, g)
		}
		lo = next
	}
	e.undivide(t, w)
}

// makeRuns turns a block of cells into one of runs if few enough are needed, so
// few that the next accesses will not undo it.
func (e *Engine) makeRuns(b *block) {
	n := 0
	last := history{}
	for i := uintptr(0); i < blockWords; i++ {
		w := e.wordAt(b, i*wordBytes)
		if *w.c == (cell{}) {
			last = history{}
			continue
		}
		if w.c.split() {
			return
		}
		h := history{*w.c, *w.from}
		if h = h.plain(); h != last {
			last = h
			if n++; n > maxRuns/2 {
				return
			}
		}
	}
	b.n = 0
	for i := uintptr(0); i < blockWords; i++ {
		w := e.wordAt(b, i*wordBytes)
		if *w.c == (cell{}) {
			continue
		}
		h := history{*w.c, *w.from}
		q := run{uint16(i * wordBytes), uint16((i + 1) * wordBytes), h.plain()}
		if k := uintptr(b.n); k > 0 && b.runs[k-1].meets(&q) {
			b.runs[k-1].hi = q.hi
		} else {
			b.insert(k, q)
		}
	}
	e.setPage(b, 0)
}
