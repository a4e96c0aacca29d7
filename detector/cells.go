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
			*d = c
			lo = next
			continue
		}
		next = min(next, hi)
		var s [wordBytes]cell
		e.bytesOf(*d, &s)
		for ; lo < next; lo++ {
			s[lo%wordBytes] = c
		}
		*d = e.wordOf(nil, &s)
	}
}

// bytesOf sets s to the history of a word byte by byte.
func (e *Engine) bytesOf(c cell, s *[wordBytes]cell) {
	if c.w&isSplit == isSplit {
		*s = e.split(c.w & indexOf).bytes
		return
	}
	for j := range s {
		s[j] = c
	}
}

// wordOf returns the history of a word whose bytes have history s.
func (e *Engine) wordOf(t *Task, s *[wordBytes]cell) cell {
	for j := 1; j < wordBytes; j++ {
		if s[j] != s[0] {
			return cell{w: isSplit | e.splitOf(t, s)}
		}
	}
	return s[0]
}

// splitOf returns a splitWord of the bytes s, one that is there already if it is
// found. Few different ones are made where elements smaller than a word are written
// one by one, or with gaps, and those that are shared are in the caches of tasks.
func (e *Engine) splitOf(t *Task, s *[wordBytes]cell) uint32 {
	h := uint32(0)
	for j := range s {
		h = (h ^ s[j].w ^ s[j].r<<16) * 0x9e3779b1
	}
	known := &e.known[h>>(32-knownBits)]
	if i := load32(known); i != 0 && e.split(i).bytes == *s {
		return i
	}
	i := e.newSplit(t)
	e.split(i).bytes = *s
	store32(known, i)
	return i
}

func (e *Engine) newSplit(t *Task) uint32 {
	var i uint32
	if t == nil {
		i = e.draw(&i, &e.splits, 1)
	} else {
		i = e.draw(&t.spareSplits, &e.splits, setBatch)
	}
	e.split(i).mark = 0
	return i
}

// updateCells is updateRuns for a block of cells.
func (e *Engine) updateCells(t *Task, b *block, a uint32, base, lo, hi uintptr) {
	p := e.page(b.page)
	words := (hi - lo) / wordBytes
	var old, made cell // the last cell that had nothing to report
	same := false
	for lo < hi {
		c := &p.cells[lo/wordBytes%blockWords]
		next := (lo | (wordBytes - 1)) + 1
		if lo%wordBytes == 0 && next <= hi && c.w&isSplit != isSplit {
			if !same || *c != old {
				old = *c
				made.w, made.r, same = e.judge(t, a, c.w, c.r, base+lo, wordBytes)
			}
			*c = made
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

// updateBytes is an access of some bytes of a word, or of a split word. Equal bytes are
// judged together.
func (e *Engine) updateBytes(t *Task, c *cell, a uint32, base, lo, hi uintptr) {
	old := bits(c.w, c.r)
	m := t.byteMemoOf(old, a, lo, hi-lo)
	if t.remembers(m, old, a, lo, hi-lo) {
		c.w, c.r = uint32(m.new), uint32(m.new>>32)
		return
	}
	var s [wordBytes]cell
	e.bytesOf(*c, &s)
	same, ok := true, true
	for i := lo; i < hi; {
		d := s[i%wordBytes]
		next := i + 1
		for next < hi && s[next%wordBytes] == d {
			next++
		}
		w, r, fine := e.judge(t, a, d.w, d.r, base+i, next-i)
		ok = ok && fine && (e.has(w, a) || e.has(r, a))
		same = same && w == d.w && r == d.r
		for ; i < next; i++ {
			s[i%wordBytes] = cell{w, r}
		}
	}
	if !same {
		*c = e.wordOf(t, &s)
	}
	if ok {
		if m.span>>8&0xffffff == uint64(t.epoch()) {
			t.misses++
		}
		*m = byteMemo{old, bits(c.w, c.r), t.byteSpan(a, lo, hi-lo)}
	}
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
