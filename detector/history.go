package detector

// listFloor is the length up to which a list of readers is kept free of readers
// that a newer one stands for.
const listFloor = 8

// A memo remembers that judging an access of record rec against the history
// (w, r) gave (w2, r2), which has rec, and nothing new to report. The answer is good
// for the epoch: what preceded then precedes now, and what has been renewed since
// (see recMemo) is in no history that is still (w, r).
type memo struct {
	rec, w, r, w2, r2 uint32
	epoch             uint32
}

// A byteMemo is a memo of an access of some bytes of a word: that the word's cell
// was old made it new.
type byteMemo struct {
	old, new uint64
	span     uint64 // see byteSpan; 0: none
}

// byteSpan names record rec and the bytes [lo, lo+n) of a word, in t's epoch.
func (t *Task) byteSpan(rec uint32, lo, n uintptr) uint64 {
	return uint64(rec)<<32 | uint64(t.epoch())<<8 | uint64(lo%wordBytes<<4|n)
}

func (t *Task) remembers(m *byteMemo, old uint64, rec uint32, lo, n uintptr) bool {
	return m.old == old && m.span == t.byteSpan(rec, lo, n)
}

// judge compares an access of record a by t with the history (w, r) of some
// bytes, w being writes and r reads, notes the races it makes and returns the
// history that includes it. The bytes are n at addr.
//
// A record e may go when the new access a stands for it: a precedes whatever
// is still to come that e precedes; that is, e precedes a, a conflicts with
// whatever e conflicts with, and no lock protects a that does not protect e.
// Then an access that races with e races with a. And the ends of e's critical
// sections, from which later conflicting sections would be ordered, precede a
// already.
//
// ok is false if there was something new to report.
func (e *Engine) judge(t *Task, a, w, r uint32, addr, n uintptr) (w2, r2 uint32, ok bool) {
	m := t.memoOf(a, w, r)
	if m.rec != a || m.w != w || m.r != r || m.epoch != t.epoch() {
		k := e.record(a).kind()
		x := bits(w, r)
		if t.replaces(k, x) {
			y := replacing(a, k, x)
			w2, r2 = uint32(y), uint32(y>>32)
		} else {
			w2, r2, ok = e.judgeSlow(t, a, w, r, addr, n)
			if !ok || !e.has(w2, a) && !e.has(r2, a) {
				return w2, r2, ok
			}
			if !t.clash {
				t.judged(a, k, x, bits(w2, r2))
			}
		}
		if t.wide == 0 && m.rec != 0 && m.epoch == t.epoch() {
			t.misses++
		}
		*m = memo{a, w, r, w2, r2, t.epoch()}
	}
	c := t.recMemo(t.cur)
	c.learn(t, bits(w, r), bits(m.w2, m.r2))
	if w == m.w2 && r == m.r2 && e.has(r, a) {
		e.repeats(c, bits(w, r))
	}
	return m.w2, m.r2, true
}

// merges reports whether a range is to take the place of record h of its own step,
// although that would do, so that what was cut into pieces heals.
func (t *Task) merges(h uint32) bool { return t.merging && h&listed == 0 }

// judgeSlow is judge without its memory.
func (e *Engine) judgeSlow(t *Task, a, w, r uint32, addr, n uintptr) (w2, r2 uint32, ok bool) {
	ra := e.record(a)
	t.clash = false
	ok = e.check(t, a, w, addr, n)
	if ra.kind().writes() {
		ok = e.check(t, a, r, addr, n) && ok
		if !t.merges(w) && e.stoodFor(ra, w) {
			return w, r, ok // see Probe
		}
		// Atomic accesses do not race with one another, so that many tasks may
		// go on writing unordered.
		lazy := ra.kind().atomic()
		w2 = e.add(t, a, w, lazy)
		if !lazy {
			// Not thinned: only a reader knows which readers it stands for.
			return w2, e.remaining(t, a, r), ok
		}
		r2 = r
		if e.crowded(r) {
			r2 = e.remaining(t, a, r)
			e.thinned(r2)
		}
		return w2, r2, ok
	}
	if e.stoodFor(ra, w) || !t.merges(r) && e.stoodFor(ra, r) {
		return w, r, ok
	}
	return w, e.add(t, a, r, true), ok
}

// has reports whether record i is one of the newest of h.
func (e *Engine) has(h, i uint32) bool {
	for n := 0; h != 0 && n < stoodForDepth; n++ {
		var r uint32
		if r, h = e.first(h); r == i {
			return true
		}
	}
	return false
}

// stoodForDepth is how many of a list's records stoodFor looks at: as many tasks
// may take turns in reading the same bytes without adding to the list each time.
const stoodForDepth = 8

// stoodFor reports whether one of the newest records of h, of t's present step,
// makes another one for the same bytes needless.
func (e *Engine) stoodFor(a *record, h uint32) bool {
	for n := 0; h != 0 && n < stoodForDepth; n++ {
		var i uint32
		i, h = e.first(h)
		r := e.record(i)
		if r.task == a.task && r.step == a.step && r.set == a.set && e.coversKind(r.kind(), a.kind()) {
			return true
		}
	}
	return false
}

// coversKind reports whether what conflicts with k conflicts with c as well.
func (e *Engine) coversKind(c, k Kind) bool {
	return (c.writes() || !k.writes()) && (!c.atomic() || k.atomic())
}

// check reports the records of h that an access of record a races with. It
// returns false if one of these reports is new.
func (e *Engine) check(t *Task, a, h uint32, addr, n uintptr) bool {
	if t.orders {
		return true
	}
	ok := true
	ra := e.record(a)
	if ra.kind().atomic() && h&listed != 0 && e.allAtomic(h) {
		return true
	}
	for h != 0 {
		var i uint32
		i, h = e.first(h)
		r := e.record(i)
		if r.task == t.id || r.kind().atomic() && ra.kind().atomic() || e.beforeWeak(t, r.task, r.step) {
			continue
		}
		t.clash = true
		if !e.beforeHB(t, r.task, r.step) {
			ok = !e.note(t, a, i, addr, n, false) && ok
		} else if !e.commonLock(ra.set, r.set) {
			ok = !e.note(t, a, i, addr, n, true) && ok
		}
	}
	return ok
}

// standsFor reports whether t's access of record a stands for record i.
func (e *Engine) standsFor(t *Task, a *record, i uint32) bool {
	r := e.record(i)
	if !e.coversKind(a.kind(), r.kind()) || !e.beforeWeak(t, r.task, r.step) {
		return false
	}
	if e.opt.NoPredict || a.set == r.set {
		return true
	}
	if !e.within(a.set, r.set) {
		return false
	}
	if t.orders && !e.within(r.set, a.set) {
		return false // there is no race to be found in the place of an order
	}
	return e.opt.All || e.settled(t, r.set, a.set)
}

// remaining returns what is left of h once an access of record a stands for
// what it can.
func (e *Engine) remaining(t *Task, a, h uint32) uint32 {
	ra := e.record(a)
	rest := uint32(0)
	kept := false
	all := true
	for x := h; x != 0; {
		var i uint32
		i, x = e.first(x)
		if e.standsFor(t, ra, i) {
			all = false
		} else {
			kept = true
		}
	}
	if all {
		return h
	}
	if !kept {
		return 0
	}
	for x := h; x != 0; {
		var i uint32
		i, x = e.first(x)
		if !e.standsFor(t, ra, i) {
			rest = e.cons(t, i, rest)
		}
	}
	return rest
}

// add returns h with a added and, if h is short or lazy is false or it has
// doubled since the last time, without what a stands for. Laziness keeps the
// cost of a read of widely shared bytes constant.
func (e *Engine) add(t *Task, a, h uint32, lazy bool) uint32 {
	if h == 0 {
		return a
	}
	if i, _ := e.first(h); i == a {
		return h
	}
	if lazy && h&listed != 0 {
		if !e.crowded(h) {
			l := e.listNode(h & indexOf)
			if !e.standsFor(t, e.record(a), l.record) {
				return e.cons(t, a, h)
			}
			// The newest reader repeats itself: it is replaced.
			return listed | e.newListNode(t, a, l.rest, l.len(), l.limit)
		}
	}
	h = e.remaining(t, a, h)
	if h == 0 {
		return a
	}
	h = e.cons(t, a, h)
	if !lazy && e.listNode(h&indexOf).len() >= 2*writersKept && !e.opt.All && !e.anyAtomic(h) {
		return e.newest(t, h, writersKept)
	}
	e.thinned(h)
	return h
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

// anyAtomic reports whether h has atomic writes, which may well be unordered
// without a report.
func (e *Engine) anyAtomic(h uint32) bool {
	for h != 0 {
		var i uint32
		if i, h = e.first(h); e.record(i).kind().atomic() {
			return true
		}
	}
	return false
}

// newest returns the first n records of h.
func (e *Engine) newest(t *Task, h, n uint32) uint32 {
	i, rest := e.first(h)
	if n == 1 {
		return i
	}
	return e.cons(t, i, e.newest(t, rest, n-1))
}

// A joinedMemo remembers a history whose critical sections t has been ordered
// after, for the epoch.
type joinedMemo struct {
	a, w, r, epoch uint32
}

// joinSections orders t after the ends of the earlier critical sections in
// which these bytes were accessed in conflict with its present one.
func (e *Engine) joinSections(t *Task, a, w, r uint32) {
	m := &t.joined[(w^r)%joinedCache]
	now := joinedMemo{a, w, r, t.epoch()}
	if *m == now {
		return
	}
	*m = now
	ra := e.record(a)
	e.joinEach(t, ra, w)
	if ra.kind().writes() {
		e.joinEach(t, ra, r)
	}
}

func (e *Engine) joinEach(t *Task, a *record, h uint32) {
	if a.kind().atomic() && h&listed != 0 && e.allAtomic(h) {
		return
	}
	for h != 0 {
		var i uint32
		i, h = e.first(h)
		r := e.record(i)
		if r.set == 0 || r.task == t.id || r.kind().atomic() && a.kind().atomic() {
			continue
		}
		for x := a.set; x != 0; {
			var j uint32
			j, x = e.firstLock(x)
			// Several sections of r may match only if its task holds the
			// lock twice, which Go's locks do not allow.
			c := e.section(j)
			if y := e.excludes(r.set, c); y != 0 {
				if d := e.section(y); load32(&d.ended) != 0 {
					if e.takeSection(t, d) && !t.orders {
						e.noteConflict(a.origin)
					}
				}
			}
		}
	}
}
