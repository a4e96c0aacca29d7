package parallel

import "taskinstr/detector/mem"

// A hold is a lock that a task holds.
type hold struct {
	addr    uintptr
	serial  uint32 // object.serial
	grant   uint32 // object.grant, or object.era if shared, at the time of the lock operation
	count   uint32 // of nested shared holds
	began   uint32 // the step of the lock operation
	section uint32 // its critical section, 0 until an access in it is recorded
	set     uint32 // lockset of this hold and the holds below it, 0 until it is made
	shared  bool
	forked  bool   // its task has forked since the lock operation
	quiet   bool   // Task.Quiet
	pc      uint32 // Task.LockPC of the lock operation, relative to Options.PCBase
}

// A holdChunk stores holds for which a Task has no room.
type holdChunk struct {
	next, prev uint32
	holds      [chunkHolds]hold
}

const chunkHolds = 16

func (e *Engine) holdChunk(i uint32) *holdChunk { return (*holdChunk)(e.holds.At(i)) }

// newHoldChunk makes the chunk behind chunk prev.
func (e *Engine) newHoldChunk(prev uint32) uint32 {
	i := e.holds.Get()
	*e.holdChunk(i) = holdChunk{prev: prev}
	return i
}

// holdAt returns the i-th hold of t. It makes the chunks that it needs. Neighbours take
// constant time, because t remembers the last chunk.
func (e *Engine) holdAt(t *Task, i uint32) *hold {
	if i < inlineHolds {
		return &t.holds[i]
	}
	i -= inlineHolds
	if t.moreHolds == 0 {
		t.moreHolds = e.newHoldChunk(0)
		t.nearHolds, t.nearFrom = t.moreHolds, 0
	}
	for ; i < t.nearFrom; t.nearFrom -= chunkHolds {
		t.nearHolds = e.holdChunk(t.nearHolds).prev
	}
	for ; i >= t.nearFrom+chunkHolds; t.nearFrom += chunkHolds {
		c := e.holdChunk(t.nearHolds)
		if c.next == 0 {
			c.next = e.newHoldChunk(t.nearHolds)
		}
		t.nearHolds = c.next
	}
	return &e.holdChunk(t.nearHolds).holds[i-t.nearFrom]
}

// Lock announces that t holds the lock at addr from now on, shared or exclusively.
func (e *Engine) Lock(t *Task, addr uintptr, shared bool) {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	e.haveVisited(o, c.obj)
	e.orderAfterLock(t, o, &o.excl)
	h := hold{addr: addr, serial: o.serial, count: 1, began: t.step, shared: shared, quiet: t.Quiet, pc: uint32(t.LockPC - e.opt.PCBase)}
	t.Quiet = false
	again := t.nHolds // the hold that this one repeats
	if shared {
		again = e.findHold(t, o, true)
		e.noteReader(t, o, again != t.nHolds)
		o.readers++
		h.grant = o.era
	} else {
		e.orderAfterLock(t, o, &o.shared)
		o.holder, o.began = t.id, t.step
		o.grant++
		h.grant = o.grant
	}
	if o.general.slot != 0 {
		e.acquire(t, o, c)
	}
	if o.announced != 0 && e.joinsNow() {
		e.followAnnounced(t, o, &h)
	}
	e.unlockWord(&o.mu)
	if x := e.info(t.id).forkSet; x != 0 && e.joinsNow() {
		e.followForked(t, x, &h)
	}

	if again != t.nHolds {
		e.holdAt(t, again).count++
		return
	}
	*e.holdAt(t, t.nHolds) = h
	t.nHolds++
	t.locked = t.locked || !o.orders
	t.setKnown = false
	// An access repeated under the lock carries more information than the one before it.
	e.newGeneration(t)
}

// haveVisited has the next sweep visit o, the locked object with index i.
func (e *Engine) haveVisited(o *object, i uint32) {
	if !o.visited {
		o.visited = true
		prepend(&e.visits, &o.visit, i)
	}
}

// followForked orders t, which has taken lock h, after the ends of the sections of the same lock in which it, or a task that
// it descends from, was forked. x is the lockset of these sections. Their accesses do not matter: t could not take the lock before.
func (e *Engine) followForked(t *Task, x uint32, h *hold) {
	b := h.begun()
	for x != 0 {
		var i uint32
		i, x = e.firstLock(x)
		c := e.section(i)
		if c.lock == h.serial && c.precedes(&b) {
			e.orderAfterSection(t, c)
		}
	}
}

// Unlock announces that t gives up the lock at addr. If t does not hold it, the call ends
// another task's hold and passes a message to the next task that takes the lock. Unlock reports
// whether t held the lock.
func (e *Engine) Unlock(t *Task, addr uintptr, shared bool) bool {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	awaited := o.awaited
	if awaited {
		// Unlocks settle reports in the order in which they end holds. Otherwise the last one could report
		// an access that an earlier one has yet to rule out.
		e.unlockWord(&o.mu)
		mem.Lock(&e.suspendMu)
		o, c = e.openObject(t, addr, true)
	}
	u := unlocked{addr: addr, lock: o.serial, shared: shared}
	i := e.findHold(t, o, shared)
	u.own = i != t.nHolds
	if u.own && e.joinsNow() {
		h := e.holdAt(t, i)
		if o.announced != 0 {
			e.followAnnounced(t, o, h)
		}
		e.announce(t, o, h)
	}
	switch {
	case !u.own:
		e.foreignUnlock(t, o, c, shared)
	case shared:
		if e.holdAt(t, i).count == 1 {
			e.dropReader(t, o)
		}
		e.merge(t, &o.shared)
		e.leaveShared(o)
	default:
		e.set(t, &o.excl)
		e.clear(t, &o.shared)
		o.holder = 0
	}
	u.idle = o.readers == 0
	e.unlockWord(&o.mu)

	if u.own {
		u.last = e.endHold(t, i)
	}
	due := uint32(0)
	if awaited {
		due = e.resume(t, &u)
		mem.Unlock(&e.suspendMu)
	}
	e.endStep(t)
	if due != 0 {
		e.makeDue(due)
	}
	return u.own
}

// endHold ends t's i-th hold, or one of the nested holds of which it consists. It reports whether
// none is left. The end of a nested hold ends the critical section: all that t did in it precedes
// a later exclusive section, whichever task ends the other holds.
func (e *Engine) endHold(t *Task, i uint32) (last bool) {
	h := e.holdAt(t, i)
	h.count--
	if h.section != 0 {
		e.endSection(t, h.section)
	}
	if h.count != 0 {
		h.section = 0
		for ; i < t.nHolds; i++ {
			e.holdAt(t, i).set = 0
		}
		t.setKnown = false
		return false
	}
	if t.nHolds >= manyHolds && i < t.nHolds/4 {
		e.reverseHolds(t)
		i = t.nHolds - 1 - i
	}
	e.popHold(t, i)
	return true
}

// findHold returns the index of t's valid hold of o, nHolds if there is none.
func (e *Engine) findHold(t *Task, o *object, shared bool) uint32 {
	for i := t.nHolds; i > 0; i-- {
		if h := e.holdAt(t, i-1); h.addr == o.addr && h.shared == shared && e.holdValid(t, o, h) {
			return i - 1
		}
	}
	return t.nHolds
}

// holdValid reports whether h, a hold of o by t, has not been ended by another task.
func (e *Engine) holdValid(t *Task, o *object, h *hold) bool {
	if o.addr != h.addr || o.serial != h.serial {
		return false
	}
	if h.shared {
		return o.era == h.grant
	}
	return o.holder == t.id && o.grant == h.grant
}

// leaveShared removes a reader from o. The last one ends the era if a task without a hold
// has unlocked.
func (e *Engine) leaveShared(o *object) {
	if o.readers > 0 {
		o.readers--
	}
	if o.readers == 0 && o.strayed {
		o.strayed = false
		o.era++
		mem.Add32(&e.foreign, 1) // the shared holds of the ended era are void
	}
}

// foreignUnlock handles an unlock of o by a task that does not hold it. An exclusive hold
// ends at once. The engine does not know the shared holders, so shared holds end when the
// last reader leaves.
func (e *Engine) foreignUnlock(t *Task, o *object, c *objMemo, shared bool) {
	e.merge(t, &o.general)
	e.bumpVersion(o)
	if shared {
		o.strayed = true
		e.leaveShared(o)
	} else {
		o.holder = 0
	}
	mem.Add32(&e.foreign, 1)
}

// popHold removes t's i-th hold.
func (e *Engine) popHold(t *Task, i uint32) {
	if h := e.holdAt(t, i); h.section != 0 && e.section(h.section).lasts() {
		mem.Store32(&e.section(h.section).ended, sectionVoid)
	}
	for ; i+1 < t.nHolds; i++ {
		h := e.holdAt(t, i)
		*h = *e.holdAt(t, i+1)
		h.set = 0
	}
	t.nHolds--
	t.setKnown = false
	if t.nHolds == 0 {
		t.set, t.setKnown = 0, true
		t.exposed = false
	}
	if t.nHolds == inlineHolds && t.moreHolds != 0 {
		e.freeChunks(t)
	}
}

// manyHolds is the number of holds from which on a task that ends its oldest ones first gets
// them in reverse order.
const manyHolds = 32

// reverseHolds reverses the order of t's holds, which has no meaning. The lockset of a hold
// depends on the holds below it, so that the end of the lowest one means new locksets for all.
// A task that ends the oldest of many holds will end the others in this order, too.
func (e *Engine) reverseHolds(t *Task) {
	for i := range t.nHolds {
		e.holdAt(t, i).set = 0
	}
	for i, j := uint32(0), t.nHolds-1; i < j; i, j = i+1, j-1 {
		g, h := e.holdAt(t, i), e.holdAt(t, j)
		*g, *h = *h, *g
	}
}

func (e *Engine) freeChunks(t *Task) {
	for t.moreHolds != 0 {
		i := t.moreHolds
		t.moreHolds = e.holdChunk(i).next
		e.holds.Put(i)
	}
}

// dropEndedHolds removes the holds of t that other tasks have ended.
func (e *Engine) dropEndedHolds(t *Task) {
	t.foreign = mem.Load32(&e.foreign)
	for i := t.nHolds; i > 0; i-- {
		h := e.holdAt(t, i-1)
		o, _ := e.openObject(t, h.addr, false)
		ok := o != nil && e.holdValid(t, o, h)
		if o != nil {
			e.unlockWord(&o.mu)
		}
		if !ok {
			e.popHold(t, i-1)
			e.newGeneration(t)
		}
	}
}
