package detector

import "unsafe"

// An access takes one of three paths. Probe looks at the history of its bytes and tells
// whether the access needs a record at all. If Probe has found the bytes in one word or
// run, Quick makes the access part of the history, provided that the outcome takes no
// search. Access does everything else. Probe and Quick may run on the task's own stack:
// they wait for locks only briefly, call nothing that grows the stack, and make no
// report.

// The results of Probe.
const (
	Unknown = iota // Access must handle the access
	Covered        // the access needs no work
	Open           // Quick may succeed; if not, Access must handle the access
)

// A spot is the place at which Probe has found the bytes of an access, for Quick.
type spot struct {
	block uint32
	seq   uint32  // of a block of runs: its mu when Probe read it
	run   uintptr // index of the first run that ends behind the first byte, or the number of runs
}

// quickBytes is the length up to which Quick handles an access to a block of cells.
const quickBytes = 1024

// Probe looks at an access of n bytes at addr by t. The access is Covered if the history
// of each byte still contains a record of the task's present step and locks whose kind is
// at least as strong. Every access that races with this one then races with the recorded
// one: it either is not ordered with the step, or came earlier and was judged against the
// record. This does not depend on the site or the calls, so Probe takes neither. Probe
// stores nothing that other tasks see.
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
	if lo+n > blockBytes || i == 0 {
		return Unknown
	}
	if i&hasCells == 0 {
		return e.probeRuns(t, addr, lo, n, k, i)
	}
	i &^= hasCells
	t.spot.block = i
	c := uintptr(unsafe.Pointer(e.wordAt(i, addr)))
	if addr%wordBytes+n > wordBytes {
		if n > quickBytes {
			return Unknown
		}
		for end := c + (addr%wordBytes+n+wordBytes-1)/wordBytes*unsafe.Sizeof(history{}); c < end; c += unsafe.Sizeof(history{}) {
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

// covers reports whether the newest records of history x make an access of kind k
// Covered.
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

// coversBytes is covers for the bytes of a split word; c is the address of its cell and x
// the cell's value.
//
//go:nosplit
func (e *Engine) coversBytes(t *Task, addr, n uintptr, k Kind, c uintptr, x uint64) bool {
	b := e.block(t.spot.block)
	v := load32(&b.mu)
	w := e.split(uint32(x) & indexOf)
	for j := addr % wordBytes; j < addr%wordBytes+n; j++ {
		if !e.covers(t, load64((*uint64)(unsafe.Pointer(&w.bytes[j%wordBytes].cell))), k) {
			return false
		}
	}
	// Meanwhile the splitWord may have been freed and reused for another word.
	return v&1 == 0 && load64((*uint64)(unsafe.Add(nil, c))) == x && load32(&b.mu) == v
}

// probeRuns is Probe for bytes in block i, a block of runs.
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

// foreseeDepth is the number of records of a list whose order foresee checks.
const foreseen = 8

// foresee is judge for the case that all records are known to precede t, no critical
// section must be joined, and outcome can handle the lists. It returns nil in other
// cases.
//
//go:nosplit
func (e *Engine) foresee(t *Task, x uint64, k Kind) *answer {
	w, r := uint32(x), uint32(x>>32)
	if w != 0 && !e.calm(t, w, k) || k.writes() && r != 0 && !e.calm(t, r, k) {
		return nil
	}
	if e.stood(t, w, k) || !k.writes() && e.stood(t, r, k) {
		t.remember(x, k, x, stays, stays, cell{}, 0)
		return t.answerOf(x, k)
	}
	a := t.records[k%kinds]
	wt, rt := stays, stays
	if k.writes() {
		switch {
		case r == 0 || k.atomic() && !e.crowded(r):
		case e.outcome(t, r, k) == heads:
			r, rt = 0, drops
		case e.outcome(t, r, k) != pushes:
			return nil
		}
		wt = e.outcome(t, w, k)
		w = e.turned(t, wt, w, a)
	} else {
		rt = e.outcome(t, r, k)
		r = e.turned(t, rt, r, a)
	}
	if w == noRecord || r == noRecord {
		return nil
	}
	t.remember(x, k, bits(w, r), wt, rt, cell{}, 0)
	return t.answerOf(x, k)
}

// harmless reports whether t's access of kind k neither races with a record of h nor must
// be ordered after one of its critical sections. It consults no join records, so false
// means unknown.
//
//go:nosplit
func (e *Engine) calm(t *Task, h uint32, k Kind) bool {
	h = e.rivals(h, k.atomic())
	for n := 0; h != 0; n++ {
		i, rest := e.firstRecord(h)
		if p := e.record(i); p.task != t.id {
			if n == foreseen || !e.follows(t, p.task, p.step) || p.set != 0 && t.set != 0 && !e.passed(t, p.set) && e.commonLock(t.set, p.set) {
				return false
			}
		}
		h = e.rivals(rest, k.atomic())
	}
	return true
}

// alreadyCovered reports whether one of the newest records of h is of t's present step
// and locks and makes an access of kind k by t redundant.
//
//go:nosplit
func (e *Engine) stood(t *Task, h uint32, k Kind) bool {
	for n := 0; h != 0 && n < stoodDepth; n++ {
		var i uint32
		if i, h = e.firstRecord(h); t.owns(i, k) {
			return true
		}
	}
	return false
}

// outcome returns the edit of h by t's access of kind k: replaces if the access subsumes
// all records, pushes if none, replacesNewest if only the newest, otherEdit if h is too
// long to decide. Of a list of readers that is not due for compaction it examines only
// the newest.
//
//go:nosplit
func (e *Engine) outcome(t *Task, h uint32, k Kind) turn {
	if h == 0 {
		return heads
	}
	if h&listed != 0 && !e.crowded(h) && (!k.writes() || k.atomic()) {
		if e.yields(t, e.listNode(h&indexOf).record, k) {
			return swaps
		}
		return pushes
	}
	kept, all := turn(0), turn(0)
	for bit := turn(1); h != 0; bit <<= 1 {
		if bit == keeps {
			return other
		}
		var i uint32
		if i, h = e.firstRecord(h); !e.yields(t, i, k) {
			kept |= bit
		}
		all |= bit
	}
	switch {
	case kept == 0:
		return heads
	case kept == all:
		return pushes
	case kept == all&^1:
		return swaps
	}
	return keeps | kept
}

// edited returns h after edit c, where a is the record of the access. It returns noRecord
// if t has too few elements in stock.
//
//go:nosplit
func (e *Engine) turned(t *Task, c turn, h, a uint32) uint32 {
	rest, n, limit := h&indexOf, uint32(1), uint32(listFloor)
	switch {
	case c == heads:
		return a
	case c == other:
		return noRecord
	case c >= keeps:
		var ok bool
		if rest, ok = e.keptNodes(t, c, rest); !ok {
			return noRecord
		}
		n = e.listNode(rest).n + 1
	case h&listed == 0:
		if rest = e.quickNode(t, h, 0, 1, listFloor); rest == 0 {
			return noRecord
		}
		n = 2
	default:
		l := e.listNode(rest)
		n, limit = l.n+1, l.limit
		if c == swaps {
			rest, n = l.rest, n-1
		}
	}
	i := e.quickNode(t, a, rest, n, limit)
	if i == 0 {
		return noRecord
	}
	return listed | i
}

// quickSubsumes reports whether an access of kind k by t is known to subsume record i.
//
//go:nosplit
func (e *Engine) yields(t *Task, i uint32, k Kind) bool {
	p := e.record(i)
	if !coversKind(k, p.kind) || p.task != t.id && !e.follows(t, p.task, p.step) {
		return false
	}
	if e.opt.All {
		return e.within(t.set, p.set)
	}
	return p.set == t.set || e.passed(t, p.set)
}

// quickSettled is settled for t's present lockset. It consults no join records, so false
// means unknown.
//
//go:nosplit
func (e *Engine) passed(t *Task, x uint32) bool {
	for x != 0 {
		var i uint32
		i, x = e.firstLock(x)
		switch c := e.section(i); load32(&c.ended) {
		case sectionLasts:
			if !e.contains(t.set, i) {
				return false
			}
		case sectionEnded:
			if c.endTask != t.id && !e.follows(t, c.endTask, c.endStep) {
				return false
			}
		}
	}
	return true
}

// Quick makes an access that Probe has just found Open part of the history, if foresee
// knows the outcome and the task has the needed elements in stock. Otherwise it returns
// false. Its effect is the same as Access's. If it returns false after a part of the
// work, Access may repeat the whole.
//
//go:nosplit
func (e *Engine) Quick(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) bool {
	if t.sweeps != e.sweeps {
		return false
	}
	o := e.quickOrigin(t, site, pc, stack)
	if o == 0 || t.records[k%kinds] == noRecord && e.quickRecord(t, k) == 0 {
		return false
	}
	s := &t.spot
	b := e.block(s.block)
	v, ok := quickLockSeq(&b.mu)
	if !ok {
		return false
	}
	t.kind, t.origin, t.merging = k, o, n > healBytes
	lo := addr & (blockBytes - 1)
	if b.page != 0 {
		ok = n <= quickBytes && e.quickCells(t, b, lo, lo+n)
	} else {
		if v != s.seq {
			s.run = b.find(lo)
		}
		ok = b.next != 0 && e.quickRuns(t, b, lo, lo+n)
	}
	e.unlockSeq(&b.mu)
	if ok {
		t.pass(addr, n, k)
	}
	return ok
}

// quickJudge is judge for bytes with history x and origins from. The kind and origin of
// the access are t's. It returns false if it cannot tell the outcome. Histories are
// passed as the 64-bit numbers that they are in memory, because a processor that has just
// stored two halves stalls before it can load the whole.
//
//go:nosplit
func (e *Engine) quickJudge(t *Task, x, from uint64, k Kind) (y, origins uint64, ok bool) {
	w, r := uint32(x), uint32(x>>32)
	if k.atomic() {
		y, origins, ok = e.quickAtomic(t, w, r, from, k)
		if ok {
			return y, origins, true
		}
	} else if (w == 0 || e.gives(t, w)) && (r == 0 || e.gives(t, r)) {
		a := t.records[k%kinds]
		o := uint64(t.origin)
		switch {
		case w == t.records[Write] || r == a:
			if !t.merging {
				return x, from, true
			}
		case k == Write:
			return uint64(a), o, true
		default:
			return uint64(w) | uint64(a)<<32, from&(1<<32-1) | o<<32, true
		}
	}
	m := t.answerFor(x, k)
	if m == nil {
		if m = e.foresee(t, x, k); m == nil {
			return 0, 0, false
		}
	}
	if m.origin != 0 && (m.origin != t.origin || bits(m.from.w, m.from.r) != plainOrigins(x, from)) {
		return 0, 0, false
	}
	if m.w == stays && m.r == stays && !t.merging {
		return m.new, from, true
	}
	g, ok := e.turnOrigin(t, m.w, w, uint32(from))
	h, also := e.turnOrigin(t, m.r, r, uint32(from>>32))
	return m.new, bits(g, h), ok && also
}

// quickAtomic is quickJudge for an atomic access to a history with at most one atomic
// write and one atomic read. ok is false if these do not determine the outcome.
//
//go:nosplit
func (e *Engine) quickAtomic(t *Task, w, r uint32, from uint64, k Kind) (y, origins uint64, ok bool) {
	a := t.records[k%kinds]
	o := uint64(t.origin)
	if t.merging || w != 0 && !e.atomicAlone(w) || r != 0 && !e.atomicAlone(r) {
		return 0, 0, false
	}
	if k == AtomicWrite {
		switch {
		case w == a:
			return bits(w, r), from, true
		case w != 0 && !e.gives(t, w):
			return 0, 0, false
		case r != 0 && e.gives(t, r):
			r = 0
		}
		return bits(a, r), from&^(1<<32-1) | o, true
	}
	switch {
	case w == t.records[AtomicWrite] || r == a:
		return bits(w, r), from, true
	case r != 0 && !e.gives(t, r):
		return 0, 0, false
	}
	return bits(w, a), from&(1<<32-1) | o<<32, true
}

// singleAtomic reports whether h is a single record of an atomic access.
//
//go:nosplit
func (e *Engine) atomicAlone(h uint32) bool {
	return h&listed == 0 && e.record(h).kind.atomic()
}

// quickOwn reports whether h is a single record of t, in any step, under t's present
// locks.
//
//go:nosplit
func (e *Engine) own(t *Task, h uint32) bool {
	p := e.record(h & indexOf)
	return h&listed == 0 && p.task == t.id && p.set == t.set
}

// quickReplaces reports whether h is a single record that is known to be subsumed by an
// access of t of the same strength.
//
//go:nosplit
func (e *Engine) gives(t *Task, h uint32) bool {
	return h&listed == 0 && e.yields(t, h, Write)
}

// quickRecord makes the record of t's accesses of kind k from now on. It returns 0 if t
// has none in stock.
//
//go:nosplit
func (e *Engine) quickRecord(t *Task, k Kind) uint32 {
	a := t.spare
	if a != 0 {
		t.spare = e.record(a).task
		e.makeRecord(t, k, a)
	}
	return a
}

// plainOrigins returns from with zero origins for the empty halves of history x.
//
//go:nosplit
func plainOrigins(x, from uint64) uint64 {
	if uint32(x) == 0 {
		from &^= 1<<32 - 1
	}
	if uint32(x>>32) == 0 {
		from &= 1<<32 - 1
	}
	return from
}

// quickCells is Quick for the bytes [lo, hi) of a block of cells.
//
//go:nosplit
func (e *Engine) quickCells(t *Task, b *block, lo, hi uintptr) bool {
	k := t.kind
	a := t.records[k%kinds]
	plain := !k.atomic() && !t.merging
	for lo < hi {
		next := min((lo|(wordBytes-1))+1, hi)
		h := e.wordAt(b.page, lo)
		c := (*uint64)(unsafe.Pointer(&h.cell))
		x := *c
		if next-lo == wordBytes && plain && (h.w == 0 || e.own(t, h.w)) && (h.r == 0 || e.own(t, h.r)) {
			// The most frequent case: quickJudge with the rest of its conditions known.
			if k == Read {
				if h.w != t.records[Write] && h.r != a {
					h.r, h.from.r = a, t.origin
				}
			} else if h.w != a {
				*c = uint64(a)
				h.from.w = t.origin
			}
			lo = next
			continue
		}
		if uint32(x)&isSplit != isSplit {
			f := (*uint64)(unsafe.Pointer(&h.from))
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
			e.divide(h, i)
		}
		s := e.split(uint32(*c) & indexOf)
		lastX, lastFrom, y, g := noHistory, uint64(0), uint64(0), uint64(0)
		for ; lo < next; lo++ {
			p := (*uint64)(unsafe.Pointer(&s.bytes[lo%wordBytes].cell))
			q := (*uint64)(unsafe.Pointer(&s.bytes[lo%wordBytes].from))
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
			e.undivide(t, h)
		}
	}
	return true
}

// noHistory is the value of no history.
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

// findTable notes the directory's table for addr in t, if there is one. On big-endian
// processors it finds none, so that Probe, which reads pairs of fields at once, never
// succeeds there.
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
