package parallel

import "unsafe"

// In a block of cells each word has a history. If the bytes of a word differ, isSplit is
// set in w and the rest of w is the index of a splitWord, which belongs to this word
// alone.

// wordAt returns the word of a page that contains the byte at lo, which is an offset in
// the block or an address.
//
//go:nosplit
func (e *Engine) wordAt(page uint32, lo uintptr) *history {
	return (*history)(unsafe.Add(nil, e.pages.Base+uintptr(page)*unsafe.Sizeof(cellPage{})+lo&(blockBytes-wordBytes)*(unsafe.Sizeof(history{})/wordBytes)))
}

//go:nosplit
func (c *cell) split() bool { return c.w&isSplit == isSplit }

// pieceAt returns the history of byte j of w, and the mask of the bytes that share it.
func (e *Engine) pieceAt(w *history, j uintptr) (h history, mask uint32) {
	if !w.split() {
		return w.canonical(), wholeWord
	}
	mask = wholeWord // then without the bytes of all pieces
	for i := w.w & indexOf; i != 0; {
		s := e.split(i)
		for p, m := range s.masks {
			if m>>(j%wordBytes)&1 != 0 {
				return s.pieces[p], uint32(m)
			}
			mask &^= uint32(m)
		}
		i = s.next
	}
	return history{}, mask
}

// setBytes makes h the history of the bytes mask of w. t may be nil.
func (e *Engine) setBytes(t *Task, w *history, mask uint32, h history) {
	if t != nil {
		p := t.proc()
		if !e.setPiece(t, &p.splits, w, mask, h) {
			e.stock(&p.splits, &e.splits)
			e.setPiece(t, &p.splits, w, mask, h)
		}
		return
	}
	stock := uint32(0)
	if !e.setPiece(nil, &stock, w, mask, h) {
		e.addWork(1)
		stock = e.splits.Get()
		e.split(stock).next = 0
		e.setPiece(nil, &stock, w, mask, h)
	}
	for i := stock; i != 0; {
		next := e.split(i).next
		e.splits.Put(i)
		i = next
	}
}

// setPiece makes h, which is canonical, the history of the bytes mask of w. stock is a chain of
// unused splitWords; setPiece adds to it the elements that w no longer needs. Bytes with the same records
// make one piece, for which their origins become pairs, unless t is nil. setPiece returns false
// and changes nothing if stock is empty and w could need an element.
//
//go:nosplit
func (e *Engine) setPiece(t *Task, stock *uint32, w *history, mask uint32, h history) bool {
	if !w.split() {
		x := w.canonical()
		x.r = shared(x.r)
		if mask == wholeWord || x == h {
			*w = h
			return true
		}
		if x.cell == h.cell {
			if g, ok := e.quickPairs(t, h.cell, x.origins, h.origins, wholeWord&^mask); ok {
				w.origins = g
				return true
			}
		}
		i := *stock
		if i == 0 {
			return false
		}
		s := e.split(i)
		*stock = s.next
		s.next, s.mark = 0, 0
		s.masks = [splitPieces]uint8{uint8(wholeWord &^ mask), uint8(mask)}
		if x.w|x.r == 0 {
			s.masks[0] = 0
		}
		if h.w|h.r == 0 {
			s.masks[1] = 0
		}
		s.pieces[0], s.pieces[1] = x, h
		w.cell = cell{w: isSplit | i}
		return true
	}
	some := h.w|h.r != 0
	if *stock == 0 && some {
		return false
	}
	all, left := mask, uint32(0) // the bytes with history h, and those with other histories
	var place *splitWord         // the first unused piece is place.pieces[at]
	at := 0
	first := w.w & indexOf
	for i := first; ; {
		s := e.split(i)
		for p := range s.masks {
			rest := uint32(s.masks[p]) &^ mask
			if rest != 0 && s.pieces[p].cell == h.cell {
				if g, ok := e.quickPairs(t, h.cell, s.pieces[p].origins, h.origins, rest); ok {
					h.origins = g
					all, rest = all|rest, 0
				}
			}
			if rest != uint32(s.masks[p]) {
				s.masks[p] = uint8(rest)
				s.pieces[p].r = shared(s.pieces[p].r) // h may be made from it
			}
			left |= rest
			if rest == 0 && place == nil {
				place, at = s, p
			}
		}
		if s.next == 0 {
			if place == nil && some {
				i = *stock
				place, at = e.split(i), 0
				*stock = place.next
				s.next = i
				place.next, place.mark = 0, 0
				place.masks = [splitPieces]uint8{}
			}
			break
		}
		i = s.next
	}
	switch {
	case all == wholeWord || left == 0 && !some:
		e.freeSplits(stock, first)
		*w = h
	case some:
		place.masks[at%splitPieces] = uint8(all)
		place.pieces[at%splitPieces] = h
	}
	return true
}

// freeSplits adds the chain of splitWords i to another one.
//
//go:nosplit
func (e *Engine) freeSplits(stock *uint32, i uint32) {
	last := e.split(i)
	for last.next != 0 {
		last = e.split(last.next)
	}
	last.next = *stock
	*stock = i
}

// makeCells turns a block of runs into a block of cells.
func (e *Engine) makeCells(b *block) {
	if b.home == 0 {
		b.home = e.pages.Get()
	}
	*e.page(b.home) = cellPage{}
	b.page = b.home
	for j := uint32(0); j < b.n; j++ {
		s := &b.runs[j]
		s.r = shared(s.r)
		e.setCells(b, s.history, uintptr(s.lo), uintptr(s.hi))
	}
	b.n = 0
	b.due = 0
	e.setPage(b, b.home)
}

// indexOf returns the index of b.
func (e *Engine) indexOf(b *block) uint32 {
	return uint32((uintptr(unsafe.Pointer(b)) - e.blocks.Base) / unsafe.Sizeof(block{}))
}

// setCells makes h the history of the bytes [lo, hi), which have no history or lose it.
func (e *Engine) setCells(b *block, h history, lo, hi uintptr) {
	for lo < hi {
		w := e.wordAt(b.page, lo)
		next := min((lo|(wordBytes-1))+1, hi)
		switch {
		case next-lo != wordBytes:
			e.setBytes(nil, w, maskOf(lo, next-lo), h)
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
		h, mask := e.pieceAt(w, lo)
		next := lo + 1
		for next < hi && mask>>(next%wordBytes)&1 != 0 {
			next++
		}
		if g := e.judge(t, h, base+lo, next-lo); g != h {
			e.setBytes(t, w, maskOf(lo, next-lo), g)
		}
		lo = next
	}
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
		h := w.canonical()
		if h.r = shared(h.r); h != last {
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
		q.r = shared(q.r)
		if k := uintptr(b.n); k > 0 && b.runs[k-1].meets(&q) {
			b.runs[k-1].hi = q.hi
		} else {
			b.insert(k, q)
		}
	}
	e.setPage(b, 0)
}
