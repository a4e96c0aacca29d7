package detector

// updateRuns makes an access of record a part of the history of [lo, hi) in a
// block of runs; base is the block's address.
func (e *Engine) updateRuns(t *Task, b *block, a uint32, base, lo, hi uintptr) {
	i := uintptr(b.n)
	if i != 0 && uintptr(b.runs[i-1].hi) > lo {
		for i = 0; uintptr(b.runs[i].hi) <= lo; {
			i++
		}
	}
	for lo < hi {
		// runs[i-1] ends at or before lo and runs[i], if there is one, after it.
		end, old := hi, run{}
		if i < uintptr(b.n) {
			if s := b.runs[i]; uintptr(s.lo) > lo {
				end = min(hi, uintptr(s.lo))
			} else {
				end, old = min(hi, uintptr(s.hi)), s
			}
		}
		w, r, _ := e.judge(t, a, old.w, old.r, base+lo, end-lo)
		if !b.put(i, lo, end, w, r) {
			e.makeCells(b)
			e.updateCells(t, b, a, base, lo, hi)
			return
		}
		lo = end
		if i > 0 {
			i-- // put may have merged runs
		}
		for i < uintptr(b.n) && uintptr(b.runs[i].hi) <= lo {
			i++
		}
	}
}

// put gives [lo, hi) the history (w, r). They lie in runs[i] or in the gap in front
// of it. It returns false, with nothing done, if there is no room for the runs that
// it takes.
//
//go:nosplit
func (b *block) put(i, lo, hi uintptr, w, r uint32) bool {
	n := uintptr(b.n)
	q := run{uint16(lo), uint16(hi), w, r}
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
	switch {
	case s.w == w && s.r == r:
	case s.lo == q.lo && s.hi == q.hi:
		s.w, s.r = w, r
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
			b.insert(i+1, run{q.hi, s.hi, s.w, s.r})
		}
		s.hi = q.lo
		b.insert(i+1, q)
	}
	return true
}

// meets reports whether p ends where q begins, with the same history.
//
//go:nosplit
func (p *run) meets(q *run) bool { return p.hi == q.lo && p.w == q.w && p.r == q.r }

// join merges runs[i] into runs[i-1] if they meet, and says whether.
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

// cut removes the history of [lo, hi). It returns false if there is no room for
// the run that is left in two.
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
			b.insert(i+1, run{uint16(hi), s.hi, s.w, s.r})
			s.hi = uint16(lo)
			return true
		}
	}
	return true
}
