package detector

import "unsafe"

// Quick makes an access a part of the history if that is a matter of what the
// task remembers and of one word or run of the shadow, and otherwise returns
// false with nothing done: the caller then calls Access. Quick may run on the
// task's own stack. It keeps no lock while it waits, calls nothing that grows the
// stack, and makes no report.
//
// What it does is what Access would do. The task's memo of the place tells what
// the history of the bytes becomes. Where that is what it is, nothing is stored.
// Else the block is locked, if it is free and unchanged, and a whole word gets
// the new history, or the border between two runs moves over the bytes, which is
// how a loop over an array leaves its trace.
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
	if m.who != uint64(t.id)<<32|uint64(t.step) || m.set != t.set ||
		t.nHolds != 0 && (!t.setKnown || t.foreign != load32(&e.foreign)) {
		return false
	}
	lo := addr & (blockBytes - 1)
	if lo+n > blockBytes || n == 0 {
		return false
	}
	if t.tableTag != addr>>tableShift || t.table == 0 {
		if !e.findTable(t, addr) {
			return false
		}
	}
	i := load32((*uint32)(unsafe.Add(nil, t.table+addr>>blockShift%tableSlots*4)))
	if i == 0 {
		return false
	}
	if i&hasCells == 0 {
		if !e.quickRun(t, e.block(i), m, lo, lo+n) {
			return false
		}
		t.pass(addr, n, k)
		return true
	}
	if lo%wordBytes+n > wordBytes {
		return false
	}
	i &^= hasCells
	c := (*uint64)(unsafe.Add(nil, e.pages.base+uintptr(i)*blockBytes+lo&^(wordBytes-1)))
	x := load64(c)
	var y uint64
	switch {
	case uint32(x)&isSplit == isSplit || n != wordBytes:
		b := t.byteMemoOf(x, m.rec, lo, n)
		if !b.is(x, m.rec, lo, n) {
			return false
		}
		y = b.new
	case x == m.old[0]:
		y = m.new[0]
	case x == m.old[1]:
		y = m.new[1]
	default:
		return false
	}
	// If the cell stays as it is, it does not matter what others are about to do
	// to the block: they come after this access.
	if x != y {
		b := e.block(i)
		if v := load32(&b.mu); v&1 != 0 || !cas32(&b.mu, v, v+1) {
			return false
		}
		ok := b.page != 0 && *c == x
		if ok {
			*c = y
		}
		e.unlockSeq(&b.mu)
		if !ok {
			return false
		}
	}
	t.pass(addr, n, k)
	return true
}

// findTable makes the table that covers addr the one t used last, if there is
// one. There is never one for big-endian processors, because Quick reads pairs of
// fields at once.
//
//go:nosplit
func (e *Engine) findTable(t *Task, addr uintptr) bool {
	i := load32(e.dir.at32(addr >> tableShift % dirEntries))
	if i == 0 || !e.little {
		return false
	}
	t.tableTag = addr >> tableShift
	t.table = e.tables.base + uintptr(i)*tableBytes
	return true
}

// quickRun is Quick for a block of runs.
//
//go:nosplit
func (e *Engine) quickRun(t *Task, b *block, m *recMemo, lo, hi uintptr) bool {
	v := load32(&b.mu)
	if v&1 != 0 || load32(&b.page) != 0 {
		return false
	}
	n := uintptr(load32(&b.n))
	if n > maxRuns {
		return false
	}
	for i := uintptr(0); i < n; i++ {
		s := &b.runs[i]
		p := load32((*uint32)(unsafe.Pointer(&s.lo)))
		slo, shi := uintptr(p&0xffff), uintptr(p>>16)
		if shi <= lo {
			continue
		}
		if slo > lo || shi < hi {
			return false
		}
		x := bits(load32(&s.w), load32(&s.r))
		y := m.new[0]
		if x != m.old[0] {
			if x != m.old[1] {
				return false
			}
			y = m.new[1]
		}
		if x == y {
			return load32(&b.mu) == v
		}
		// The bytes are the first of run i; those before them have the history
		// that they are to get.
		if slo != lo || i == 0 || shi == hi || !cas32(&b.mu, v, v+1) {
			return false
		}
		q := &b.runs[i-1]
		ok := uintptr(q.hi) == lo && bits(q.w, q.r) == y
		if ok {
			q.hi = uint16(hi)
			s.lo = uint16(hi)
		}
		e.unlockSeq(&b.mu)
		return ok
	}
	// No run reaches lo: the last one may be made longer.
	if n == 0 {
		return false
	}
	y := m.new[0]
	if m.old[0] != 0 {
		if m.old[1] != 0 {
			return false
		}
		y = m.new[1]
	}
	if !cas32(&b.mu, v, v+1) {
		return false
	}
	q := &b.runs[n-1]
	ok := uintptr(q.hi) == lo && bits(q.w, q.r) == y
	if ok {
		q.hi = uint16(hi)
	}
	e.unlockSeq(&b.mu)
	return ok
}
