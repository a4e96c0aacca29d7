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
		if i == uintptr(b.n) || uintptr(b.runs[i].lo) > lo {
			end := hi
			if i < uintptr(b.n) {
				end = min(end, uintptr(b.runs[i].lo))
			}
			w, r, _ := e.judge(t, a, 0, 0, base+lo, end-lo)
			if i > 0 {
				if p := &b.runs[i-1]; uintptr(p.hi) == lo && p.w == w && p.r == r {
					p.hi = uint16(end)
					lo = end
					continue
				}
			}
			if b.n == maxRuns {
				e.makeCells(b)
				e.updateCells(t, b, a, base, lo, hi)
				return
			}
			b.insert(i, run{uint16(lo), uint16(end), w, r})
			i++
			lo = end
			continue
		}
		s := &b.runs[i]
		end := min(hi, uintptr(s.hi))
		w, r, _ := e.judge(t, a, s.w, s.r, base+lo, end-lo)
		if w != s.w || r != s.r {
			if b.n > maxRuns-2 {
				e.makeCells(b)
				e.updateCells(t, b, a, base, lo, hi)
				return
			}
			if end < uintptr(s.hi) {
				b.insert(i+1, run{uint16(end), s.hi, s.w, s.r})
				s.hi = uint16(end)
			}
			if uintptr(s.lo) < lo {
				s.hi = uint16(lo)
				i++
				b.insert(i, run{uint16(lo), uint16(end), w, r})
			} else {
				s.w, s.r = w, r
			}
		}
		if !b.join(i) {
			i++
		}
		lo = end
	}
	b.join(i)
}

// join merges runs[i] into runs[i-1] if nothing lies between and they are equal.
func (b *block) join(i uintptr) bool {
	if i == 0 || i >= uintptr(b.n) {
		return false
	}
	p, q := &b.runs[i-1], &b.runs[i]
	if p.hi != q.lo || p.w != q.w || p.r != q.r {
		return false
	}
	p.hi = q.hi
	b.remove(i)
	return true
}

func (b *block) insert(i uintptr, s run) {
	for j := uintptr(b.n); j > i; j-- {
		b.runs[j] = b.runs[j-1]
	}
	b.runs[i] = s
	b.n++
}

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
