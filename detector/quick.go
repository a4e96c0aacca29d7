package detector

import "unsafe"

// Quick makes an access a part of the history if that is a matter of memos and
// one word or run of the shadow, and otherwise returns false with nothing done:
// the caller then calls Access. Quick may run on the task's own stack. It keeps
// no lock while it waits, calls nothing that grows the stack, and makes no
// report.
//
// What it does is what Access would do. The memo of judge tells the new history
// (w2, r2) of bytes whose history is (w, r). Where both are the same nothing is
// stored. Else the block is locked, if it is free and unchanged, and a whole
// word gets the new history, or the border between two runs moves over the
// bytes, which is how a loop over an array leaves its trace.
//
//go:nosplit
func (e *Engine) Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	m := t.recMemoOf(k, site, pc)
	if !m.is(k, site, pc, stack) {
		m = t.recMemoAcross(k, site, pc)
		if !m.is(k, site, pc, stack) {
			return false
		}
	}
	if m.who != uint64(t.id)<<32|uint64(t.step) || m.set != t.set || t.pending != 0 ||
		t.nHolds != 0 && (!t.setKnown || t.foreign != load32(&e.foreign)) {
		return false
	}
	lo := addr & (blockBytes - 1)
	hi := lo + n
	if hi > blockBytes || n-1 >= wordBytes {
		return false
	}
	i := e.blockAt(addr >> blockShift)
	if i == 0 {
		return false
	}
	a := m.rec
	b := e.block(i)
	v := load32(&b.mu)
	if v&1 != 0 {
		return false
	}
	if p := load32(&b.page); p != 0 {
		if (lo^(hi-1))/wordBytes != 0 {
			return false
		}
		c := &e.page(p).cells[lo/wordBytes%blockWords]
		w, r := load32(&c.w), load32(&c.r)
		j := t.memoOf(a, w, r)
		if j.rec != a || j.w != w || j.r != r {
			return false
		}
		if j.w2 == w && j.r2 == r {
			if load32(&b.mu) != v {
				return false
			}
		} else {
			if n != wordBytes || w&isSplit == isSplit || t.nHolds != 0 || !cas32(&b.mu, v, v+1) {
				return false
			}
			// Unlocked since v was read, hence c is still (w, r).
			c.w, c.r = j.w2, j.r2
			e.unlockSeq(&b.mu)
		}
	} else if !e.quickRun(t, b, v, a, lo, hi) {
		return false
	}
	t.pass(addr, n, k)
	return true
}

// quickRun is Quick for a block of runs, read at the count v.
//
//go:nosplit
func (e *Engine) quickRun(t *Task, b *block, v, a uint32, lo, hi uintptr) bool {
	n := uintptr(load32(&b.n))
	if n > maxRuns || !e.little {
		return false
	}
	for i := uintptr(0); i < n; i++ {
		s := &b.runs[i]
		x := load32((*uint32)(unsafe.Pointer(&s.lo)))
		slo, shi := uintptr(x&0xffff), uintptr(x>>16)
		if shi <= lo {
			continue
		}
		if slo > lo || shi < hi {
			return false
		}
		w, r := load32(&s.w), load32(&s.r)
		j := t.memoOf(a, w, r)
		if j.rec != a || j.w != w || j.r != r {
			return false
		}
		if j.w2 == w && j.r2 == r {
			return load32(&b.mu) == v
		}
		// The bytes are the first of run i; those before them have the history
		// that they are to get.
		if slo != lo || i == 0 || shi <= hi || t.nHolds != 0 || !cas32(&b.mu, v, v+1) {
			return false
		}
		p := &b.runs[i-1]
		ok := uintptr(p.hi) == lo && p.w == j.w2 && p.r == j.r2
		if ok {
			p.hi = uint16(hi)
			s.lo = uint16(hi)
		}
		e.unlockSeq(&b.mu)
		return ok
	}
	// No run reaches lo: the last one may be made longer.
	if n == 0 || t.nHolds != 0 {
		return false
	}
	j := t.memoOf(a, 0, 0)
	if j.rec != a || j.w != 0 || j.r != 0 || !cas32(&b.mu, v, v+1) {
		return false
	}
	p := &b.runs[n-1]
	ok := uintptr(p.hi) == lo && p.w == j.w2 && p.r == j.r2
	if ok {
		p.hi = uint16(hi)
	}
	e.unlockSeq(&b.mu)
	return ok
}
