package detector

// listFloor is the length up to which a list of readers is kept free of readers
// that a newer one stands for.
const listFloor = 8

// A history is what is known of some bytes: the accesses that count, w writes and r
// reads, each 0, a record or a list, and the origins of single records.
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
	if !single(h.w) {
		h.from.w = 0
	}
	if !single(h.r) {
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
	key      uint32 // see answerKey
}

// answerKey names t's epoch and a kind of access. Epochs come round, see newEpoch.
//
//go:nosplit
func (t *Task) answerKey(k Kind) uint32 { return t.epoch()<<2 | uint32(k) }

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
func (t *Task) remember(x uint64, k Kind, y uint64, from cell, origin uint32) {
	m := t.answerOf(x, k)
	if m.key == t.answerKey(k) {
		t.misses++
	}
	*m = answer{x, y, from, origin, t.answerKey(k)}
}

// follow returns what h becomes if its writes and reads become y, each of them as they
// are, none, t's record or a list.
func (t *Task) follow(h history, y uint64) history {
	g := t.origins(bits(h.w, h.r), y, bits(h.from.w, h.from.r))
	n := history{cell{uint32(y), uint32(y >> 32)}, cell{uint32(g), uint32(g >> 32)}}
	return n.plain()
}

// judge compares an access by t, of its record, kind and origin, with the history h of
// some bytes, notes the races it makes and returns the history that includes it. The
// bytes are n at addr.
//
// A record e may go when the new access a stands for it: a precedes whatever
// is still to come that e precedes; that is, e precedes a, a conflicts with
// whatever e conflicts with, and no lock protects a that does not protect e.
// Then an access that races with e races with a. And the ends of e's critical
// sections, from which later conflicting sections would be ordered, precede a
// already.
func (e *Engine) judge(t *Task, h history, addr, n uintptr) history {
	k := t.kind
	x := bits(h.w, h.r)
	if m := t.answerFor(x, k); m != nil && !t.orders && (m.origin == 0 || m.origin == t.origin && m.from == h.from) {
		return t.follow(h, m.new)
	}
	t.clash = false
	g, ok := e.judgeSlow(t, h, addr, n)
	if !ok || t.orders {
		return g
	}
	y := bits(g.w, g.r)
	a := t.records[k%kinds]
	simple := (g.w == h.w || g.w == a || g.w == 0) && (g.r == h.r || g.r == a || g.r == 0)
	switch {
	case simple && !t.clash:
		t.remember(x, k, y, cell{}, 0)
	case simple || g.w == h.w && !single(g.r):
		t.remember(x, k, y, h.from, t.origin)
	}
	if simple {
		return t.follow(h, y)
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
		if e.stoodFor(t, w) {
			return h, ok // see Probe
		}
		// Atomic accesses do not race with one another, so that many tasks may
		// go on writing unordered.
		if lazy := t.kind.atomic(); !lazy {
			w = e.add(t, w, lazy)
			// Not thinned: only a reader knows which readers it stands for.
			return makeHistory(w, e.remaining(t, r)), ok
		}
		w = e.add(t, w, true)
		if e.crowded(r.h) {
			r = e.remaining(t, r)
			e.thinned(r.h)
		}
		return makeHistory(w, r), ok
	}
	if e.stoodFor(t, w) || e.stoodFor(t, r) {
		return h, ok
	}
	return makeHistory(w, e.add(t, r, true)), ok
}

// stoodForDepth is how many of a list's records stoodFor looks at: as many tasks
// may take turns in reading the same bytes without adding to the list each time.
const stoodForDepth = 8

// stoodFor reports whether one of the newest records of s, of t's present step,
// makes one of t's for the same bytes needless.
func (e *Engine) stoodFor(t *Task, s side) bool {
	for n := 0; s.h != 0 && n < stoodForDepth; n++ {
		var i uint32
		i, _, s = e.first(s)
		if t.owns(i, t.kind) {
			return true
		}
	}
	return false
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
	if atomic && s.h&listed != 0 && e.allAtomic(s.h) {
		return true
	}
	for s.h != 0 {
		var i, o uint32
		i, o, s = e.first(s)
		r := e.record(i)
		if r.task == t.id || r.kind.atomic() && atomic || e.beforeWeak(t, r.task, r.step) {
			continue
		}
		t.clash = true
		if !e.beforeHB(t, r.task, r.step) {
			ok = !e.note(t, i, o, addr, n, false) && ok
		} else if !e.commonLock(t.set, r.set) {
			ok = !e.note(t, i, o, addr, n, true) && ok
		}
	}
	return ok
}

// standsFor reports whether t's access stands for record i.
func (e *Engine) standsFor(t *Task, i uint32) bool {
	r := e.record(i)
	if !coversKind(t.kind, r.kind) || !e.beforeWeak(t, r.task, r.step) {
		return false
	}
	if e.opt.NoPredict || t.set == r.set {
		return true
	}
	if !e.within(t.set, r.set) {
		return false
	}
	if t.orders && !e.within(r.set, t.set) {
		return false // there is no race to be found in the place of an order
	}
	return e.opt.All || e.settled(t, r.set, t.set)
}

// remaining returns what is left of s once t's access stands for what it can.
func (e *Engine) remaining(t *Task, s side) side {
	kept := false
	all := true
	for x := s; x.h != 0; {
		var i uint32
		i, _, x = e.first(x)
		if e.standsFor(t, i) {
			all = false
		} else {
			kept = true
		}
	}
	if all {
		return s
	}
	rest := side{}
	if !kept {
		return rest
	}
	for x := s; x.h != 0; {
		var i, o uint32
		i, o, x = e.first(x)
		if !e.standsFor(t, i) {
			rest = e.cons(t, i, o, rest)
		}
	}
	return rest
}

// add returns s with t's access added and, if s is short or lazy is false or it has
// doubled since the last time, without what the access stands for. Laziness keeps the
// cost of a read of widely shared bytes constant.
func (e *Engine) add(t *Task, s side, lazy bool) side {
	a := t.records[t.kind%kinds]
	if s.h == 0 {
		return side{a, t.origin}
	}
	if i, _, _ := e.first(s); i == a {
		return s
	}
	if lazy && s.h&listed != 0 {
		if !e.crowded(s.h) {
			l := e.listNode(s.h & indexOf)
			if !e.standsFor(t, l.record) {
				return e.cons(t, a, t.origin, s)
			}
			// The newest reader repeats itself: it is replaced.
			return side{h: listed | e.newListNode(t, a, t.origin, l.rest, l.len(), l.limit)}
		}
	}
	s = e.remaining(t, s)
	if s.h == 0 {
		return side{a, t.origin}
	}
	s = e.cons(t, a, t.origin, s)
	if !lazy && e.listNode(s.h&indexOf).len() >= 2*writersKept && !e.opt.All && !e.anyAtomic(s) {
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
	if n := l.len(); n >= listFloor {
		store32(&l.limit, 2*n)
	}
}

// crowded reports whether it is worth while to look for records of h that a newer
// one stands for: h is short or has doubled since the last time.
func (e *Engine) crowded(h uint32) bool {
	if h&listed == 0 {
		return true
	}
	l := e.listNode(h & indexOf)
	return l.len() < listFloor || l.len() >= l.limit
}

// writersKept is how many writes of the same bytes are kept that nothing orders,
// at least. Each of them has been reported with another by then; letting older
// ones go keeps a program with a counter that ten thousand tasks race on from
// taking time quadratic in them.
const writersKept = 64

// allAtomic reports whether list h is known to have records of atomic accesses
// only, which do not race with one another.
func (e *Engine) allAtomic(h uint32) bool { return e.listNode(h&indexOf).n&hasPlain == 0 }

// anyAtomic reports whether s has atomic writes, which may well be unordered
// without a report.
func (e *Engine) anyAtomic(s side) bool {
	for s.h != 0 {
		var i uint32
		if i, _, s = e.first(s); e.record(i).kind.atomic() {
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
	w, r, key uint32
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
	if atomic && h&listed != 0 && e.allAtomic(h) {
		return
	}
	for s := (side{h: h}); s.h != 0; {
		var i uint32
		i, _, s = e.first(s)
		r := e.record(i)
		if r.set == 0 || r.task == t.id || r.kind.atomic() && atomic {
			continue
		}
		for x := t.set; x != 0; {
			var j uint32
			j, x = e.firstLock(x)
			// Several sections of r may match only if its task holds the
			// lock twice, which Go's locks do not allow.
			c := e.section(j)
			if y := e.excludes(r.set, c); y != 0 {
				if d := e.section(y); load32(&d.ended) != 0 {
					if e.takeSection(t, d) && !t.orders {
						e.noteConflict(t.origin)
					}
				}
			}
		}
	}
}
