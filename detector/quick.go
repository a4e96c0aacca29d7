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

// A spot is where Probe has found the bytes of an access, for Quick.
type spot struct {
	block uint32
	seq   uint32  // of a block of runs
	run   uintptr // index of the run that holds the first byte or is the next behind it, or the number of runs
}

// quickBytes is the length up to which an access of a block of cells may go the quick
// way.
const quickBytes = 64

// Probe looks at an access of n bytes at addr by t. It is Covered if the task has
// made a record of each of the bytes in its present step, under the same locks
// and as strong, and it is still in their history. Whatever races with the access
// then races with that one: it would have to be unordered with the step, or to be
// an earlier access, which was judged then. So this holds for an access of any
// site and any calls, and takes neither. Probe stores nothing that others see.
//
//go:nosplit
func (e *Engine) Probe(t *Task, addr, n uintptr, k Kind) int {
	if t.filterAt == 0 && t.lacks() {
		return Unknown
	}
	if t.nHolds != 0 && (!t.setKnown && !e.quickSet(t) || t.foreign != load32(&e.foreign)) {
		return Unknown
	}
	if t.tableTag != addr>>tableShift && !e.findTable(t, addr) {
		return Unknown
	}
	i := load32((*uint32)(unsafe.Add(nil, t.table+addr>>blockShift%tableSlots*4)))
	lo := addr & (blockBytes - 1)
	if lo+n > blockBytes {
		return Unknown
	}
	if i&hasCells == 0 {
		return e.probeRuns(t, addr, lo, n, k, i)
	}
	i &^= hasCells
	t.spot.block = i
	c := e.pages.base + uintptr(i)*blockBytes + addr&(blockBytes-wordBytes)
	if addr%wordBytes+n > wordBytes {
		if n > quickBytes {
			return Unknown
		}
		for end := c + (addr%wordBytes+n+wordBytes-1)&^(wordBytes-1); c < end; c += wordBytes {
			if !e.covers(t, load64((*uint64)(unsafe.Add(nil, c))), k) {
				return Open
			}
		}
	} else if x := load64((*uint64)(unsafe.Add(nil, c))); !e.covers(t, x, k) &&
		(uint32(x)&isSplit != isSplit || !e.coversBytes(t, addr, n, k, c, x)) {
		return Open
	}
	t.pass(addr, n, k)
	return Covered
}

// covers reports whether history x makes an access of kind k Covered, so far as the
// newest records tell.
//
//go:nosplit
func (e *Engine) covers(t *Task, x uint64, k Kind) bool {
	w, r := uint32(x), uint32(x>>32)
	if w&listed != 0 && w&isSplit != isSplit {
		w = e.listNode(w & indexOf).record
	}
	if r&listed != 0 {
		r = e.listNode(r & indexOf).record
	}
	switch k {
	case Read:
		return r == t.records[Read] || w == t.records[Write]
	case Write:
		return w == t.records[Write]
	}
	return t.owns(w, k) || !k.writes() && t.owns(r, k)
}

// coversBytes is covers for the bytes of a split word whose cell, at address c, is x.
//
//go:nosplit
func (e *Engine) coversBytes(t *Task, addr, n uintptr, k Kind, c uintptr, x uint64) bool {
	b := e.block(t.spot.block)
	v := load32(&b.mu)
	w := e.split(uint32(x) & indexOf)
	for j := addr % wordBytes; j < addr%wordBytes+n; j++ {
		if !e.covers(t, load64((*uint64)(unsafe.Pointer(&w.bytes[j%wordBytes]))), k) {
			return false
		}
	}
	// The splitWord may have become another word's meanwhile.
	return v&1 == 0 && load64((*uint64)(unsafe.Add(nil, c))) == x && load32(&b.mu) == v
}

// probeRuns is Probe for what lies in no cell. Entry i of the directory names the
// block; block 0, of entries not in use, has no runs.
//
//go:nosplit
func (e *Engine) probeRuns(t *Task, addr, lo, n uintptr, k Kind, i uint32) int {
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
			if uintptr(p&0xffff) <= lo && uintptr(p>>16) >= lo+n {
				x = bits(load32(&r.w), load32(&r.r))
			}
			break
		}
	}
	t.spot = spot{i, v, j}
	if !e.covers(t, x, k) || load32(&b.mu) != v {
		return Open
	}
	t.pass(addr, n, k)
	return Covered
}

// foresee is judge for the common case: histories of single records that precede t and
// that its access of kind k can stand for, with no critical section to be joined. It
// returns nil if there is more to it.
//
//go:nosplit
func (e *Engine) foresee(t *Task, x uint64, k Kind) *answer {
	w, r := uint32(x), uint32(x>>32)
	if (w|r)&listed != 0 {
		return nil
	}
	stays := t.owns(w, k) || !k.writes() && t.owns(r, k)
	switch {
	case k.writes() && stays:
		if r != 0 && !e.quiet(t, r) {
			return nil
		}
	case k.writes():
		if w != 0 && !e.yields(t, w, k) || r != 0 && (k.atomic() || !e.yields(t, r, k)) {
			return nil
		}
	case w != 0 && !e.quiet(t, w), !stays && r != 0 && !e.yields(t, r, k):
		return nil
	}
	y := x
	if !stays {
		a := t.records[k%kinds]
		if a == noRecord {
			if a = t.spare; a == 0 || t.sweeps != e.sweeps {
				return nil
			}
			t.spare = e.record(a).task
			e.makeRecord(t, k, a)
		}
		if y = bits(a, 0); !k.writes() {
			y = bits(w, a)
		}
	}
	t.remember(x, k, y, cell{}, 0)
	return t.answerOf(x, k)
}

// yields reports whether an access of kind k by t is known to stand for record i.
//
//go:nosplit
func (e *Engine) yields(t *Task, i uint32, k Kind) bool {
	p := e.record(i)
	if !coversKind(k, p.kind) {
		return false
	}
	if p.task == t.id {
		return e.sameLocks(t, p.set, t.set)
	}
	return p.set|t.set == 0 && t.follows(p.task, p.step)
}

// quiet reports whether record i is known to precede t, without a critical
// section that t's would have to be ordered after.
//
//go:nosplit
func (e *Engine) quiet(t *Task, i uint32) bool {
	p := e.record(i)
	return p.task == t.id || (p.set == 0 || t.set == 0) && t.follows(p.task, p.step)
}

// sameLocks reports whether lockset y holds what t's earlier x did, in critical
// sections of before that have ended.
//
//go:nosplit
func (e *Engine) sameLocks(t *Task, x, y uint32) bool {
	if x == y {
		return true
	}
	if x&y&oneLock == 0 {
		return false
	}
	c, d := e.section(x&^oneLock), e.section(y&^oneLock)
	return c.lock == d.lock && c.shared() == d.shared() && load32(&c.ended) != 0 && c.endTask == t.id
}

// Quick makes an access that Probe has just found Open a part of the history, if that
// takes no look at lists, no search for order, and no memory but what the task has in
// stock, and otherwise returns false. It does what Access would do; if it has done a
// part of it, Access may do the whole.
//
//go:nosplit
func (e *Engine) Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	if t.sweeps != e.sweeps {
		return false
	}
	o := e.quickOrigin(t, site, pc, stack)
	if o == 0 {
		return false
	}
	s := &t.spot
	b := e.block(s.block)
	v := load32(&b.mu)
	if !tryLockSeq(&b.mu, v) {
		return false
	}
	t.kind, t.origin, t.merging = k, o, n > wordBytes
	lo := addr & (blockBytes - 1)
	ok := false
	if b.page != 0 {
		ok = n == wordBytes && e.quickWord(t, b, lo, k, o) || n <= quickBytes && e.quickCells(t, b, lo, lo+n)
	} else {
		ok = v == s.seq && b.next != 0 && e.quickRuns(t, b, lo, lo+n)
	}
	e.unlockSeq(&b.mu)
	if ok {
		t.pass(addr, n, k)
	}
	return ok
}

// quickJudge is judge for bytes of history x and origins from; the kind and origin of
// the access are t's. It returns false if it does not know. Histories go in and out as
// the numbers that they are in memory: a processor that has just stored two halves
// waits before it can load the whole.
//
//go:nosplit
func (e *Engine) quickJudge(t *Task, x, from uint64, k Kind) (y, origins uint64, ok bool) {
	m := t.answerFor(x, k)
	if m == nil {
		if m = e.foresee(t, x, k); m == nil {
			return 0, 0, false
		}
	}
	if m.origin != 0 && (m.origin != t.origin || bits(m.from.w, m.from.r) != plainOrigins(x, from)) {
		return 0, 0, false
	}
	return m.new, t.origins(x, m.new, from), true
}

// origins is follow for the origins of history x that becomes y. Those that mean
// nothing stay.
//
//go:nosplit
func (t *Task) origins(x, y, from uint64) uint64 {
	a := t.records[t.kind%kinds]
	if uint32(y) == a && (uint32(x) != a || t.merging) {
		from = from&^(1<<32-1) | uint64(t.origin)
	}
	if uint32(y>>32) == a && (uint32(x>>32) != a || t.merging) {
		from = from&(1<<32-1) | uint64(t.origin)<<32
	}
	return from
}

// plainOrigins returns the origins that mean something in history x.
//
//go:nosplit
func plainOrigins(x, from uint64) uint64 {
	if !single(uint32(x)) {
		from &^= 1<<32 - 1
	}
	if !single(uint32(x >> 32)) {
		from &= 1<<32 - 1
	}
	return from
}

// quickWord is quickCells for a word, as it is most often.
//
//go:nosplit
func (e *Engine) quickWord(t *Task, b *block, lo uintptr, k Kind, o uint32) bool {
	if lo%wordBytes != 0 {
		return false
	}
	c := (*uint64)(unsafe.Add(nil, e.pages.base+uintptr(b.page)*blockBytes+lo))
	x := *c
	m := t.answerOf(x, k)
	if uint32(x)&isSplit == isSplit || m.old != x || m.key != t.answerKey(k) || m.origin != 0 {
		return false
	}
	*c = m.new
	f := (*cell)(unsafe.Add(unsafe.Pointer(c), e.fromPages))
	a := t.records[k%kinds]
	if uint32(m.new) == a && uint32(x) != a {
		f.w = o
	}
	if uint32(m.new>>32) == a && uint32(x>>32) != a {
		f.r = o
	}
	return true
}

// quickCells is Quick for the bytes [lo, hi) of a block of cells.
//
//go:nosplit
func (e *Engine) quickCells(t *Task, b *block, lo, hi uintptr) bool {
	k := t.kind
	for lo < hi {
		next := min((lo|(wordBytes-1))+1, hi)
		c := (*uint64)(unsafe.Add(nil, e.pages.base+uintptr(b.page)*blockBytes+lo&(blockBytes-wordBytes)))
		x := *c
		if uint32(x)&isSplit != isSplit {
			f := (*uint64)(unsafe.Add(unsafe.Pointer(c), e.fromPages))
			from := *f
			y, g, ok := e.quickJudge(t, x, from, k)
			if !ok {
				return false
			}
			if next-lo == wordBytes {
				*c, *f = y, g
				lo = next
				continue
			}
			if y == x && g == from {
				lo = next
				continue
			}
			i := t.spareSplits
			if i == 0 {
				return false
			}
			t.spareSplits = e.split(i).next
			e.divide(e.wordOf(uintptr(unsafe.Pointer(c))), i)
		}
		s := e.split(uint32(*c) & indexOf)
		lastX, lastFrom, y, g := noHistory, uint64(0), uint64(0), uint64(0)
		for ; lo < next; lo++ {
			p := (*uint64)(unsafe.Pointer(&s.bytes[lo%wordBytes]))
			q := (*uint64)(unsafe.Pointer(&s.from[lo%wordBytes]))
			if x, from := *p, *q; x != lastX || from != lastFrom {
				var ok bool
				if y, g, ok = e.quickJudge(t, x, from, k); !ok {
					return false
				}
				lastX, lastFrom = x, from
			}
			*p, *q = y, g
		}
		if next%wordBytes == 0 {
			e.undivide(t, e.wordOf(uintptr(unsafe.Pointer(c))))
		}
	}
	return true
}

// noHistory is no history.
const noHistory = ^uint64(0)

// quickRuns is Quick for the bytes [lo, hi) of a block of runs.
//
//go:nosplit
func (e *Engine) quickRuns(t *Task, b *block, lo, hi uintptr) bool {
	i := t.spot.run
	for lo < hi {
		end, h := b.piece(i, lo, hi)
		x := bits(h.w, h.r)
		y, g, ok := e.quickJudge(t, x, bits(h.from.w, h.from.r), t.kind)
		if !ok {
			return false
		}
		g = plainOrigins(y, g)
		if !b.put(i, lo, end, history{cell{uint32(y), uint32(y >> 32)}, cell{uint32(g), uint32(g >> 32)}}) {
			return false
		}
		lo = end
		i = b.behind(i, lo)
	}
	return true
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
