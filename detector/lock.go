package detector

import "unsafe"

// A hold is a lock that a task holds.
type hold struct {
	addr    uintptr
	serial  uint32 // object.serial
	grant   uint32 // object.grant or, if shared, object.era when it was taken
	count   uint32 // shared holds may nest
	section uint32 // the critical section, once an access in it was recorded
	set     uint32 // lockset of this hold and those below it, or 0
	shared  bool
}

// A holdChunk carries the holds that do not fit into the Task.
type holdChunk struct {
	next  uint32
	holds [chunkHolds]hold
}

const chunkHolds = 16

// holdAt returns the i-th hold of t; the chunks for it must exist.
func (e *Engine) holdAt(t *Task, i uint32) *hold {
	if i < inlineHolds {
		return &t.holds[i]
	}
	i -= inlineHolds
	link := &t.more
	for {
		if *link == 0 {
			c := e.holds.get()
			*(*holdChunk)(e.holds.at(c)) = holdChunk{}
			*link = c
		}
		c := (*holdChunk)(e.holds.at(*link))
		if i < chunkHolds {
			return &c.holds[i]
		}
		i -= chunkHolds
		link = &c.next
	}
}

// Lock says that t holds the lock at addr from now on, shared or exclusively.
func (e *Engine) Lock(t *Task, addr uintptr, shared bool) {
	o, c := e.openObject(t, addr, true)
	for i := o.excl.head; i != 0; {
		p := e.point(i)
		e.takeLock(t, p)
		i = p.next
	}
	h := hold{addr: addr, serial: o.serial, count: 1, shared: shared}
	if shared {
		o.readers++
		h.grant = o.era
	} else {
		for i := o.shared.head; i != 0; {
			p := e.point(i)
			e.takeLock(t, p)
			i = p.next
		}
		o.holder = t.id
		o.grant++
		h.grant = o.grant
	}
	if o.general.head != 0 {
		e.acquire(t, o, c)
	}
	e.unlockWord(&o.mu)

	if shared {
		for i := uint32(0); i < t.nHolds; i++ {
			if g := e.holdAt(t, i); g.addr == addr && g.shared && g.serial == h.serial && g.grant == h.grant {
				g.count++
				return
			}
		}
	}
	*e.holdAt(t, t.nHolds) = h
	t.nHolds++
	t.setKnown = false
	// An access repeated under the lock says more than the one before it.
	e.newEpoch(t)
}

// Unlock says that t gives the lock at addr up. If t did not hold it, this ends
// another task's hold; it is then a message to whoever takes the lock next.
func (e *Engine) Unlock(t *Task, addr uintptr, shared bool) {
	o, c := e.openObject(t, addr, true)
	i := e.findHold(t, o, shared)
	if i == t.nHolds {
		e.foreignUnlock(t, o, c, shared)
		e.unlockWord(&o.mu)
		e.endStep(t)
		return
	}
	if shared {
		e.addPoint(t, &o.shared)
		e.leaveShared(o)
	} else {
		e.setOnly(t, &o.excl)
		e.clearPoints(t, &o.shared)
		o.holder = 0
	}
	e.unlockWord(&o.mu)

	h := e.holdAt(t, i)
	h.count--
	if h.count == 0 {
		if h.section != 0 {
			e.endSection(t, h.section)
		}
		e.popHold(t, i)
	}
	e.endStep(t)
}

// findHold returns the index of t's hold of o, nHolds if there is none.
func (e *Engine) findHold(t *Task, o *object, shared bool) uint32 {
	for i := t.nHolds; i > 0; i-- {
		if h := e.holdAt(t, i-1); h.addr == o.addr && h.shared == shared && e.stands(t, o, h) {
			return i - 1
		}
	}
	return t.nHolds
}

// stands reports whether nobody else has ended h, a hold of o by t.
func (e *Engine) stands(t *Task, o *object, h *hold) bool {
	if o.addr != h.addr || o.serial != h.serial {
		return false
	}
	if h.shared {
		return o.era == h.grant
	}
	return o.holder == t.id && o.grant == h.grant
}

func (e *Engine) leaveShared(o *object) {
	if o.readers > 0 {
		o.readers--
	}
	if o.readers == 0 && o.strayed {
		o.strayed = false
		o.era++
		add32(&e.foreign, 1) // holds of the era past have ended
	}
}

// foreignUnlock ends another task's hold of o. An exclusive hold ends at once;
// who holds a lock shared is not known, so such holds end when the last reader
// has gone.
func (e *Engine) foreignUnlock(t *Task, o *object, c *objMemo, shared bool) {
	e.addPoint(t, &o.general)
	e.change(o)
	if shared {
		o.strayed = true
		e.leaveShared(o)
	} else {
		o.holder = 0
	}
	add32(&e.foreign, 1)
}

// popHold removes the i-th hold.
func (e *Engine) popHold(t *Task, i uint32) {
	for ; i+1 < t.nHolds; i++ {
		h := e.holdAt(t, i)
		*h = *e.holdAt(t, i+1)
		h.set = 0
	}
	t.nHolds--
	t.setKnown = false
	if t.nHolds == 0 {
		t.set, t.setKnown = 0, true
	}
	if t.nHolds == inlineHolds && t.more != 0 {
		e.freeChunks(t)
	}
}

func (e *Engine) freeChunks(t *Task) {
	for t.more != 0 {
		i := t.more
		t.more = (*holdChunk)(e.holds.at(i)).next
		e.holds.put(i)
	}
}

// dropStray forgets the holds that other tasks have ended.
func (e *Engine) dropStray(t *Task) {
	t.foreign = load32(&e.foreign)
	for i := t.nHolds; i > 0; i-- {
		h := e.holdAt(t, i-1)
		o, _ := e.openObject(t, h.addr, false)
		ok := o != nil && e.stands(t, o, h)
		if o != nil {
			e.unlockWord(&o.mu)
		}
		if !ok {
			e.popHold(t, i-1)
		}
	}
}

// A section is a critical section in which an access was recorded. When its
// own task has ended it, its end is a point of the weak order.
type section struct {
	next    uint32 // link of the free chain
	mark    uint32
	lock    uint32 // object.serial
	shared  bool
	ended   uint32 // set last
	endTask uint32
	endStep uint32
	endWeak uint32
	endAt   uint32 // Task.weakAt then
	addr    uintptr
}

// A setNode is a lockset: a critical section and the rest. 0 is the empty set.
type setNode struct {
	rest    uint32 // also the link of the free chain
	section uint32
	mark    uint32
}

func (e *Engine) section(i uint32) *section {
	return (*section)(unsafe.Add(nil, e.sections.base+uintptr(i)*unsafe.Sizeof(section{})))
}

func (e *Engine) setNode(i uint32) *setNode {
	return (*setNode)(unsafe.Add(nil, e.sets.base+uintptr(i)*unsafe.Sizeof(setNode{})))
}

// lockset returns the set of the locks that t holds. It is made when the first
// access under them is recorded.
func (e *Engine) lockset(t *Task) uint32 {
	if e.opt.NoPredict {
		return 0 // locks are order there, and order is all
	}
	if t.nHolds > 0 && t.foreign != load32(&e.foreign) {
		e.dropStray(t)
	}
	if t.setKnown {
		return t.set
	}
	s := uint32(0)
	for i := uint32(0); i < t.nHolds; i++ {
		h := e.holdAt(t, i)
		if h.set == 0 {
			if h.section == 0 {
				if t.spareSect == 0 {
					t.spareSect = e.sections.getChain(setBatch)
					add64(&e.work, setBatch)
				}
				h.section = t.spareSect
				t.spareSect = e.section(h.section).next
				*e.section(h.section) = section{lock: h.serial, shared: h.shared, addr: h.addr}
			}
			if t.spareSets == 0 {
				t.spareSets = e.sets.getChain(setBatch)
				add64(&e.work, setBatch)
			}
			h.set = t.spareSets
			t.spareSets = e.setNode(h.set).rest
			*e.setNode(h.set) = setNode{rest: s, section: h.section}
		}
		s = h.set
	}
	t.set, t.setKnown = s, true
	return s
}

func (e *Engine) endSection(t *Task, i uint32) {
	c := e.section(i)
	c.endTask, c.endStep, c.endWeak, c.endAt = t.id, t.step, t.weak, t.weakAt
	e.holdClock(t.weak)
	store32(&c.ended, 1)
}

// commonLock reports whether x and y hold a lock that excludes one another.
func (e *Engine) commonLock(x, y uint32) bool {
	for ; x != 0; x = e.setNode(x).rest {
		if e.excludes(y, e.section(e.setNode(x).section)) != 0 {
			return true
		}
	}
	return false
}

// excludes returns a section of y that cannot run together with c, 0 if there
// is none.
func (e *Engine) excludes(y uint32, c *section) uint32 {
	for ; y != 0; y = e.setNode(y).rest {
		i := e.setNode(y).section
		if d := e.section(i); d.lock == c.lock && !(c.shared && d.shared) {
			return i
		}
	}
	return 0
}

// within reports whether each lock of x is held in y too, and at least as
// strongly.
func (e *Engine) within(x, y uint32) bool {
	if x == y {
		return true
	}
	for ; x != 0; x = e.setNode(x).rest {
		c := e.section(e.setNode(x).section)
		z := y
		for ; z != 0; z = e.setNode(z).rest {
			if d := e.section(e.setNode(z).section); d.lock == c.lock && (c.shared || !d.shared) {
				break
			}
		}
		if z == 0 {
			return false
		}
	}
	return true
}

// settled reports whether nothing is lost of the critical sections of lockset x
// if an access of t under lockset y, later in the weak order, stands for one
// under x: their ends precede t, or they last.
func (e *Engine) settled(t *Task, x, y uint32) bool {
	if x == y {
		return true
	}
	for ; x != 0; x = e.setNode(x).rest {
		i := e.setNode(x).section
		c := e.section(i)
		if load32(&c.ended) != 0 {
			if c.endTask == 0 || e.beforeWeak(t, c.endTask, c.endStep) {
				continue
			}
			return false
		}
		z := y
		for z != 0 && e.setNode(z).section != i {
			z = e.setNode(z).rest
		}
		if z == 0 {
			return false
		}
	}
	return true
}

// LockOf returns the i-th lock of a lockset, as a Report names it.
func (e *Engine) LockOf(set, i uint32) (addr uintptr, shared, ok bool) {
	for ; set != 0; i-- {
		n := e.setNode(set)
		if i == 0 {
			c := e.section(n.section)
			return c.addr, c.shared, true
		}
		set = n.rest
	}
	return 0, false, false
}
