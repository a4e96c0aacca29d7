package detector

// A clockChange describes the last change of a task's clock. own is the task's step at
// the change, 0 if the clock is unchanged since the fork. If the clock has become the
// clock of epoch (task, step) with the epoch itself added, task is not 0.
type clockChange struct {
	own, task, step uint32
}

// orderAfter orders t after epoch p in every order. If join is set and no task has joined
// p's task yet, t writes the join record.
func (e *Engine) orderAfter(t *Task, p *epoch, join bool) {
	if p.task == t.id || p.task != 0 && e.beforeWeak(t, p.task, p.step) {
		// If t knows an epoch, it knows everything that precedes the epoch: clocks are
		// merged along the same edges that make an epoch known.
		return
	}
	e.orderAfterNew(t, p, join)
}

// orderAfterNew is orderAfter for an epoch that t does not know.
func (e *Engine) orderAfterNew(t *Task, p *epoch, join bool) {
	u, s := p.task, p.step
	e.mergeClocks(t, p)
	if u == 0 {
		return
	}
	known := uint64(u)<<32 | uint64(s)
	t.knownWeak[u%knownCache], t.knownHB[u%knownCache] = known, known
	weak, hb := t.weakChange, t.hbChange
	n := e.info(u)
	e.learn(t, n.parent, n.forkStep)
	if join && n.joining == 0 && cas32(&n.joining, 0, 1) {
		n.joiner, n.joinerStep = t.id, t.step
		t.coverStep = t.step
		store32(&n.joinStep, s)
		e.checkJoined(n)
		return
	}
	if n.joiner == t.id && n.joinerStep == t.step && load32(&n.joinStep) != 0 {
		// No other task knows this step of t yet, so the join record may still grow.
		if s > n.joinStep {
			store32(&n.joinStep, s)
			e.checkJoined(n)
		}
		return
	}
	e.enter(t, u, s)
	if weak.task == u && weak.step == s {
		t.weakChange.task, t.weakChange.step = u, s
	}
	if hb.task == u && hb.step == s {
		t.hbChange.task, t.hbChange.step = u, s
	}
}

// mergeClocks merges the clocks of epoch p into t's.
func (e *Engine) mergeClocks(t *Task, p *epoch) {
	same := t.weak == t.hb
	if same && p.weak == p.hb && t.weakChange == t.hbChange && p.weakChange == p.hbChange {
		e.take(t, &t.weak, &t.weakChange, p, p.weak, p.weakChange, false)
		t.hb, t.hbChange = t.weak, t.weakChange
		return
	}
	if same {
		e.holdClock(t.hb) // the clocks separate: t owns each of them from here on
	}
	e.take(t, &t.weak, &t.weakChange, p, p.weak, p.weakChange, false)
	e.take(t, &t.hb, &t.hbChange, p, p.hb, p.hbChange, true)
	e.unite(t)
}

// take makes m, a clock of t with last change c, contain y, the clock of p with last change l.
func (e *Engine) take(t *Task, m *uint32, c *clockChange, p *epoch, y uint32, l clockChange, hb bool) {
	switch {
	case !e.inherits(t, p.task, l, hb):
		*m = e.mergeClock(t, *m, p, y, c)
	case e.contains(t, p, y, c): // and the other way around
		c.task, c.step = p.task, p.step
	}
}

// contains reports whether y, the clock of p, is known to contain the clock of t with last change c: it
// contains t's step of that change, or the epoch whose clock t's became then.
func (e *Engine) contains(t *Task, p *epoch, y uint32, c *clockChange) bool {
	return e.clockGet(y, t.id) >= max(c.own, 1) || c.task != 0 && (c.task == p.task && c.step <= p.step || e.clockGet(y, c.task) >= c.step)
}

// inherits reports whether t knows all that the clock of task u contained at its last
// change c: the step of the change precedes t's present, or the epoch whose clock it
// adopted does. If c.own is 0 the clock is unchanged since u was forked.
func (e *Engine) inherits(t *Task, u uint32, c clockChange, hb bool) bool {
	if u == 0 {
		return false
	}
	if c.task != 0 && e.before(t, c.task, c.step, hb) {
		return true
	}
	step := c.own
	if step == 0 {
		n := e.info(u)
		if n.parent == 0 || n.flags&infoSpliced != 0 {
			return false
		}
		u, step = n.parent, n.forkStep
	}
	return e.before(t, u, step, hb)
}

// mergeClock returns the union of m, a clock of t with last change c, and y, the clock of p.
func (e *Engine) mergeClock(t *Task, m uint32, p *epoch, y uint32, c *clockChange) uint32 {
	if m == y {
		c.task, c.step = p.task, p.step
		return m
	}
	if y == 0 {
		return m
	}
	r := y
	if !e.contains(t, p, y, c) {
		if r = e.clockMax(t, m, y); r == m {
			return m
		}
	}
	*c = clockChange{own: t.step}
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
func (e *Engine) orderAfterLock(t *Task, p *epoch, lock uintptr) {
	if e.opt.NoPredict {
		if p.task != t.id {
			e.orderAfter(t, p, true)
		}
		return
	}
	if e.orderAfterIn(t, true, p, p.hb, p.hbChange) {
		l := lockEdge{lock: lock, pc: uint32(t.LockPC - e.opt.PCBase), step: p.step}
		if p.task != 0 {
			l.giver = e.info(p.task).serial
		}
		t.lockEdges[t.nLockEdges%maxLockEdges] = l
		t.nLockEdges++
	}
}

// A lockEdge is a lock whose happens-before edge was new to a task.
type lockEdge struct {
	lock  uintptr
	giver uint64 // serial of the task that gave up the lock, 0 if forgotten
	step  uint32 // the step in which it did
	pc    uint32 // hold.pc
}

// maxLockEdges is the number of lock edges that a task remembers.
const maxLockEdges = 4

// orderLock returns the lock through which t knows that the task with serial giver
// precedes it up to step s. If direct is set, t took the lock after that task gave it up.
// Otherwise other tasks may have passed the order on, and the result is the last lock
// whose edge was new to t.
func (t *Task) orderLock(giver uint64, s uint32) (l lockEdge, direct bool) {
	for i := uint32(1); i <= maxLockEdges && i <= t.nLockEdges; i++ {
		switch m := &t.lockEdges[(t.nLockEdges-i)%maxLockEdges]; {
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
func (e *Engine) orderAfterSection(t *Task, c *section) bool {
	return e.orderAfterIn(t, false, &epoch{task: c.endTask, step: c.endStep}, c.endWeak, c.endChange)
}

// orderAfterIn orders t, in one order alone, after epoch p. m is the clock of p in that
// order and last its last change. It returns false if t was ordered already.
func (e *Engine) orderAfterIn(t *Task, hb bool, p *epoch, m uint32, last clockChange) bool {
	u, s := p.task, p.step
	if u == t.id || u != 0 && e.before(t, u, s, hb) {
		return false
	}
	if t.weak == t.hb {
		e.holdClock(t.hb)
	}
	own, ownChange := &t.weak, &t.weakChange
	if hb {
		own, ownChange = &t.hb, &t.hbChange
	}
	e.take(t, own, ownChange, p, m, last, hb)
	if u != 0 {
		if ownChange.own = t.step; ownChange.task != u || ownChange.step != s {
			ownChange.task, ownChange.step = 0, 0
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
