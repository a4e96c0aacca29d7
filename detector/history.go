package detector

// listFloor is the length up to which a list of readers is kept free of readers
// that a newer one stands for.
const listFloor = 8

// A history is what is known of some bytes: the accesses that count, w writes and r
// reads, each 0, a record or a list, and their origins.
type history struct {
	cell
	from cell
}

func (h *history) writes() side { return side{h.w, h.from.w} }
func (h *history) reads() side  { return side{h.r, h.from.r} }

// makeHistory returns a history of writes w and reads r.
func makeHistory(w, r side) history {
	h := history{cell{w.h, r.h}, cell{w.origin, r.origin}}
	return h.plain()
}

// plain returns h without origins that mean nothing.
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

// An answer remembers that an access of a kind in an epoch finds nothing new to report
// in bytes of a history, and what the history becomes. What preceded then precedes
// until the epoch ends.
type answer struct {
	old, new uint64
	from     cell   // if origin is not 0, the answer is for histories of these origins
	origin   uint32 // and accesses of this one
	key      uint16 // see answerKey
	w, r     turn   // how writes and reads change
}

// answerKey names t's epoch and a kind of access. Epochs come round, see newEpoch.
//
//go:nosplit
func (t *Task) answerKey(k Kind) uint16 { return uint16(t.epoch()<<2 | uint32(k)) }

// answerFor returns what t remembers of accesses of kind k to history x, nil if it
// remembers nothing.
//
//go:nosplit
func (t *Task) answerFor(x uint64, k Kind) *answer {
	m := t.answerOf(x, k)
	if m.old == x && m.key == t.answerKey(k) {
		return m
	}
	return nil
}

// remember notes that history x becomes y; origin is 0 if it does wherever the accesses
// are.
//
//go:nosplit
func (t *Task) remember(x uint64, k Kind, y uint64, w, r turn, from cell, origin uint32) {
	m := t.answerOf(x, k)
	if m.key == t.answerKey(k) {
		t.misses++
	}
	*m = answer{x, y, from, origin, t.answerKey(k), w, r}
}

// follow returns what h becomes by answer m.
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

// judge compares an access by t, of its record, kind and origin, with the history h of
// some bytes, notes the races it makes and returns the history that includes it. The
// bytes are n at addr.
//
// A record e may go when the new access a stands for it: e and the ends of its critical
// sections precede a, and a conflicts with whatever e conflicts with. Let b come later and
// race with e. Then b does not follow a, so it holds no lock that excludes a's critical
// sections, since that would order it after their ends; so it races with a. Which locks e
// and a were under does not matter, except where critical sections order nothing
// (Options.All): there no lock may protect a that does not protect e.
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

// judgeSlow is judge without its memory. ok is false if there was something new to
// report.
func (e *Engine) judgeSlow(t *Task, h history, addr, n uintptr) (g history, ok bool) {
	w, r := h.writes(), h.reads()
	ok = e.check(t, w, addr, n)
	if t.kind.writes() {
		ok = e.check(t, r, addr, n) && ok
		if e.stood(t, w.h, t.kind) {
			return e.healed(t, h), ok // see Probe
		}
		// Atomic accesses do not race with one another, so that many tasks may
		// go on writing unordered.
		if lazy := t.kind.atomic(); !lazy {
			w = e.add(t, w, lazy)
			// Not thinned: only a reader knows which readers it stands for.
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

// stoodDepth is how many of a list's records stood looks at: as many tasks
// may take turns in reading the same bytes without adding to the list each time.
const stoodDepth = 8

// healed returns h with the origins that a range replaces, see Task.merging.
func (e *Engine) healed(t *Task, h history) history {
	h.from.w, _ = e.turnOrigin(t, stays, h.w, h.from.w)
	h.from.r, _ = e.turnOrigin(t, stays, h.r, h.from.r)
	return h
}

// owns reports whether record i is of t's present step and locks, and conflicts with
// whatever an access of kind k conflicts with.
//
//go:nosplit
func (t *Task) owns(i uint32, k Kind) bool {
	return i == t.records[Write] || i == t.records[k%kinds] ||
		!k.writes() && i == t.records[Read] || k.atomic() && i == t.records[AtomicWrite]
}

// coversKind reports whether what conflicts with k conflicts with c as well.
//
//go:nosplit
func coversKind(c, k Kind) bool {
	return (c.writes() || !k.writes()) && (!c.atomic() || k.atomic())
}

// check reports the records of s that an access of t races with. It returns false if
// one of these reports is new.
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

// standsFor reports whether t's access stands for record i.
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
		return false // there is no race to be found in the place of an order
	}
	return e.settled(t, r.set, t.set)
}

// remaining returns what is left of s once t's access stands for what it can.
func (e *Engine) remaining(t *Task, s side) side {
	tail := s // what lies behind the last record that goes
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

// unlisted returns s as a record if it is a list of one.
func (e *Engine) unlisted(s side) side {
	if s.h&listed != 0 {
		if i, o, rest := e.first(s); rest.h == 0 {
			return side{i, o}
		}
	}
	return s
}

// add returns s with t's access added and, if s is short or lazy is false or it has
// doubled since the last time, without what the access stands for. Laziness keeps the
// cost of a read of widely shared bytes constant.
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
			// The newest reader repeats itself: it is replaced.
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

// thinned notes that h has just been rid of what newer records stand for.
func (e *Engine) thinned(h uint32) {
	if h&listed == 0 {
		return
	}
	l := e.listNode(h & indexOf)
	if l.n >= listFloor {
		store32(&l.limit, 2*l.n)
	}
}

// crowded reports whether it is worth while to look for records of h that a newer
// one stands for: h is short or has doubled since the last time.
//
//go:nosplit
func (e *Engine) crowded(h uint32) bool {
	if h&listed == 0 {
		return true
	}
	l := e.listNode(h & indexOf)
	return l.n < listFloor || l.n >= l.limit
}

// writersKept is how many writes of the same bytes are kept that nothing orders,
// at least. Each of them has been reported with another by then; letting older
// ones go keeps a program with a counter that ten thousand tasks race on from
// taking time quadratic in them.
const writersKept = 64

// anyAtomic reports whether h has atomic writes, which may well be unordered
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

// A joinedMemo remembers a history whose critical sections t has been ordered
// after, for the epoch.
type joinedMemo struct {
	w, r uint32
	key  uint16
}

// joinSections orders t after the ends of the earlier critical sections in
// which these bytes were accessed in conflict with its present one.
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
			// Several sections of r may match only if its task holds the
			// lock twice, which Go's locks do not allow.
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
