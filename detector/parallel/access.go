package parallel

import "taskinstr/detector/mem"

// Access records an access of n bytes at addr by t. site is the host's name for a place
// in the source, pc the instruction, and stack the calling context.
func (e *Engine) Access(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) {
	if n == 0 {
		return
	}
	e.Restock(t)
	if t.filterAt == 0 && t.patience == 0 {
		e.giveFilter(t)
	}
	e.recordOf(t, k)
	t.kind, t.origin = k, e.quickOrigin(t, site, pc, stack)
	if lo := addr & (blockBytes - 1); lo+n <= blockBytes {
		e.accessBlock(t, e.block(e.needBlock(addr>>blockShift)), addr-lo, lo, lo+n)
	} else {
		e.accessLong(t, addr, n)
	}
	t.addToFilter(addr, n, k)
	if t.pending|t.candidate != 0 {
		e.deliver(t)
	}
}

// accessBlock records an access that lies within one block.
func (e *Engine) accessBlock(t *Task, b *block, base, lo, hi uintptr) {
	mem.LockSeq(&b.mu)
	if t.exposed {
		var d doubtful
		e.doubtBlock(t, &d, b, base, lo, hi)
		if d.n != 0 {
			t.sure = true
			e.joinBlock(t, b, lo, hi)
			e.doubtBlock(t, &d, b, base, lo, hi)
			t.sure = false
		}
	}
	if t.nHolds != 0 && e.joinsNow() {
		e.joinBlock(t, b, lo, hi)
	}
	e.update(t, b, base, lo, hi)
	e.unlockSeq(&b.mu)
}

// accessLong records an access to several blocks. It joins the critical sections of all
// bytes before it judges any of them.
func (e *Engine) accessLong(t *Task, addr, n uintptr) {
	joins := func(b *block, _, lo, hi uintptr) { e.joinBlock(t, b, lo, hi) }
	if t.exposed {
		var d doubtful
		doubts := func(b *block, base, lo, hi uintptr) { e.doubtBlock(t, &d, b, base, lo, hi) }
		e.eachBlock(addr, n, doubts)
		if d.n != 0 {
			t.sure = true
			e.eachBlock(addr, n, joins)
			e.eachBlock(addr, n, doubts)
			t.sure = false
		}
	}
	if t.nHolds != 0 && e.joinsNow() {
		e.eachBlock(addr, n, joins)
	}
	e.eachBlock(addr, n, func(b *block, base, lo, hi uintptr) { e.update(t, b, base, lo, hi) })
}

// eachBlock calls f for the bytes [lo, hi) of each block, locked, that n bytes at addr lie in.
func (e *Engine) eachBlock(addr, n uintptr, f func(b *block, base, lo, hi uintptr)) {
	for p, end := addr, addr+n; p < end; {
		next := min((p|(blockBytes-1))+1, end)
		b, lo := e.openBlock(p>>blockShift), p&(blockBytes-1)
		f(b, p-lo, lo, lo+next-p)
		e.unlockSeq(&b.mu)
		p = next
	}
}

// JoinsSections reports whether conflicting critical sections are ordered, while predictions are made.
func (e *Engine) JoinsSections() bool { return !e.opt.NoPredict && !e.opt.All }

// joinsNow reports whether predictions are made, and conflicting critical sections ordered, at present.
//
//go:nosplit
func (e *Engine) joinsNow() bool { return mem.Load32(&e.unpredicted) == 0 && !e.opt.All }

// update makes an access of t part of the history of the bytes [lo, hi) of b, which
// begins at address base.
func (e *Engine) update(t *Task, b *block, base, lo, hi uintptr) {
	if b.next == 0 {
		e.touch(b)
	}
	t.healing = hi-lo > healBytes
	if b.page != 0 {
		e.updateCells(t, b, base, lo, hi)
	} else {
		e.updateRuns(t, b, base, lo, hi)
	}
}

// joinBlock joins the critical sections in the history of the bytes [lo, hi) of b.
func (e *Engine) joinBlock(t *Task, b *block, lo, hi uintptr) {
	if b.page == 0 {
		for i := uint32(0); i < b.n; i++ {
			if s := &b.runs[i]; uintptr(s.hi) > lo && uintptr(s.lo) < hi {
				e.joinSections(t, s.cell)
			}
		}
		return
	}
	for lo < hi {
		w := e.wordAt(b.page, lo)
		next := min((lo|(wordBytes-1))+1, hi)
		if !w.split() {
			e.joinSections(t, w.cell)
		} else {
			for i := w.w & indexOf; i != 0; i = e.split(i).next {
				s := e.split(i)
				for p, m := range s.masks {
					if uint32(m)&maskOf(lo, next-lo) != 0 {
						e.joinSections(t, s.pieces[p].cell)
					}
				}
			}
		}
		lo = next
	}
}
