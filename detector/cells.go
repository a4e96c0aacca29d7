package detector

import "unsafe"

// In a block of cells each word has a history. If the bytes of a word differ, isSplit is
// set in w and the rest of w is the index of a splitWord, which belongs to this word
// alone.

// wordAt returns the word of a page that contains the byte at lo, which is an offset in
// the block or an address.
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
	return h.canonical()
}

// setBytes makes h the history of the bytes [lo, hi) of w. t may be nil.
func (e *Engine) setBytes(t *Task, w *history, lo, hi uintptr, h history) {
	if hi-lo == wordBytes {
		e.freeSplit(t, w)
		*w = h
		return
	}
	if !w.split() {
		if h == e.byteOf(w, 0) {
			return
		}
		if t == nil {
			var i uint32
			e.splitCell(w, e.draw(&i, &e.splits, 1))
		} else {
			e.splitCell(w, e.draw(&t.spareSplits, &e.splits, t.batch()))
		}
	}
	s := e.split(w.w & indexOf)
	for j := lo; j < hi; j++ {
		s.bytes[j%wordBytes] = h
	}
}

// splitCell makes i, an unused splitWord, hold the bytes of w.
//
//go:nosplit
func (e *Engine) splitCell(w *history, i uint32) {
	s := e.split(i)
	s.mark = 0
	for j := range s.bytes {
		s.bytes[j] = *w
	}
	w.cell = cell{w: isSplit | i}
}

// freeSplit returns the splitWord of w, if it has one, to t's stock. t may be nil.
//
//go:nosplit
func (e *Engine) freeSplit(t *Task, w *history) {
	if !w.split() || t == nil {
		return // Sweep finds the splitWord unused
	}
	i := w.w & indexOf
	e.split(i).next = t.spareSplits
	t.spareSplits = i
}

// unsplit gives w a single history again if its bytes agree. t may be nil.
//
//go:nosplit
func (e *Engine) unsplit(t *Task, w *history) {
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
	e.freeSplit(t, w)
	*w = h
}

// makeCells turns a block of runs into a block of cells.
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

// setCells makes h the history of the bytes [lo, hi), which have no history or lose it.
func (e *Engine) setCells(b *block, h history, lo, hi uintptr) {
	for lo < hi {
		w := e.wordAt(b.page, lo)
		next := min((lo|(wordBytes-1))+1, hi)
		switch {
		case next-lo != wordBytes:
			e.setBytes(nil, w, lo, next, h)
			e.unsplit(nil, w)
		case h.w|h.r == 0:
			w.cell = cell{} // Sweep finds a splitWord unused; origins without history mean nothing
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
			*w = e.judge(t, w.canonical(), base+lo, wordBytes)
		}
		lo = next
	}
	if words >= mergeWords {
		if b.due += uint16(words); b.due >= blockWords {
			// Long accesses are back. They have paid for a visit to all cells.
			b.due = 0
			e.makeRuns(b)
		}
	}
}

// mergeWords is the least length, in words, of an access that counts towards another
// attempt to turn cells into runs.
const mergeWords = 32

// healBytes is the length up to which an access keeps the origins of its own step
// (Task.healing).
const healBytes = 64

// updateBytes makes an access of t part of the history of the bytes [lo, hi) of a word.
// It judges neighbouring bytes with equal histories together.
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
	e.unsplit(t, w)
}

// makeRuns turns a block of cells into a block of runs if half of the runs suffice, so
// that the next accesses do not force it back.
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
		if h := w.canonical(); h != last {
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
		q := run{uint16(i * wordBytes), uint16((i + 1) * wordBytes), w.canonical()}
		if k := uintptr(b.n); k > 0 && b.runs[k-1].meets(&q) {
			b.runs[k-1].hi = q.hi
		} else {
			b.insert(k, q)
		}
	}
	e.setPage(b, 0)
}
