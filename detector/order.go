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

// A clockChange describes the last change of a task's clock. own is the task's step at
// the change, 0 if the clock is unchanged since the fork. If the clock has become the
// clock of epoch (task, step) with the epoch itself added, task is not 0.
type change struct {
	at, task, step uint32
}

// orderAfter orders t after epoch p in every order. If join is set and no task has joined
// p's task yet, t writes the join record.
func (e *Engine) take(t *Task, p *point, join bool) {
	u, s := p.task, p.step
	if u == t.id || u != 0 && e.beforeWeak(t, u, s) {
		// If t knows an epoch, it knows everything that precedes the epoch: clocks are
		// merged along the same edges that make an epoch known.
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
		// No other task knows this step of t yet, so the join record may still grow.
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

// mergeClocks merges the clocks of epoch p into t's.
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
		e.holdClock(t.hb) // the clocks separate: t owns each of them from here on
	}
	if !e.inherits(t, p.task, p.weakAt, false) {
		t.weak = e.absorb(t, t.weak, p, p.weak, &t.weakAt)
	}
	if !e.inherits(t, p.task, p.hbAt, true) {
		t.hb = e.absorb(t, t.hb, p, p.hb, &t.hbAt)
	}
	e.unite(t)
}

// inherits reports whether t knows all that the clock of task u contained at its last
// change c: the step of the change precedes t's present, or the epoch whose clock it
// adopted does. If c.own is 0 the clock is unchanged since u was forked.
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

// mergeClock returns the union of m, a clock of t with last change c, and y, the clock of
// p. If y contains t's step of that change, or the epoch whose clock m adopted then, y
// contains all of m.
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
		// y contains all that m contained when m last changed, but t may have entered its
		// parent into m since then.
		t.anchored = t.parent == 0
	}
	e.dropClock(t, m)
	return r
}

// orderAfterLock orders t after epoch p, released at a lock, in happens-before alone.
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

// A lockEdge is a lock whose happens-before edge was new to a task.
type lesson struct {
	lock  uintptr
	giver uint64 // serial of the task that gave up the lock, 0 if forgotten
	step  uint32 // the step in which it did
	pc    uint32 // hold.pc
}

// maxLockEdges is the number of lock edges that a task remembers.
const lessons = 4

// orderLock returns the lock through which t knows that the task with serial giver
// precedes it up to step s. If direct is set, t took the lock after that task gave it up.
// Otherwise other tasks may have passed the order on, and the result is the last lock
// whose edge was new to t.
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

// orderAfterSection orders t, in the weak order alone, after the end of a critical
// section that conflicts with t's own. It returns false if t was ordered already.
func (e *Engine) takeSection(t *Task, c *section) bool {
	return e.takeIn(t, false, &point{task: c.endTask, step: c.endStep}, c.endWeak, c.endAt)
}

// orderAfterIn orders t, in one order alone, after epoch p, whose clock m has the last
// change at. It returns false if t was ordered already.
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

// unite drops one ownership if t's clocks, each owned, have become the same clock again.
func (e *Engine) unite(t *Task) {
	if t.weak == t.hb && t.weak != 0 {
		e.dropClock(t, t.hb)
	}
}
