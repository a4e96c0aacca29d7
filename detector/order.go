package detector

// beforeWeak reports whether epoch (u, s) precedes t's present in the order for
// predictions.
func (e *Engine) beforeWeak(t *Task, u, s uint32) bool {
	if u == t.id || u == t.parent && s <= t.forkStep {
		return true
	}
	c := &t.knownWeak[u%knownCache]
	if *c>>32 == uint64(u) && s <= uint32(*c) {
		return true
	}
	if !e.precedes(t, t.weak, u, s) {
		return false
	}
	*c = uint64(u)<<32 | uint64(s)
	return true
}

// follows reports whether t's cache or clock shows that epoch (u, s) precedes t's present
// in the weak order. It consults no join records, so false means unknown.
//
//go:nosplit
func (e *Engine) follows(t *Task, u, s uint32) bool {
	c := &t.knownWeak[u%knownCache]
	if *c>>32 == uint64(u) && s <= uint32(*c) || u == t.parent && s <= t.forkStep {
		return true
	}
	v := e.clockGet(t.weak, u)
	if v < s {
		return false
	}
	*c = uint64(u)<<32 | uint64(v)
	return true
}

// beforeHB is beforeWeak for the happens-before order.
func (e *Engine) beforeHB(t *Task, u, s uint32) bool {
	if u == t.id || u == t.parent && s <= t.forkStep {
		return true
	}
	c := &t.knownHB[u%knownCache]
	if *c>>32 == uint64(u) && s <= uint32(*c) {
		return true
	}
	if !e.precedes(t, t.hb, u, s) {
		return false
	}
	*c = uint64(u)<<32 | uint64(s)
	return true
}

// before is beforeHB if hb is set, else beforeWeak.
func (e *Engine) before(t *Task, u, s uint32, hb bool) bool {
	if hb {
		return e.beforeHB(t, u, s)
	}
	return e.beforeWeak(t, u, s)
}

// precedes follows join records from (u, s) until it meets an epoch that t knows
// directly: an epoch of t itself, of its parent before the fork, or one within clock m.
// The walk cannot return to a step that it has left, because a join record leads to its
// writer's step at the time of writing, which is later than all steps that it covers.
func (e *Engine) precedes(t *Task, m, u, s uint32) bool {
	for hops := 0; !e.direct(t, m, u, s); hops++ {
		n := e.info(u)
		if s > load32(&n.joinStep) {
			return false
		}
		if hops == maxHops && e.leaps(t, m, u, s) {
			return true
		}
		u, s = n.joiner, n.joinerStep
	}
	return true
}

// direct reports whether t knows (u, s) without join records, given clock m.
func (e *Engine) direct(t *Task, m, u, s uint32) bool {
	return u == t.id || u == t.parent && s <= t.forkStep || e.clockGet(m, u) >= s
}

// maxHops is the number of join records that precedes follows before it tries leaps.
const maxHops = 8

// leaps is precedes along hints, each of which spans many join records: the steps that a
// task's join record covers also precede the epoch in its hint. Failure proves nothing,
// since an epoch may precede t though the epoch in its hint does not. Each visited task
// takes over the hint of the next one. That halves the length of later walks, and stays
// true when other walks change hints at the same time.
func (e *Engine) leaps(t *Task, m, u, s uint32) bool {
	n := e.info(u)
	for s <= load32(&n.joinStep) {
		v, w := n.leapOrJoin()
		if e.direct(t, m, v, w) {
			return true
		}
		next := e.info(v)
		if w <= load32(&next.joinStep) {
			v, w = next.leapOrJoin()
			store64(&n.leap, uint64(v)<<32|uint64(w))
			next = e.info(v)
			if e.direct(t, m, v, w) {
				return true
			}
		}
		n, s = next, w
	}
	return false
}

// leapOrJoin returns n's hint, or its join record if it has none.
func (n *taskInfo) leapOrJoin() (u, s uint32) {
	if l := load64(&n.leap); l != 0 {
		return uint32(l >> 32), uint32(l)
	}
	return n.joiner, n.joinerStep
}
