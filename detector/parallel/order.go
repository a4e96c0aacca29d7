package parallel

import "taskinstr/detector/mem"

// follows reports whether step s of task u, another one than t, precedes t's present in the weak
// order.
//
//go:nosplit
func (e *Engine) follows(t *Task, u, s uint32) bool {
	return e.stepIn(t.weak, uint32(*e.slotOf(u))) >= s
}

// followsRecord is follows for the access of record p.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) followsRecord(t *Task, p *record) bool { return e.stepIn(t.weak, p.slot()) >= p.step }

// beforeWeak reports whether epoch (u, s) precedes t's present in the order for
// predictions.
//
//go:nosplit
func (e *Engine) beforeWeak(t *Task, u, s uint32) bool { return u == t.id || e.follows(t, u, s) }

// beforeHB is beforeWeak for the happens-before order.
//
//go:nosplit
func (e *Engine) beforeHB(t *Task, u, s uint32) bool {
	return u == t.id || e.stepIn(t.hb, uint32(*e.slotOf(u))) >= s
}

// A released is the content of a sync object: the epoch of a release and the clocks of its task at that
// moment or, if it is mixed, the clocks of several releases that no epoch implies.
type released struct {
	clocks
	weakChange, hbChange change
	fork                 epoch  // Task.fork
	slot                 uint32 // 0: nothing
	step                 uint32
	giver                uint64 // serial of the task that released last
	mixed                bool
}

// present returns t's present epoch, as a copy that owns no clocks.
func (e *Engine) present(t *Task) released {
	return released{clocks: t.clocks, weakChange: t.weakChange, hbChange: t.hbChange, fork: t.fork, slot: t.slot, step: t.step, giver: t.serial}
}

// set makes *r t's present epoch.
func (e *Engine) set(t *Task, r *released) {
	if r.clocks != t.clocks {
		old := r.clocks
		r.clocks = t.clocks
		e.keepBoth(&r.clocks)
		if r.slot != 0 {
			e.dropBoth(t, &old)
		}
	}
	r.weakChange, r.hbChange, r.fork = t.weakChange, t.hbChange, t.fork
	r.slot, r.step, r.giver, r.mixed = t.slot, t.step, t.serial, false
	t.released = t.step
}

// merge adds t's present epoch to r.
func (e *Engine) merge(t *Task, r *released) {
	if r.slot == 0 || e.implied(t, r, t.weak) {
		e.set(t, r)
		return
	}
	e.dropWeak(t, r)
	if !r.mixed {
		e.enter(t, &r.clocks, r.slot, r.step)
	}
	if !e.contains(t, r, r.weak, &t.weakChange) || !e.contains(t, r, r.hb, &t.hbChange) {
		e.joinBoth(t, &r.clocks, &t.clocks)
	} else if t.fork.slot != 0 {
		e.enter(t, &r.clocks, t.fork.slot, t.fork.step)
	}
	e.enter(t, &r.clocks, t.slot, t.step)
	r.slot, r.step, r.giver, r.mixed = t.slot, t.step, t.serial, true
	t.released = t.step
}

// clear makes *r hold nothing. t may be nil.
func (e *Engine) clear(t *Task, r *released) {
	if r.slot != 0 {
		e.dropBoth(t, &r.clocks)
	}
	*r = released{}
}

// implied reports whether t is known, by its clock m, to know all that r holds. If t knows an epoch,
// it knows everything that precedes the epoch: clocks are joined along the same edges that make an
// epoch known.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) implied(t *Task, r *released, m clock) bool {
	return !r.mixed && e.knows(t, r.slot, r.step, m)
}

// knows reports whether t is known, by its clock m, to know all that precedes a release in step v of slot s.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) knows(t *Task, s, v uint32, m clock) bool {
	return t.had(s, v) || e.chained(m, s, v)
}

// had reports whether step v of slot s is t's own.
//
//go:nosplit
func (t *Task) had(s, v uint32) bool { return s == t.slot && v-t.firstStep < t.endSteps-t.firstStep }

// orderAfter orders t after r in every order.
func (e *Engine) orderAfter(t *Task, r *released) {
	if r.slot == 0 || e.implied(t, r, t.weak) {
		return
	}
	e.dropWeak(t, r)
	if t.weak == t.hb && r.weak == r.hb && t.weakChange == t.hbChange && r.weakChange == r.hbChange {
		if _, due := e.take(t, &t.weak, &t.weakChange, r, r.weak, r.weakChange); due {
			e.join(t, &t.weak, r.weak)
		}
		t.hb, t.hbChange = t.weak, t.weakChange
	} else {
		e.divide(&t.clocks)
		_, weak := e.take(t, &t.weak, &t.weakChange, r, r.weak, r.weakChange)
		_, hb := e.take(t, &t.hb, &t.hbChange, r, r.hb, r.hbChange)
		switch {
		case weak && hb:
			e.joinDivided(t, &t.clocks, &r.clocks)
		case weak:
			e.join(t, &t.weak, r.weak)
		case hb:
			e.join(t, &t.hb, r.hb)
		}
		e.unite(t, &t.clocks)
	}
	if !r.mixed {
		e.enter(t, &t.clocks, r.slot, r.step)
	}
	if mem.Load32(&e.others) == 0 {
		e.lookAgain()
	}
}

// dropWeak makes the weak order of t and r happens-before, if nothing is predicted.
func (e *Engine) dropWeak(t *Task, r *released) {
	if mem.Load32(&e.unpredicted) != 0 {
		e.dropWeakOf(t, &t.clocks)
		e.dropWeakOf(t, &r.clocks)
		t.weakChange, r.weakChange = t.hbChange, r.hbChange
	}
}

func (e *Engine) dropWeakOf(t *Task, m *clocks) {
	if m.weak.page != m.hb.page {
		e.dropClockPage(t, m.weak.page)
	}
	if m.weak.top != m.hb.top {
		e.dropTop(t, m.weak.top)
	}
	m.weak = m.hb
}

// take makes m, a clock of t with last change c, contain y, the clock of r with last change l, or tells that the caller has
// to join y. It reports whether m has changed. (The epoch of r is left to the caller.)
func (e *Engine) take(t *Task, m *clock, c *change, r *released, y clock, l change) (changed, join bool) {
	adopted := change{own: t.step}
	if !r.mixed {
		adopted.slot, adopted.step = r.slot, r.step
	}
	has := e.contains(t, r, y, c)
	if !r.mixed && (e.chained(*m, r.slot, l.own) || l.slot != 0 && e.chained(*m, l.slot, l.step)) {
		// t knows all that the clock contained at its last change.
		had := e.stepIn(*m, r.slot) >= r.step
		if r.fork.slot != 0 && e.stepIn(*m, r.fork.slot) < r.fork.step {
			e.setStep(t, m, r.fork.slot, r.fork.step)
			had = false // m changes although it has a step of a later task in the slot of r
		}
		switch {
		case had:
		case has || c.slot == r.slot && c.step <= r.step:
			*c = adopted
		default:
			*c = change{own: t.step}
		}
		return false, false
	}
	if !has {
		*c = change{own: t.step}
		return false, true
	}
	*c = adopted
	if *m == y {
		return false, false
	}
	e.keepClock(y)
	e.dropClock(t, *m)
	*m = y
	if t.fork.slot != 0 {
		e.setStep(t, m, t.fork.slot, t.fork.step)
	}
	return true, false
}

// contains reports whether y, the clock of r, is known to contain the clock of t with last change c.
//
//taskinstr:inline
func (e *Engine) contains(t *Task, r *released, y clock, c *change) bool {
	return e.chained(y, t.slot, c.own) ||
		c.slot != 0 && (e.chained(y, c.slot, c.step) || !r.mixed && c.slot == r.slot && c.step <= r.step && c.step > e.slotAt(c.slot).mixedTo)
}

// chained reports whether m has step v of slot s, and thus all that precedes it.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) chained(m clock, s, v uint32) bool {
	return e.stepIn(m, s) >= v && v > e.slotAt(s).mixedTo
}

// enter puts step v of slot s into both clocks of m.
func (e *Engine) enter(t *Task, m *clocks, s, v uint32) {
	if e.stepIn(m.weak, s) >= v && e.stepIn(m.hb, s) >= v {
		return
	}
	if s < pageSlots && m.weak.page == m.hb.page {
		e.ownPage(t, &m.weak.page).v[s] = v
		m.hb.page = m.weak.page
		return
	}
	if s >= pageSlots && m.weak.top == m.hb.top {
		e.setStep(t, &m.weak, s, v)
		m.hb.top = m.weak.top
		return
	}
	if s >= pageSlots && m.weak.top != 0 && m.hb.top != 0 {
		k := s/pageSlots - 1
		if i := k % (pagesMost - 1); e.top(m.weak.top).pages[i] == e.top(m.hb.top).pages[i] {
			e.partPage(t, m, k)
			e.setStep(t, &m.weak, s, v)
			e.sharePage(m, k)
			return
		}
	}
	e.setStep(t, &m.weak, s, v)
	e.setStep(t, &m.hb, s, v)
}

// orderAfterIn orders t after r in one order alone. It returns false if t was ordered already.
func (e *Engine) orderAfterIn(t *Task, m *clock, c *change, r *released, y clock, l change) bool {
	if r.slot == 0 || e.implied(t, r, *m) {
		return false
	}
	e.divide(&t.clocks)
	changed, due := e.take(t, m, c, r, y, l)
	if due {
		changed = e.join(t, m, y)
	}
	if !r.mixed && e.stepIn(*m, r.slot) < r.step && !t.had(r.slot, r.step) {
		e.setStep(t, m, r.slot, r.step)
		changed = true
	}
	e.unite(t, &t.clocks)
	return changed
}

// orderAfterLock orders t after r, released at lock o, in happens-before alone.
func (e *Engine) orderAfterLock(t *Task, o *object, r *released) {
	if o.orders || mem.Load32(&e.unpredicted) != 0 {
		e.orderAfter(t, r)
		return
	}
	if e.orderAfterIn(t, &t.hb, &t.hbChange, r, r.hb, r.hbChange) {
		l := lockEdge{lock: o.addr, pc: uint32(t.LockPC - e.opt.PCBase), step: r.step}
		if !r.mixed {
			l.giver = r.giver
		}
		t.lockEdges[t.nLockEdges%maxLockEdges] = l
		t.nLockEdges++
	}
}

// A lockEdge is a lock whose happens-before edge was new to a task.
type lockEdge struct {
	lock  uintptr
	giver uint64 // serial of the task that gave up the lock, 0 if several did
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
	if c.endTask == t.id {
		return false
	}
	return e.orderAfterIn(t, &t.weak, &t.weakChange, &released{slot: uint32(*e.slotOf(c.endTask)), step: c.endStep}, c.endWeak, change{own: c.endOwn})
}
