package detector

import "unsafe"

// makeCells turns a block of runs into one of cells.
func (e *Engine) makeCells(b *block) {
	p := e.page(e.indexOf(b))
	p.cells = [blockWords]cell{}
	for i := uint32(0); i < b.n; i++ {
		s := b.runs[i]
		e.setCells(p, cell{s.w, s.r}, uintptr(s.lo), uintptr(s.hi))
	}
	b.n = 0
	b.due = 0
	e.setPage(b, e.indexOf(b))
}

// indexOf returns the index of b.
func (e *Engine) indexOf(b *block) uint32 {
	return uint32((uintptr(unsafe.Pointer(b)) - e.blocks.base) / unsafe.Sizeof(block{}))
}

// setCells makes c the history of [lo, hi).
func (e *Engine) setCells(p *cellPage, c cell, lo, hi uintptr) {
	for lo < hi {
		d := &p.cells[lo/wordBytes%blockWords]
		next := (lo | (wordBytes - 1)) + 1
		if lo%wordBytes == 0 && next <= hi {
			e.freeSplit(d)
			*d = c
			lo = next
			continue
		}
		next = min(next, hi)
		s := e.splitCell(d)
		for ; lo < next; lo++ {
			s.bytes[lo%wordBytes] = c
		}
		e.joinBytes(d)
	}
}

func (e *Engine) freeSplit(c *cell) {
	if c.w&isSplit == isSplit {
		e.splits.put(c.w & indexOf)
	}
}

// splitCell returns the bytes of c, which it splits if it is whole.
func (e *Engine) splitCell(c *cell) *splitWord {
	if c.w&isSplit == isSplit {
		return e.split(c.w & indexOf)
	}
	i := e.splits.get()
	s := e.split(i)
	for j := 0; j < wordBytes; j++ {
		s.bytes[j] = *c
	}
	*c = cell{w: isSplit | i}
	return s
}

// joinBytes makes c whole again if its bytes are equal.
func (e *Engine) joinBytes(c *cell) {
	i := c.w & indexOf
	s := e.split(i)
	for j := 1; j < wordBytes; j++ {
		if s.bytes[j] != s.bytes[0] {
			return
		}
	}
	*c = s.bytes[0]
	e.splits.put(i)
}

// updateCells is updateRuns for a block of cells.
func (e *Engine) updateCells(t *Task, b *block, a uint32, base, lo, hi uintptr) {
	p := e.page(b.page)
	words := (hi - lo) / wordBytes
	for lo < hi {
		c := &p.cells[lo/wordBytes%blockWords]
		next := (lo | (wordBytes - 1)) + 1
		if lo%wordBytes == 0 && next <= hi && c.w&isSplit != isSplit {
			c.w, c.r = e.judge(t, a, c.w, c.r, base+lo, wordBytes)
			lo = next
			continue
		}
		next = min(next, hi)
		e.updateBytes(t, c, a, base, lo, next)
		lo = next
	}
	if words >= mergeWords {
		if b.due += uint16(words); b.due >= blockWords {
			// Ranges are back: they have paid for a look at all cells.
			b.due = 0
			e.makeRuns(b, p)
		}
	}
}

// mergeWords is the length from which an access counts as a range that might
// make runs worth while again.
const mergeWords = 32

// updateBytes is an access of some bytes of a word, or of a split word.
func (e *Engine) updateBytes(t *Task, c *cell, a uint32, base, lo, hi uintptr) {
	if c.w&isSplit != isSplit {
		w, r := e.judge(t, a, c.w, c.r, base+lo, hi-lo)
		if w == c.w && r == c.r {
			return
		}
		s := e.splitCell(c)
		for ; lo < hi; lo++ {
			s.bytes[lo%wordBytes] = cell{w, r}
		}
		return
	}
	s := e.split(c.w & indexOf)
	for lo < hi {
		// Equal bytes are judged together.
		d := s.bytes[lo%wordBytes]
		next := lo + 1
		for next < hi && s.bytes[next%wordBytes] == d {
			next++
		}
		w, r := e.judge(t, a, d.w, d.r, base+lo, next-lo)
		for ; lo < next; lo++ {
			s.bytes[lo%wordBytes] = cell{w, r}
		}
	}
	e.joinBytes(c)
}

// makeRuns turns a block of cells into one of runs if few enough are needed, so
// few that the next accesses will not undo it.
func (e *Engine) makeRuns(b *block, p *cellPage) {
	n := 0
	last := cell{}
	for i := 0; i < blockWords; i++ {
		c := p.cells[i]
		if c.w&isSplit == isSplit {
			return
		}
		if c != last {
			last = c
			if c.w|c.r != 0 {
				if n++; n > maxRuns/2 {
					return
				}
			}
		}
	}
	b.n = 0
	last = cell{}
	for i := uintptr(0); i < blockWords; i++ {
		c := p.cells[i]
		if c != last {
			last = c
			if c.w|c.r != 0 {
				b.insert(uintptr(b.n), run{uint16(i * wordBytes), uint16(i * wordBytes), c.w, c.r})
			}
		}
		if c.w|c.r != 0 {
			b.runs[b.n-1].hi = uint16((i + 1) * wordBytes)
		}
	}
	e.setPage(b, 0)
}
