package detector

// beforeWeak reports whether task u, up to its step s, precedes t's present in
// the order that predictions go by.
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

// follows reports whether t's memory or its clock tells that task u, up to its step s,
// precedes t's present in the weak order. Where join records tell, it returns false.
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

// beforeHB is beforeWeak in the happens-before order.
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

// before is beforeHB or beforeWeak.
func (e *Engine) before(t *Task, u, s uint32, hb bool) bool {
	if hb {
		return e.beforeHB(t, u, s)
	}
	return e.beforeWeak(t, u, s)
}

// precedes walks from (u, s) along join records until a point is met that t has
// directly: by being that task, by having been forked from it, or in its clock
// m. A walk cannot return to a step it has left, because a join record points to
// where its writer was at the time of writing, later than all it covers.
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

func (e *Engine) direct(t *Task, m, u, s uint32) bool {
	return u == t.id || u == t.parent && s <= t.forkStep || e.clockGet(m, u) >= s
}

// maxHops is how long a chain of joins is walked before leaping is tried.
const maxHops = 8

// leaps is precedes along hints, each of which spans many join records: what a
// task's join record covers also precedes the point its hint names. A point may
// precede t though what its hint names does not, so a failure means nothing. Each
// task on the way gets the hint of the next, which halves the way of later walks
// and stays true whatever other walks do meanwhile.
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

func (n *taskInfo) leapOrJoin() (u, s uint32) {
	if l := load64(&n.leap); l != 0 {
		return uint32(l >> 32), uint32(l)
	}
	return n.joiner, n.joinerStep
}

// A change is the last one of a task's clock: the task's step then, 0 if the clock is
// what it was when the task was forked. If the clock became what precedes the point
// (task, step), and that, task is not 0.
type change struct {
	at, task, step uint32
}

// take orders t after the point p, in every order. If join is set, and nobody has yet
// joined p's task, t does.
func (e *Engine) take(t *Task, p *point, join bool) {
	u, s := p.task, p.step
	if u == t.id || u != 0 && e.beforeWeak(t, u, s) {
		// What is known of a task at a step includes what it knew then: the
		// clocks are merged along the very edges that make it known.
		return
	}
	e.mergeBoth(t, p)
	if u == 0 {
		return
	}
	known := uint64(u)<<32 | uint64(s)
	t.knownWeak[u%knownCache], t.knownHB[u%knownCache] = known, known
	weakAt, hbAt := t.weakAt, t.hbAt
	n := e.info(u)
	e.learn(t, n.parent, n.forkStep)
	if join && n.joining == 0 && cas32(&n.joining, 0, 1) {
		n.joiner, n.joinerStep = t.id, t.step
		t.owes = t.step
		store32(&n.joinStep, s)
		e.settle(n)
		return
	}
	if n.joiner == t.id && n.joinerStep == t.step && load32(&n.joinStep) != 0 {
		// Nobody has got to know this step of t, so nobody loses by this.
		if s > n.joinStep {
			store32(&n.joinStep, s)
			e.settle(n)
		}
		return
	}
	e.enter(t, u, s)
	if weakAt.task == u && weakAt.step == s {
		t.weakAt.task, t.weakAt.step = u, s
	}
	if hbAt.task == u && hbAt.step == s {
		t.hbAt.task, t.hbAt.step = u, s
	}
}

func (e *Engine) mergeBoth(t *Task, p *point) {
	same := t.weak == t.hb
	if same && p.weak == p.hb && t.weakAt == t.hbAt && p.weakAt == p.hbAt {
		if !e.inherits(t, p.task, p.weakAt, false) {
			t.weak = e.absorb(t, t.weak, p, p.weak, &t.weakAt)
			t.hb, t.hbAt = t.weak, t.weakAt
		}
		return
	}
	if same {
		e.holdClock(t.hb) // they part: each owns its own from here on
	}
	if !e.inherits(t, p.task, p.weakAt, false) {
		t.weak = e.absorb(t, t.weak, p, p.weak, &t.weakAt)
	}
	if !e.inherits(t, p.task, p.hbAt, true) {
		t.hb = e.absorb(t, t.hb, p, p.hb, &t.hbAt)
	}
	e.unite(t)
}

// inherits reports whether t knows all that task u knew when its clock last
// changed, because that step precedes t's present, or the point whose clock it became;
// at 0 the clock is as it was when u was forked.
func (e *Engine) inherits(t *Task, u uint32, c change, hb bool) bool {
	if u == 0 {
		return false
	}
	if c.task != 0 && e.before(t, c.task, c.step, hb) {
		return true
	}
	at := c.at
	if at == 0 {
		n := e.info(u)
		if n.parent == 0 || n.flags&infoSpliced != 0 {
			return false
		}
		u, at = n.parent, n.forkStep
	}
	return e.before(t, u, at, hb)
}

// absorb returns the union of m, a clock of t with last change c, and y, the clock of p.
// If y knows t at that change, or the point whose clock m became then, y has all that m
// has.
func (e *Engine) absorb(t *Task, m uint32, p *point, y uint32, c *change) uint32 {
	if m == y {
		c.task, c.step = p.task, p.step
		return m
	}
	if y == 0 {
		return m
	}
	r := y
	if e.clockGet(y, t.id) < max(c.at, 1) && (c.task == 0 || !(c.task == p.task && c.step <= p.step) && e.clockGet(y, c.task) < c.step) {
		if r = e.clockMax(t, m, y); r == m {
			return m
		}
	}
	*c = change{at: t.step}
	if r == y {
		e.holdClock(y)
		c.task, c.step = p.task, p.step
		// y has all that m had when m became another's clock, but the entry of t's
		// parent may have come since.
		t.anchored = t.parent == 0
	}
	e.dropClock(t, m)
	return r
}

// takeLock orders t after the point p, left at a lock, in happens-before alone.
func (e *Engine) takeLock(t *Task, p *point, lock uintptr) {
	if e.opt.NoPredict {
		if p.task != t.id {
			e.take(t, p, true)
		}
		return
	}
	if e.takeIn(t, true, p, p.hb, p.hbAt) {
		l := lesson{lock: lock, pc: uint32(t.LockPC - e.opt.PCBase), step: p.step}
		if p.task != 0 {
			l.giver = e.info(p.task).serial
		}
		t.lessons[t.taught%lessons] = l
		t.taught++
	}
}

// A lesson is a lock that told a task something new.
type lesson struct {
	lock  uintptr
	giver uint64 // serial of the task that gave it up, 0 if that is forgotten,
	step  uint32 // in this step
	pc    uint32 // hold.pc
}

// lessons is how many a task remembers.
const lessons = 4

// orderLock returns the lock whose order told t that the task called giver precedes it
// up to step s. If direct, t took it from that task. Otherwise others may have passed on
// what they knew, and it is the last lock that told t anything.
func (t *Task) orderLock(giver uint64, s uint32) (l lesson, direct bool) {
	for i := uint32(1); i <= lessons && i <= t.taught; i++ {
		switch m := &t.lessons[(t.taught-i)%lessons]; {
		case m.giver == giver && m.step >= s:
			l, direct = *m, true
		case i == 1:
			l = *m
		}
	}
	return l, direct
}

// takeSection orders t, in the weak order alone, after the end of a critical
// section that conflicts with t's own. It returns false if t already was.
func (e *Engine) takeSection(t *Task, c *section) bool {
	return e.takeIn(t, false, &point{task: c.endTask, step: c.endStep}, c.endWeak, c.endAt)
}

// takeIn orders t, in one order alone, after the point p, whose clock m last changed at
// at. It returns false if t already was.
func (e *Engine) takeIn(t *Task, hb bool, p *point, m uint32, at change) bool {
	u, s := p.task, p.step
	if u == t.id || u != 0 && e.before(t, u, s, hb) {
		return false
	}
	if t.weak == t.hb {
		e.holdClock(t.hb)
	}
	own, ownAt := &t.weak, &t.weakAt
	if hb {
		own, ownAt = &t.hb, &t.hbAt
	}
	if !e.inherits(t, u, at, hb) {
		*own = e.absorb(t, *own, p, m, ownAt)
	}
	if u != 0 {
		if ownAt.at = t.step; ownAt.task != u || ownAt.step != s {
			ownAt.task, ownAt.step = 0, 0
		}
		n := e.info(u)
		if n.parent != 0 && !e.precedes(t, *own, n.parent, n.forkStep) { // see learn
			*own = e.clockSet(t, *own, n.parent, n.forkStep)
		}
		*own = e.clockSet(t, *own, u, s)
	}
	e.unite(t)
	return true
}

// unite notes that the clocks, each owned, have become the same again.
func (e *Engine) unite(t *Task) {
	if t.weak == t.hb && t.weak != 0 {
		e.dropClock(t, t.hb)
	}
}
