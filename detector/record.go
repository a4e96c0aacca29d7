package detector

import "unsafe"

// A record is what is remembered of accesses: who, when, under which locks, what
// and where. All accesses of one place in one step share a record. A place is a
// site of the source, an instruction, and the calls that led there.
type record struct {
	task   uint32 // also the link of the free chain
	step   uint32
	set    uint32
	how    uint32 // kind << stackBits | stack
	origin origin
	mark   uint32 // of the sweep that has decided on it; at first that of the last one
}

// An origin is a site and a pc, as distances from the host's bases: see Options.
type origin struct {
	site, pc uint32
}

const (
	stackBits   = 30
	stackMask   = 1<<stackBits - 1
	recordBatch = 8
)

// A recMemo remembers a task's record by all that tells records apart.
//
// A record of nothing but the bytes [addr, addr+n) can be made one of a later
// step, under the same locks, when its task accesses these bytes from the same
// place again: it stands for what it was. That is how a channel or a counter that
// is used time and again keeps its history. The bytes must have one history, and the
// access race with nothing of it (see quiet): then, if another task has judged the
// record as it was and remembers the answer, all of the bytes have a record of that
// task's present step, and none the history that the answer is for. No other bytes may
// get it: so a record that was renewed stays one of these bytes alone.
type recMemo struct {
	origin origin
	who    uint64 // task and step
	set    uint32
	how    uint32
	rec    uint32
	n      uint32
	addr   uintptr // 0: rec is of other bytes as well

	// The last two histories that rec was judged against in the epoch without a
	// finding, and what they became: see judge. A record in them may be renewed later
	// on if the bytes are freed in between, which begins an epoch.
	old, new [2]uint64
	epoch    uint32

	// A history that has rec, of a read, and that another read leaves as it is,
	// and the step that its write was of when that was judged.
	same  uint64
	wstep uint32

	renewed bool
}

// harmless reports whether, of history x of the bytes of m, all that is to be done
// when its access of an earlier step is repeated is to renew m.rec: x has nothing
// else that conflicts, or it has one write that was judged and not renewed since.
//
//go:nosplit
func (e *Engine) harmless(m *recMemo, x uint64, k Kind) bool {
	if k.writes() {
		return x == bits(m.rec, 0)
	}
	w := uint32(x)
	return x == bits(0, m.rec) || x == m.same && (w == 0 || w&listed == 0 && e.record(w).step == m.wstep)
}

// repeats notes that history x, which has m.rec, stayed as it was when read.
func (e *Engine) repeats(m *recMemo, x uint64) {
	if w := uint32(x); w&listed == 0 {
		m.same, m.wstep = x, e.record(w).step
	}
}

// noHistory is no history's bits.
const noHistory = ^uint64(0)

// now makes m one of t's present step.
//
//go:nosplit
func (m *recMemo) now(t *Task) {
	m.who, m.epoch = t.who(), t.epoch()
	m.old = [2]uint64{noHistory, noHistory}
}

// learn remembers that history old became new in t's epoch.
func (m *recMemo) learn(t *Task, old, new uint64) {
	if m.epoch != t.epoch() {
		m.epoch = t.epoch()
		m.old = [2]uint64{noHistory, noHistory}
	}
	if m.old[0] != old {
		m.old[1], m.new[1] = m.old[0], m.new[0]
		m.old[0] = old
	}
	m.new[0] = new
}

func (e *Engine) record(i uint32) *record {
	return (*record)(unsafe.Add(nil, e.records.base+uintptr(i)*unsafe.Sizeof(record{})))
}

func (r *record) kind() Kind { return Kind(r.how >> stackBits) }

// originOf returns how records name site and pc; 0 stays 0.
//
//go:nosplit
func (e *Engine) originOf(site, pc uintptr) origin {
	o := origin{pc: uint32(pc - e.opt.PCBase)}
	if site != 0 {
		o.site = uint32(site - e.opt.SiteBase)
	}
	return o
}

func (e *Engine) siteOf(o origin) uintptr {
	if o.site == 0 {
		return 0
	}
	return e.opt.SiteBase + uintptr(o.site)
}

func (e *Engine) pcOf(o origin) uintptr { return e.opt.PCBase + uintptr(o.pc) }

// recordOf returns the record for an access of t now.
func (e *Engine) recordOf(t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) uint32 {
	set := t.set
	if t.nHolds != 0 {
		set = e.lockset(t)
	}
	e.forgetSwept(t)
	who := t.who()
	o := e.originOf(site, pc)
	how := uint32(k)<<stackBits | stack
	slot := t.recSlot(o, how)
	m := t.recMemo(slot)
	if !m.is(o, how) {
		// The slot across serves a second place, if this one is in use.
		across := t.otherRec(slot)
		a := t.recMemo(across)
		if a.is(o, how) {
			m, slot = a, across
		} else {
			if m.who == who && a.who != who {
				m, slot = a, across
			}
			if m.who != 0 {
				t.misses++
			}
			*m = recMemo{origin: o, how: how}
		}
	}
	t.cur = slot
	switch {
	case m.who != who || m.set != set:
		t.renew = m.alone(addr, n) && uint32(m.who>>32) == t.id && addr%blockBytes+n <= blockBytes && e.sameLocks(t, m.set, set)
		m.set = set
		m.now(t)
		if !t.renew {
			e.newRecord(t, m)
			m.addr, m.n = addr, uint32(n)
		}
	case m.alone(addr, n):
	case m.renewed:
		m.now(t)
		e.newRecord(t, m)
		m.addr, m.n = addr, uint32(n)
	default:
		m.addr = 0
	}
	return m.rec
}

// renewRecord makes the record of m one of t's present step and locks. The block of
// its bytes is locked.
//
//go:nosplit
func (e *Engine) renewRecord(t *Task, m *recMemo) {
	r := e.record(m.rec)
	r.step, r.set = t.step, m.set
	t.owes = t.step
	m.renewed = true
}

// sameLocks reports whether lockset y holds what t's earlier x did, in critical
// sections of before that have ended.
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

// alone reports whether the record of m is of nothing but these bytes.
//
//go:nosplit
func (m *recMemo) alone(addr, n uintptr) bool { return m.addr == addr && uintptr(m.n) == n }

//go:nosplit
func (m *recMemo) is(o origin, how uint32) bool {
	return m.origin == o && m.how == how
}

// newRecord gives m a record of t's present step.
func (e *Engine) newRecord(t *Task, m *recMemo) {
	m.rec = e.draw(&t.spare, &e.records, recordBatch)
	m.same, m.renewed = noHistory, false
	*e.record(m.rec) = record{task: t.id, step: t.step, set: m.set, how: m.how, origin: m.origin, mark: e.sweeps << 1}
	t.owes = t.step
}

// A history is a set of records: 0 none, a record, or, with listed set, a list
// of records. Lists are immutable and shared, newest first.
const (
	listed  = 1 << 31
	isSplit = 3 << 30 // a cell whose bytes differ: index of a splitWord
	indexOf = 1<<30 - 1
)

// A listNode is one record of a list. One that is about to be made and is remembered
// by the engine is shared, so that memory which many tasks read, in any order, has
// few histories, and what becomes of them is remembered.
type listNode struct {
	rest   uint32 // index of the next node, 0 at the end; also the free link
	record uint32
	n      uint32 // length from here, and whether hasPlain; listed marks it during a sweep
	limit  uint32 // compaction is due at this length
}

// hasPlain is set in listNode.n if a record of the list is of no atomic access.
const hasPlain = 1 << 30

func (l *listNode) len() uint32 { return l.n &^ hasPlain }

const listBatch = 8

func (e *Engine) listNode(i uint32) *listNode {
	return (*listNode)(unsafe.Add(nil, e.lists.base+uintptr(i)*unsafe.Sizeof(listNode{})))
}

func (e *Engine) newListNode(t *Task, rec, rest, n, limit uint32) uint32 {
	i, slot, tag := e.sharedLists.find(uint64(rec)<<32 | uint64(rest))
	if i != 0 && e.listNode(i).record == rec && e.listNode(i).rest == rest {
		return i
	}
	i = e.draw(&t.lnodes, &e.lists, listBatch)
	if !e.record(rec).kind().atomic() || rest != 0 && e.listNode(rest).n&hasPlain != 0 {
		n |= hasPlain
	}
	*e.listNode(i) = listNode{rest: rest, record: rec, n: n, limit: limit}
	intern(slot, tag, i)
	return i
}

// cons returns h with rec added.
func (e *Engine) cons(t *Task, rec, h uint32) uint32 {
	if h == 0 {
		return rec
	}
	if h&listed == 0 {
		h = listed | e.newListNode(t, h, 0, 1, listFloor)
	}
	l := e.listNode(h & indexOf)
	return listed | e.newListNode(t, rec, h&indexOf, l.len()+1, l.limit)
}

// first splits h, not empty, into a record and the rest.
func (e *Engine) first(h uint32) (rec, rest uint32) {
	if h&listed == 0 {
		return h, 0
	}
	l := e.listNode(h & indexOf)
	if l.rest == 0 {
		return l.record, 0
	}
	return l.record, listed | l.rest
}
