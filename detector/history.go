package detector

// listFloor is the length up to which each change of a list removes the records that a
// newer one subsumes.
const listFloor = 8

// A history holds the accesses of some bytes that can still race: w for writes and r for
// reads, each 0, a record or a list of records, with their origins.
type history struct {
	cell
	from cell
}

func (h *history) writes() side { return side{h.w, h.from.w} }
func (h *history) reads() side  { return side{h.r, h.from.r} }

// makeHistory returns the history of writes w and reads r.
func makeHistory(w, r side) history {
	h := history{cell{w.h, r.h}, cell{w.origin, r.origin}}
	return h.plain()
}

// plain returns h with zero origins where there is no access.
//
//go:nosplit
func (h history) plain() history {
	if h.w == 0 {
		h.from.w = 0
	}
	if h.r == 0 {
		h.from.r = 0
	}
	return h
}

// A transition remembers the outcome of an access of one kind in one generation of a
// task, for bytes of one history: there is nothing new to report, and the history becomes
// new. It stays valid until the generation ends, because accesses that precede the task
// continue to precede it.
type answer struct {
	old, new uint64
	from     cell   // if origin is not 0, the transition holds only for these origins of the history
	origin   uint32 // and for accesses of this origin
	key      uint16 // see memoKey
	w, r     turn   // the changes of writes and reads
}

// memoKey identifies t's generation and a kind of access. Generations wrap around, see
// newGeneration.
//
//go:nosplit
func (t *Task) answerKey(k Kind) uint16 { return uint16(t.epoch()<<2 | uint32(k)) }

// transitionFor returns the remembered transition for accesses of kind k to history x,
// nil if there is none.
//
//go:nosplit
func (t *Task) answerFor(x uint64, k Kind) *answer {
	m := t.answerOf(x, k)
	if m.old == x && m.key == t.answerKey(k) {
		return m
	}
	return nil
}

// remember notes that history x becomes y. If origin is not 0, that holds only for this
// origin and the history's origins.
//
//go:nosplit
func (t *Task) remember(x uint64, k Kind, y uint64, w, r turn, from cell, origin uint32) {
	m := t.answerOf(x, k)
	if m.key == t.answerKey(k) {
		t.misses++
	}
	*m = answer{x, y, from, origin, t.answerKey(k), w, r}
}

// applyTransition returns the history that follows h by transition m.
func (e *Engine) follow(t *Task, h history, m *answer) history {
	g := history{cell: cell{uint32(m.new), uint32(m.new >> 32)}}
	for ok := false; !ok; e.stock(t, &t.spareNodes, &e.fromLists) {
		var also bool
		g.from.w, ok = e.turnOrigin(t, m.w, h.w, h.from.w)
		g.from.r, also = e.turnOrigin(t, m.r, h.r, h.from.r)
		ok = ok && also
	}
	return g
}

// judge compares an access by t with the history h of the n bytes at addr. It queues the
// races that it finds and returns the history with the access included. The access has
// the kind and origin noted in t, and t's record for that kind.
//
// An access a subsumes a record e, which judge then drops, if e and the ends of its
// critical sections precede a, and a conflicts with every access with which e conflicts.
// Proof: let b be a later access that races with e. Then b does not follow a. So b holds
// no lock that excludes a's critical sections, because b would then be ordered after
// their ends. Hence b races with a. The locksets of e and a do not matter, except where
// critical sections are not ordered (Options.All): there each lock that protects a must
// protect e too.
func (e *Engine) judge(t *Task, h history, addr, n uintptr) history {
	k := t.kind
	x := bits(h.w, h.r)
	if m := t.answerFor(x, k); m != nil && !t.orders && (m.origin == 0 || m.origin == t.origin && m.from == h.from) {
		return e.follow(t, h, m)
	}
	t.clash = false
	g, ok := e.judgeSlow(t, h, addr, n)
	if !ok || t.orders {
		return g
	}
	a := t.records[k%kinds]
	w, r := e.turnOf(h.w, g.w, a), e.turnOf(h.r, g.r, a)
	if w == other || r == other {
		return g
	}
	y := bits(g.w, g.r)
	if t.clash {
		t.remember(x, k, y, w, r, h.from, t.origin)
	} else {
		t.remember(x, k, y, w, r, cell{}, 0)
	}
	return g
}

// judgeSlow is judge without the remembered transitions. ok is false if it has queued a
// new report.
func (e *Engine) judgeSlow(t *Task, h history, addr, n uintptr) (g history, ok bool) {
	w, r := h.writes(), h.reads()
	ok = e.check(t, w, addr, n)
	if t.kind.writes() {
		ok = e.check(t, r, addr, n) && ok
		if e.stood(t, w.h, t.kind) {
			return e.healed(t, h), ok // see Probe
		}
		// Atomic accesses do not race with one another, so many tasks may continue to
		// write without any order.
		if lazy := t.kind.atomic(); !lazy {
			w = e.add(t, w, lazy)
			// Compaction of reads is left to readers: only a read tells which reads it
			// subsumes.
			return makeHistory(w, e.unlisted(e.remaining(t, r))), ok
		}
		w = e.add(t, w, true)
		if e.crowded(r.h) {
			r = e.unlisted(e.remaining(t, r))
			e.thinned(r.h)
		}
		return makeHistory(w, r), ok
	}
	if e.stood(t, w.h, t.kind) || e.stood(t, r.h, t.kind) {
		return e.healed(t, h), ok
	}
	return makeHistory(w, e.add(t, r, true)), ok
}

// coveredDepth is the number of records of a list that alreadyCovered examines. As many
// tasks may take turns in reading the same bytes without adding a record each time.
const stoodDepth = 8

// healed returns h with the origins that a long access replaces, see Task.healing.
func (e *Engine) healed(t *Task, h history) history {
	h.from.w, _ = e.turnOrigin(t, stays, h.w, h.from.w)
	h.from.r, _ = e.turnOrigin(t, stays, h.r, h.from.r)
	return h
}

// owns reports whether record i is of t's present step and locks, and conflicts with
// every access with which an access of kind k conflicts.
//
//go:nosplit
func (t *Task) owns(i uint32, k Kind) bool {
	return i == t.records[Write] || i == t.records[k%kinds] ||
		!k.writes() && i == t.records[Read] || k.atomic() && i == t.records[AtomicWrite]
}

// coversKind reports whether every access that conflicts with kind k conflicts with kind
// c too.
//
//go:nosplit
func coversKind(c, k Kind) bool {
	return (c.writes() || !k.writes()) && (!c.atomic() || k.atomic())
}

// check queues a report for each record of s with which t's access races. It returns
// false if one of these reports is new.
func (e *Engine) check(t *Task, s side, addr, n uintptr) bool {
	if t.orders {
		return true
	}
	ok := true
	atomic := t.kind.atomic()
	for h := e.rivals(s.h, atomic); h != 0; {
		i, rest := e.firstRecord(h)
		if r := e.record(i); r.task != t.id && !e.beforeWeak(t, r.task, r.step) {
			t.clash = true
			if predicted := e.beforeHB(t, r.task, r.step); !predicted || !e.commonLock(t.set, r.set) {
				ok = !e.note(t, i, e.originIn(s, h), addr, n, predicted) && ok
			}
		}
		h = e.rivals(rest, atomic)
	}
	return ok
}

// subsumes reports whether t's access subsumes record i, see judge.
func (e *Engine) standsFor(t *Task, i uint32) bool {
	r := e.record(i)
	if !coversKind(t.kind, r.kind) || !e.beforeWeak(t, r.task, r.step) {
		return false
	}
	switch {
	case e.opt.NoPredict || t.set == r.set:
		return true
	case e.opt.All:
		return e.within(t.set, r.set)
	case t.orders && !(e.within(t.set, r.set) && e.within(r.set, t.set)):
		return false // an Order makes no access that could race in place of record i
	}
	return e.settled(t, r.set, t.set)
}

// unsubsumed returns s without the records that t's access subsumes.
func (e *Engine) remaining(t *Task, s side) side {
	tail := s // the list behind the last record that goes
	kept, gone := 0, 0
	for n, x := 0, s; x.h != 0; {
		var i uint32
		i, _, x = e.first(x)
		if n++; e.standsFor(t, i) {
			tail, gone = x, gone+1
			kept = n - gone
		}
	}
	for x := s; kept > 0; {
		var i, o uint32
		if i, o, x = e.first(x); !e.standsFor(t, i) {
			tail = e.cons(t, i, o, tail)
			kept--
		}
	}
	return tail
}

// unwrapSingle returns s as a record if s is a list of one.
func (e *Engine) unlisted(s side) side {
	if s.h&listed != 0 {
		if i, o, rest := e.first(s); rest.h == 0 {
			return side{i, o}
		}
	}
	return s
}

// add returns s with t's access added. It also removes the subsumed records if lazy is
// false or compactionDue says so. Laziness keeps the cost of a read of widely shared
// bytes constant.
func (e *Engine) add(t *Task, s side, lazy bool) side {
	a := t.records[t.kind%kinds]
	if s.h == 0 {
		return side{a, t.origin}
	}
	if i, _ := e.firstRecord(s.h); i == a {
		return s
	}
	if lazy && s.h&listed != 0 {
		if !e.crowded(s.h) {
			l := e.listNode(s.h & indexOf)
			if !e.standsFor(t, l.record) {
				return e.cons(t, a, t.origin, s)
			}
			// The newest reader reads again: replace its record.
			return side{
				listed | e.newListNode(t, a, l.rest, l.n, l.limit),
				listed | e.newOrigins(t, t.origin, e.originNode(s.origin&indexOf).rest),
			}
		}
	}
	s = e.remaining(t, s)
	if s.h == 0 {
		return side{a, t.origin}
	}
	s = e.cons(t, a, t.origin, s)
	if !lazy && e.listNode(s.h&indexOf).n >= 2*writersKept && !e.opt.All && !e.anyAtomic(s.h) {
		return e.newest(t, s, writersKept)
	}
	e.thinned(s.h)
	return s
}

// compacted notes that h, if it is a list, has no subsumed records now.
func (e *Engine) thinned(h uint32) {
	if h&listed == 0 {
		return
	}
	l := e.listNode(h & indexOf)
	if l.n >= listFloor {
		store32(&l.limit, 2*l.n)
	}
}

// compactionDue reports whether to remove the subsumed records of h: h is short, or has
// doubled since it was last compacted.
//
//go:nosplit
func (e *Engine) crowded(h uint32) bool {
	if h&listed == 0 {
		return true
	}
	l := e.listNode(h & indexOf)
	return l.n < listFloor || l.n >= l.limit
}

// writersKept is the least number of mutually unordered writes of the same bytes that are
// kept. Each of them has been reported with another one by then. Dropping older writes
// keeps the time of a program in which ten thousand tasks race on a counter from being
// quadratic in their number.
const writersKept = 64

// anyAtomic reports whether h contains an atomic write. Atomic writes may be unordered
// without a report.
func (e *Engine) anyAtomic(h uint32) bool {
	for h != 0 {
		var i uint32
		if i, h = e.firstRecord(h); e.record(i).kind.atomic() {
			return true
		}
	}
	return false
}

// newest returns the first n records of s.
func (e *Engine) newest(t *Task, s side, n uint32) side {
	i, o, rest := e.first(s)
	if n == 1 {
		return side{i, o}
	}
	return e.cons(t, i, o, e.newest(t, rest, n-1))
}

// A joinedMemo remembers that t has joined the critical sections of a history
// (joinSections), for one generation and kind.
type joinedMemo struct {
	w, r uint32
	key  uint16
}

// joinSections orders t, which is in a critical section, after the ends of the earlier
// sections of the same locks whose accesses in c conflict with t's access.
func (e *Engine) joinSections(t *Task, c cell) {
	m := &t.joined[(c.w^c.r)%joinedCache]
	now := joinedMemo{c.w, c.r, t.answerKey(t.kind)}
	if *m == now {
		return
	}
	*m = now
	e.joinEach(t, c.w)
	if t.kind.writes() {
		e.joinEach(t, c.r)
	}
}

// joinEach is joinSections for the writes or the reads h.
func (e *Engine) joinEach(t *Task, h uint32) {
	atomic := t.kind.atomic()
	for h = e.rivals(h, atomic); h != 0; h = e.rivals(h, atomic) {
		var i uint32
		i, h = e.firstRecord(h)
		r := e.record(i)
		if r.set == 0 || r.task == t.id {
			continue
		}
		for x := t.set; x != 0; {
			var j uint32
			j, x = e.firstLock(x)
			// Several sections of r can match only if its task holds the lock twice,
			// which Go's locks do not allow.
			c := e.section(j)
			if y := e.excludes(r.set, c); y != 0 {
				if d := e.section(y); load32(&d.ended) == sectionEnded {
					if e.takeSection(t, d) && !t.orders {
						e.noteConflict(t.origin)
					}
				}
			}
		}
	}
}
