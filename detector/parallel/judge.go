package parallel

import "taskinstr/detector/mem"

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
	a := t.records[t.kind%kinds]
	h.r = shared(h.r)
	x := bits(h.w, h.r)
	if m := t.transitionFor(x, a); m != nil && (m.origin == 0 || m.origin == t.origin && m.origins == h.origins) {
		return e.applyTransition(t, h, m)
	}
	t.clash = false
	g, ok := e.judgeSlow(t, h, addr, n)
	mem.Fence()                  // as in foresee
	if !ok || t.candidate != 0 { // a new report, or what may become one (doubtBlock)
		return g
	}
	w, r := e.editOf(h.w, g.w, a), e.editOf(h.r, g.r, a)
	if w == otherEdit || r == otherEdit {
		return g
	}
	y := bits(g.w, g.r)
	if t.clash {
		t.remember(x, a, y, w, r, h.origins, t.origin)
	} else {
		t.remember(x, a, y, w, r, cell{}, 0)
	}
	return g
}

// judgeSlow is judge without the remembered transitions. ok is false if it has queued a
// new report.
func (e *Engine) judgeSlow(t *Task, h history, addr, n uintptr) (g history, ok bool) {
	w, r := h.writes(), h.reads()
	ok = e.check(t, w, addr, n)
	if t.kind.Writes() {
		ok = e.check(t, r, addr, n) && ok
		if e.alreadyCovered(t, w.h, t.kind) {
			return e.healed(t, h), ok // see Probe
		}
		// Atomic accesses do not race with one another, so many tasks may continue to
		// write without any order.
		if lazy := t.kind.Atomic(); !lazy {
			w = e.add(t, w, lazy)
			// Compaction of reads is left to readers: only a read tells which reads it
			// subsumes.
			return makeHistory(w, e.unwrapSingle(e.unsubsumed(t, r))), ok
		}
		w = e.add(t, w, true)
		if e.compactionDue(r.h) {
			r = e.unwrapSingle(e.unsubsumed(t, r))
			e.compacted(r.h)
		}
		return makeHistory(w, r), ok
	}
	if e.alreadyCovered(t, w.h, t.kind) || e.alreadyCovered(t, r.h, t.kind) {
		return e.healed(t, h), ok
	}
	return makeHistory(w, e.add(t, r, true)), ok
}

// coveredDepth is the number of records of a list that alreadyCovered examines. As many
// tasks may take turns in reading the same bytes without adding a record each time.
const coveredDepth = 3

// healed returns h with the origins that a long access replaces, see Task.healing.
func (e *Engine) healed(t *Task, h history) history {
	h.origins.w, _ = e.editOrigins(t, unchanged, h.w, h.origins.w)
	h.origins.r, _ = e.editOrigins(t, unchanged, h.r, h.origins.r)
	return h
}

// owns reports whether record i is of t's present step and locks, and conflicts with
// every access with which an access of kind k conflicts.
//
//go:nosplit
func (t *Task) owns(i uint32, k Kind) bool {
	return i == t.records[Write] || i == t.records[k%kinds] ||
		!k.Writes() && i == t.records[Read] || k.Atomic() && i == t.records[AtomicWrite]
}

// coversKind reports whether every access that conflicts with kind k conflicts with kind
// c too.
//
//go:nosplit
func coversKind(c, k Kind) bool {
	return (c.Writes() || !k.Writes()) && (!c.Atomic() || k.Atomic())
}

// check queues a report for each record of s with which t's access races. It returns
// false if one of these reports is new.
func (e *Engine) check(t *Task, s half, addr, n uintptr) bool {
	ok := true
	atomic := t.kind.Atomic()
	for h := e.rivals(s.h, atomic); h != 0; {
		i, rest := e.firstRecord(h)
		if r := e.record(i); r.task != t.id && !e.beforeWeak(t, r.task, r.step) {
			t.clash = true
			if hb := e.beforeHB(t, r.task, r.step); !hb || !e.protects(t.set, r.set) {
				o := e.originIn(s, h)
				for at, end := addr, addr+n; at < end; {
					one, next := e.originAt(o, at, end)
					if hb {
						ok = e.queueCandidate(t, i, one, at, next-at) && ok
					} else {
						ok = !e.queueReport(t, i, one, at, next-at) && ok
					}
					at = next
				}
			}
		}
		h = e.rivals(rest, atomic)
	}
	return ok
}

// subsumes reports whether t's access subsumes record i, see judge.
func (e *Engine) subsumes(t *Task, i uint32) bool {
	r := e.record(i)
	if r.task != t.id && !e.followsRecord(t, r) || !coversKind(t.kind, r.kind()) {
		return false
	}
	switch {
	case mem.Load32(&e.unpredicted) != 0 || t.set == r.set && !e.opt.All:
		return true
	case e.opt.All:
		return e.protectsLess(t, r)
	}
	// Each critical section of r must have an end that precedes t or no end, or t is still in it.
	return r.task == t.id || e.endedBefore(t, r)
}

// unsubsumed returns s without the records that t's access subsumes.
func (e *Engine) unsubsumed(t *Task, s half) half {
	for h := s.h; h != 0; {
		var i uint32
		if i, h = e.firstRecord(h); e.subsumes(t, i) {
			return e.without(t, s, func(i uint32) bool { return e.subsumes(t, i) })
		}
	}
	return s
}

// without returns s without the records for which gone is true. It may ask twice, and the
// second answer may be another one: other tasks end critical sections and join tasks
// meanwhile.
func (e *Engine) without(t *Task, s half, gone func(i uint32) bool) half {
	end := s            // the list behind the last record that goes
	kept, ahead := 0, 0 // records that stay: all so far, and those before end
	for x := s; x.h != 0; {
		var i uint32
		if i, _, x = e.first(x); gone(i) {
			end, ahead = x, kept
		} else {
			kept++
		}
	}
	list := end
	for x := s; ahead > 0 && x != end; {
		var i, o uint32
		if i, o, x = e.first(x); !gone(i) {
			list = e.cons(t, i, o, list)
		}
	}
	return list
}

// unwrapSingle returns s as a record if s is a list of one.
func (e *Engine) unwrapSingle(s half) half {
	if s.h&listed != 0 {
		if i, o, rest := e.first(s); rest.h == 0 {
			return half{i, o}
		}
	}
	return s
}
