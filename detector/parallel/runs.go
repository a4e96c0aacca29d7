package parallel

// updateRuns makes an access of t part of the history of the bytes [lo, hi) in a block of
// runs. base is the block's address.
func (e *Engine) updateRuns(t *Task, b *block, base, lo, hi uintptr) {
	i := b.find(lo)
	for lo < hi {
		end, h := b.piece(i, lo, hi)
		if h = e.judge(t, h, base+lo, end-lo); !b.put(i, lo, end, h) {
			e.makeCells(b)
			e.updateCells(t, b, base, lo, hi)
			return
		}
		lo = end
		i = b.behind(i, lo)
	}
}

// find returns the index of the first run that ends behind lo, or the number of runs.
//
//go:nosplit
func (b *block) find(lo uintptr) uintptr {
	i := uintptr(b.n)
	if i != 0 && uintptr(b.runs[i-1].hi) > lo {
		for i = 0; uintptr(b.runs[i].hi) <= lo; {
			i++
		}
	}
	return i
}

// piece returns the largest end, at most hi, such that the bytes [lo, end) have one
// history, and this history. runs[i-1] ends at or before lo; runs[i], if it exists, ends
// behind lo.
//
//go:nosplit
func (b *block) piece(i, lo, hi uintptr) (end uintptr, h history) {
	if i >= uintptr(b.n) {
		return hi, h
	}
	s := &b.runs[i]
	if uintptr(s.lo) > lo {
		return min(hi, uintptr(s.lo)), h
	}
	return min(hi, uintptr(s.hi)), s.history
}

// behind returns the index of the first run that ends behind lo, after a put at index i
// of bytes that end at lo.
//
//go:nosplit
func (b *block) behind(i, lo uintptr) uintptr {
	if i > 0 {
		i-- // put may have merged the run with its left neighbour
	}
	for i < uintptr(b.n) && uintptr(b.runs[i].hi) <= lo {
		i++
	}
	return i
}

// put makes h the history of [lo, hi), which lies in runs[i] or in the gap in front of
// it. It returns false, without a change, if there is no room for the additional runs.
//
//go:nosplit
func (b *block) put(i, lo, hi uintptr, h history) bool {
	n := uintptr(b.n)
	q := run{uint16(lo), uint16(hi), h}
	if i == n || uintptr(b.runs[i].lo) > lo {
		switch {
		case i > 0 && b.runs[i-1].meets(&q):
			b.runs[i-1].hi = q.hi
			b.join(i)
		case i < n && q.meets(&b.runs[i]):
			b.runs[i].lo = q.lo
		case n == maxRuns:
			return false
		default:
			b.insert(i, q)
		}
		return true
	}
	s := &b.runs[i]
	if s.lo != q.lo || s.hi != q.hi {
		s.r = shared(s.r) // h was made from it, and a part of it stays
	}
	switch {
	case s.history == h:
	case s.lo == q.lo && s.hi == q.hi:
		s.history = h
		b.join(i + 1)
		b.join(i)
	case s.lo == q.lo && i > 0 && b.runs[i-1].meets(&q):
		b.runs[i-1].hi = q.hi
		s.lo = q.hi
	case s.hi == q.hi && i+1 < n && q.meets(&b.runs[i+1]):
		b.runs[i+1].lo = q.lo
		s.hi = q.lo
	case n == maxRuns || n == maxRuns-1 && s.lo != q.lo && s.hi != q.hi:
		return false
	case s.lo == q.lo:
		s.lo = q.hi
		b.insert(i, q)
	default:
		if s.hi != q.hi {
			b.insert(i+1, run{q.hi, s.hi, s.history})
		}
		s.hi = q.lo
		b.insert(i+1, q)
	}
	return true
}

// meets reports whether p ends where q begins, with the same history and origins.
//
//go:nosplit
func (p *run) meets(q *run) bool { return p.hi == q.lo && p.history == q.history }

// join merges runs[i] into runs[i-1] if they meet, and reports whether it did.
//
//go:nosplit
func (b *block) join(i uintptr) bool {
	if i == 0 || i >= uintptr(b.n) || !b.runs[i-1].meets(&b.runs[i]) {
		return false
	}
	b.runs[i-1].hi = b.runs[i].hi
	b.remove(i)
	return true
}

//go:nosplit
func (b *block) insert(i uintptr, s run) {
	for j := uintptr(b.n); j > i; j-- {
		b.runs[j] = b.runs[j-1]
	}
	b.runs[i] = s
	b.n++
}

//go:nosplit
func (b *block) remove(i uintptr) {
	b.n--
	for j := i; j < uintptr(b.n); j++ {
		b.runs[j] = b.runs[j+1]
	}
}

// cut removes the history of [lo, hi). It returns false if the block has no room for the
// second part of a divided run.
//
//go:nosplit
func (b *block) cut(lo, hi uintptr) bool {
	for i := uintptr(0); i < uintptr(b.n); {
		s := &b.runs[i]
		switch {
		case uintptr(s.hi) <= lo:
			i++
		case uintptr(s.lo) >= hi:
			return true
		case uintptr(s.lo) >= lo && uintptr(s.hi) <= hi:
			b.remove(i)
		case uintptr(s.lo) >= lo:
			s.lo = uint16(hi)
			return true
		case uintptr(s.hi) <= hi:
			s.hi = uint16(lo)
			i++
		default:
			if b.n == maxRuns {
				return false
			}
			s.r = shared(s.r)
			b.insert(i+1, run{uint16(hi), s.hi, s.history})
			s.hi = uint16(lo)
			return true
		}
	}
	return true
}
