package detector

import "unsafe"

// An access takes one of three ways. Probe looks at the history of its bytes and
// tells whether the access needs a record at all. Quick, where Probe has found the
// bytes in one word or run, makes it a part of the history if the task remembers
// what comes of it. Access does the rest. The first two may run on the task's own
// stack: they wait for no lock, call nothing that grows the stack, and make no
// report.

// What Probe has found.
const (
	Unknown = iota // call Access
	Covered        // nothing is to be done
	Open           // Quick may do, else Access
)

// A spot is what Probe saw of the bytes of an access, for Quick.
type spot struct {
	addr  uintptr // 0 if they were not found in one cell
	cell  uintptr // the address of the word's cell, 0 in a block of runs
	block uint32
	seq   uint32  // the block's, where it has runs
	run   uintptr // index of the run that holds the bytes or is the next behind them, or the number of runs
	bits  uint64  // the history of the word or the run
}

// Probe looks at an access of n bytes at addr by t. It is Covered if the task has
// made a record of each of the bytes in its present step, under the same locks
// and as strong, and it is still in their history. Whatever races with the access
// then races with that one: it would have to be unordered with the step, or to be
// an earlier access, which was judged then. So this holds for an access of any
// site and any calls, and takes neither. Probe stores nothing but the filter.
//
//go:nosplit
func (e *Engine) Probe(t *Task, addr, n uintptr, k Kind) int {
	if t.filterAt == 0 && t.lacks() {
		return Unknown
	}
	if t.nHolds != 0 && (!t.setKnown || t.foreign != load32(&e.foreign)) {
		return Unknown
	}
	if t.tableTag != addr>>tableShift && !e.findTable(t, addr) {
		return Unknown
	}
	i := load32((*uint32)(unsafe.Add(nil, t.table+addr>>blockShift%tableSlots*4)))
	if i&hasCells == 0 || addr%wordBytes+n > wordBytes {
		return e.probeRuns(t, addr, n, k, i)
	}
	c := e.pages.base + uintptr(i&^hasCells)*blockBytes + addr&(blockBytes-wordBytes)
	x := load64((*uint64)(unsafe.Add(nil, c)))
	m := t.seenOf(x)
	known := m.bits == x
	if known && m.key == t.key|uint64(k) {
		t.pass(addr, n, k)
		return Covered
	}
	s := &t.spot
	s.addr, s.cell, s.block, s.bits = addr, c, i&^hasCells, x
	if known && m.key&^seenReplaced == t.key|uint64(k)|seenOpen {
		return Open
	}
	return e.probeBits(t, addr, n, k, x)
}

// probeRuns is Probe for what lies in no cell. Entry i of the directory names the
// block; block 0, of entries not in use, has no runs.
//
//go:nosplit
func (e *Engine) probeRuns(t *Task, addr, n uintptr, k Kind, i uint32) int {
	lo := addr & (blockBytes - 1)
	if i&hasCells != 0 || lo+n > blockBytes {
		return Unknown
	}
	b := e.block(i)
	v := load32(&b.mu)
	m := uintptr(load32(&b.n))
	if v&1 != 0 || load32(&b.page) != 0 || m > maxRuns {
		return Unknown
	}
	x := uint64(0)
	j := uintptr(0)
	for ; j < m; j++ {
		r := &b.runs[j]
		if p := load32((*uint32)(unsafe.Pointer(&r.lo))); uintptr(p>>16) > lo {
			if from := uintptr(p & 0xffff); from <= lo && uintptr(p>>16) >= lo+n {
				x = bits(load32(&r.w), load32(&r.r))
			} else if from < lo+n {
				return Unknown
			}
			break
		}
	}
	if load32(&b.mu) != v {
		return Unknown
	}
	c := t.seenOf(x)
	known := c.bits == x
	if known && c.key == t.key|uint64(k) {
		t.pass(addr, n, k)
		return Covered
	}
	t.spot = spot{block: i, seq: v, run: j, bits: x}
	if known && c.key&^seenReplaced == t.key|uint64(k)|seenOpen {
		return Open
	}
	return e.probeBits(t, addr, n, k, x)
}

// probeBits is Probe for bytes whose history is x, which t does not remember.
//
//go:nosplit
func (e *Engine) probeBits(t *Task, addr, n uintptr, k Kind, x uint64) int {
	if uint32(x)&isSplit == isSplit {
		return e.probeBytes(t, addr, n, k)
	}
	if !e.covers(t, uint32(x), uint32(x>>32), k) {
		t.see(x, k, seenOpen)
		return Open
	}
	t.see(x, k, 0)
	t.pass(addr, n, k)
	return Covered
}

//go:nosplit
func (t *Task) seenOf(x uint64) *seenMemo {
	return &t.seen[(uint32(x)^uint32(x>>32))%seenCache]
}

// see remembers of history x what how says, for accesses of kind k.
//
//go:nosplit
func (t *Task) see(x uint64, k Kind, how uint64) {
	*t.seenOf(x) = seenMemo{x, t.key | uint64(k) | how}
}

// A seenMemo remembers that history bits covers accesses of a kind in an epoch or,
// with seenOpen, that it did not when last looked at; with seenReplaced also that
// one raced with nothing and took the place of all writes and reads or, if it was a
// read, of all reads. So will another one of the epoch, whatever its record: to
// become history bits once more, the bytes must not have been accessed unordered
// with the first. Epochs come round, see newEpoch.
type seenMemo struct {
	bits, key uint64
}

const (
	seenOpen = 1 << (2 + iota) // above the kinds
	seenReplaced
)

// judged notes that judging record a, of kind k, against history x found no race and
// made it y.
func (t *Task) judged(a uint32, k Kind, x, y uint64) {
	switch y {
	case x:
		t.see(x, k, 0)
	case replacing(a, k, x):
		t.see(x, k, seenOpen|seenReplaced)
	}
}

// replaces reports whether an access of kind k is known to replace what it conflicts
// with in history x.
func (t *Task) replaces(k Kind, x uint64) bool {
	m := t.seenOf(x)
	return x == 0 || m.bits == x && m.key == t.key|uint64(k)|seenOpen|seenReplaced
}

// replacing returns history x with record a of kind k in the place of what it can
// stand for.
func replacing(a uint32, k Kind, x uint64) uint64 {
	if k.writes() {
		return bits(a, 0)
	}
	return bits(uint32(x), a)
}

// replace makes an access of a whole word, of record a, that Probe has found Open, the
// history of the word, if it is known to replace what it conflicts with.
func (e *Engine) replace(t *Task, a uint32, k Kind) bool {
	s := &t.spot
	x := s.bits
	if !t.replaces(k, x) {
		return false
	}
	b := e.block(s.block)
	lockSeq(&b.mu)
	c := (*uint64)(unsafe.Add(nil, s.cell))
	ok := b.page != 0 && *c == x
	if ok {
		*c = replacing(a, k, x)
		t.recMemo(t.cur).learn(t, x, *c)
	}
	e.unlockSeq(&b.mu)
	return ok
}

// probeBytes is Probe for the bytes of a split word.
//
//go:nosplit
func (e *Engine) probeBytes(t *Task, addr, n uintptr, k Kind) int {
	w := e.split(uint32(t.spot.bits) & indexOf)
	for j := addr % wordBytes; j < addr%wordBytes+n; j++ {
		c := &w.bytes[j%wordBytes]
		if !e.covers(t, c.w, c.r, k) {
			return Open
		}
	}
	t.pass(addr, n, k)
	return Covered
}

// covers reports whether the history (w, r) makes an access Covered.
//
//go:nosplit
func (e *Engine) covers(t *Task, w, r uint32, k Kind) bool {
	return w != 0 && e.coveredBy(t, w, k) || r != 0 && !k.writes() && e.coveredBy(t, r, k)
}

// coveredBy looks at the newest record of h alone.
//
//go:nosplit
func (e *Engine) coveredBy(t *Task, h uint32, k Kind) bool {
	if h&listed != 0 {
		h = e.listNode(h & indexOf).record
	}
	r := e.record(h)
	return r.task == t.id && r.step == t.step && r.set == t.set && e.coversKind(r.kind(), k)
}

// Quick makes an access that Probe has just found Open a part of the history, if
// the task remembers the place and what the history becomes, and otherwise
// returns false with nothing done.
//
// What it does is what Access would do. Where the history stays what it is,
// nothing is stored. Else the block is locked, if it is free and unchanged, and
// the word or a part of the run gets the new history.
//
//go:nosplit
func (e *Engine) Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	o := e.originOf(site, pc)
	how := uint32(k)<<stackBits | stack
	slot := t.recSlot(o, how)
	m := t.recMemo(slot)
	if !m.is(o, how) {
		m = t.recMemo(t.otherRec(slot))
		if !m.is(o, how) {
			return false
		}
	}
	if m.set != t.set {
		return false
	}
	if m.who != t.who() {
		return e.quickRenew(t, m, addr, n, k)
	}
	if m.renewed && !m.alone(addr, n) {
		return false
	}
	s := &t.spot
	lo := addr & (blockBytes - 1)
	x := s.bits
	var y uint64
	switch {
	case s.cell != 0 && (uint32(x)&isSplit == isSplit || n != wordBytes):
		b := t.byteMemoOf(x, m.rec, lo, n)
		if !t.remembers(b, x, m.rec, lo, n) {
			return false
		}
		y = b.new
	case m.epoch != t.epoch():
		return false
	case x == m.old[0]:
		y = m.new[0]
	case x == m.old[1]:
		y = m.new[1]
	default:
		return false
	}
	b := e.block(s.block)
	if !m.alone(addr, n) {
		m.addr = 0
	}
	switch {
	case x == y && uint32(x)&isSplit != isSplit:
		t.see(x, k, 0) // from now on, for Probe
	case s.cell == 0:
		if !e.quickRun(s, b, x, y, lo, lo+n) {
			return false
		}
	case x != y:
		// If the cell stays as it is, it does not matter what others are about to
		// do to the block: they come after this access.
		if !tryLockSeq(&b.mu, load32(&b.mu)) {
			return false
		}
		c := (*uint64)(unsafe.Add(nil, s.cell))
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

// quickRenew is Quick where the record of m is of an earlier step and can be renewed.
//
//go:nosplit
func (e *Engine) quickRenew(t *Task, m *recMemo, addr, n uintptr, k Kind) bool {
	s := &t.spot
	x := s.bits
	if !e.harmless(m, x, k) || uint32(m.who>>32) != t.id || !m.alone(addr, n) || t.sweeps != e.sweeps {
		return false
	}
	b := e.block(s.block)
	v := s.seq
	if s.cell != 0 {
		v = load32(&b.mu)
	}
	if !tryLockSeq(&b.mu, v) {
		return false
	}
	ok := s.cell == 0 || b.page != 0 && *(*uint64)(unsafe.Add(nil, s.cell)) == x
	if ok {
		e.renewRecord(t, m)
		m.now(t)
	}
	e.unlockSeq(&b.mu)
	if ok {
		t.pass(addr, n, k)
	}
	return ok
}

// findTable makes the table that covers addr the one t used last, if there is
// one. There is never one for big-endian processors, because Probe reads pairs of
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

// quickRun is Quick for a block of runs, where [lo, hi) with history x gets y.
//
//go:nosplit
func (e *Engine) quickRun(s *spot, b *block, x, y uint64, lo, hi uintptr) bool {
	if x == y {
		return true
	}
	if !tryLockSeq(&b.mu, s.seq) {
		return false
	}
	ok := b.next != 0 && b.put(s.run, lo, hi, uint32(y), uint32(y>>32))
	e.unlockSeq(&b.mu)
	return ok
}
