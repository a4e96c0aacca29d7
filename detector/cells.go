package detector

import "unsafe"

// A word of a block of cells has a history, or if its bytes differ, with isSplit in w, the
// index of a splitWord, which is the word's own.

// wordAt returns the word of a page with the byte at lo, an offset in the block or an
// address.
//
//go:nosplit
func (e *Engine) wordAt(page uint32, lo uintptr) *history {
	return (*history)(unsafe.Add(nil, e.pages.base+uintptr(page)*unsafe.Sizeof(cellPage{})+lo&(blockBytes-wordBytes)*(unsafe.Sizeof(history{})/wordBytes)))
}

//go:nosplit
func (c *cell) split() bool { return c.w&isSplit == isSplit }

// byteOf returns the history of byte j of w.
func (e *Engine) byteOf(w *history, j uintptr) history {
	h := *w
	if w.split() {
		s := e.split(w.w & indexOf)
		h = s.bytes[j%wordBytes]
	}
	return h.plain()
}

// setBytes makes h the history of the bytes [lo, hi) of w; t may be nil.
func (e *Engine) setBytes(t *Task, w *history, lo, hi uintptr, h history) {
	if hi-lo == wordBytes {
		e.mend(t, w)
		*w = h
		return
	}
	if !w.split() {
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
	s := e.split(w.w & indexOf)
	for j := lo; j < hi; j++ {
		s.bytes[j%wordBytes] = h
	}
}

// divide makes i, which is new, the splitWord of w.
//
//go:nosplit
func (e *Engine) divide(w *history, i uint32) {
	s := e.split(i)
	s.mark = 0
	for j := range s.bytes {
		s.bytes[j] = *w
	}
	w.cell = cell{w: isSplit | i}
}

// mend gives the splitWord of w back, if it is one; t may be nil.
//
//go:nosplit
func (e *Engine) mend(t *Task, w *history) {
	if !w.split() || t == nil {
		return // Sweep finds it
	}
	i := w.w & indexOf
	e.split(i).next = t.spareSplits
	t.spareSplits = i
}

// undivide makes w one cell again if its bytes have become the same; t may be nil.
//
//go:nosplit
func (e *Engine) undivide(t *Task, w *history) {
	if !w.split() {
		return
	}
	s := e.split(w.w & indexOf)
	h := s.bytes[0]
	for j := 1; j < wordBytes; j++ {
		if s.bytes[j] != h {
			return
		}
	}
	e.mend(t, w)
	*w = h
}

// makeCells turns a block of runs into one of cells.
func (e *Engine) makeCells(b *block) {
	i := e.indexOf(b)
	p := e.page(i)
	if b.celled {
		*p = cellPage{}
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
		w := e.wordAt(b.page, lo)
		next := min((lo|(wordBytes-1))+1, hi)
		switch {
		case next-lo != wordBytes:
			e.setBytes(nil, w, lo, next, h)
			e.undivide(nil, w)
		case h.w|h.r == 0:
			w.cell = cell{} // Sweep finds what was split; the origins mean nothing
		default:
			*w = h
		}
		lo = next
	}
}

// updateCells is updateRuns for a block of cells.
func (e *Engine) updateCells(t *Task, b *block, base, lo, hi uintptr) {
	words := (hi - lo) / wordBytes
	for lo < hi {
		next := min((lo|(wordBytes-1))+1, hi)
		w := e.wordAt(b.page, lo)
		if next-lo != wordBytes || w.split() {
			e.updateBytes(t, w, base, lo, next)
		} else {
			*w = e.judge(t, w.plain(), base+lo, wordBytes)
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
func (e *Engine) updateBytes(t *Task, w *history, base, lo, hi uintptr) {
	for lo < hi {
		h := e.byteOf(w, lo)
		next := hi
		if w.split() {
			s := e.split(w.w & indexOf)
			i := lo % wordBytes
			for next = lo + 1; next < hi && s.bytes[next%wordBytes] == s.bytes[i]; {
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
		w := e.wordAt(b.page, i*wordBytes)
		if w.cell == (cell{}) {
			last = history{}
			continue
		}
		if w.split() {
			return
		}
		if h := w.plain(); h != last {
			last = h
			if n++; n > maxRuns/2 {
				return
			}
		}
	}
	b.n = 0
	for i := uintptr(0); i < blockWords; i++ {
		w := e.wordAt(b.page, i*wordBytes)
		if w.cell == (cell{}) {
			continue
		}
		q := run{uint16(i * wordBytes), uint16((i + 1) * wordBytes), w.plain()}
		if k := uintptr(b.n); k > 0 && b.runs[k-1].meets(&q) {
			b.runs[k-1].hi = q.hi
		} else {
			b.insert(k, q)
		}
	}
	e.setPage(b, 0)
}
