package detector

import "unsafe"

// Acquire orders t after everything released at addr.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	e.mustSeat(t)
	e.takeBack(t)
	if o, c := e.openObject(t, addr, false); o != nil {
		e.acquire(t, o, c)
		e.unlockWord(&o.mu)
	}
}

// Acquired reports whether t is known, without taking a lock, to have acquired everything
// released at addr.
//
//go:nosplit
func (e *Engine) Acquired(t *Task, addr uintptr) bool {
	c := t.objMemoOf(addr)
	if c.addr != addr || t.lent {
		return false
	}
	o := e.object(c.obj)
	return load64((*uint64)(unsafe.Pointer(&o.addr))) == uint64(addr) && load32(&o.version) == c.version
}

func (e *Engine) acquire(t *Task, o *object, c *objMemo) {
	if c.version == o.version {
		return
	}
	// The newest epochs come first. Epochs up to the remembered version were acquired
	// before.
	for i := o.general.head; i != 0; {
		p := e.epoch(i)
		if int32(p.born-c.version) <= 0 && c.version != 0 {
			break
		}
		e.orderAfter(t, p, true)
		i = p.next
	}
	c.version = o.version
}

// Release makes addr hold t's present epoch and nothing else.
func (e *Engine) Release(t *Task, addr uintptr) {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	e.release(t, o, c)
	e.unlockWord(&o.mu)
	e.endStep(t)
}

func (e *Engine) release(t *Task, o *object, c *objMemo) {
	e.setOnly(t, &o.general)
	e.bumpVersion(o)
	c.version = o.version // t knows its own epoch
}

// ReleaseMerge adds t's present epoch to those that addr holds.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	if c.version == o.version {
		// t knows all epochs at addr, so its own epoch implies them.
		e.release(t, o, c)
	} else {
		e.addEpoch(t, &o.general)
		e.bumpVersion(o)
	}
	e.unlockWord(&o.mu)
	e.endStep(t)
}

// BeginUpdate begins a read-modify-write by t of n bytes at addr, whose sync object is at obj. It
// orders t after everything released at obj, records an atomic write, and makes obj hold t's
// present epoch and nothing else. The object stays locked until EndUpdate. The program's operation
// runs meanwhile, so operations on one object run one at a time, in the order that the engine
// records. BeginUpdate reports whether the access needed no work.
func (e *Engine) BeginUpdate(t *Task, obj, addr, n, site, pc uintptr, stack uint32) (covered bool) {
	o, c := e.openAcquired(t, obj)
	if !e.Alone(t) {
		p := e.Probe(t, addr, n, AtomicWrite)
		covered = p == Covered
		if p == Unknown || p == Open && !e.Quick(t, addr, n, AtomicWrite, site, pc, stack) {
			e.unlockWord(&o.mu) // a report may look for objects
			e.Access(t, addr, n, AtomicWrite, site, pc, stack)
			o, c = e.openAcquired(t, obj)
		}
	}
	e.release(t, o, c)
	t.updates = c.obj
	e.endStep(t)
	return covered
}

// openAcquired returns the object at addr, locked, and t's cache entry for it, and orders t after
// everything released there.
func (e *Engine) openAcquired(t *Task, addr uintptr) (*object, *objMemo) {
	e.mustSeat(t)
	e.takeBack(t)
	o, c := e.openObject(t, addr, true)
	e.acquire(t, o, c)
	return o, c
}

// EndUpdate ends the update that t has begun. It returns false if there is none.
//
//go:nosplit
func (e *Engine) EndUpdate(t *Task) bool {
	if t.updates == 0 {
		return false
	}
	o := e.object(t.updates)
	t.updates = 0
	e.unlockWord(&o.mu)
	return true
}

// ReleaseAcquire replaces the epochs that addr holds by t's present epoch, and then orders
// t after the replaced ones. So the released epoch does not include them.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.mustSeat(t)
	e.takeBack(t)
	o, c := e.openObject(t, addr, true)
	stale := c.version == o.version
	// The released epoch must not include the acquired ones. It takes the place of the first.
	var first epoch
	var rest epochList
	found := o.general.n > 0
	if found {
		p := e.epoch(o.general.head)
		first = *p
		rest = epochList{head: p.next, n: o.general.n - 1}
		o.general.n = 1
		p.next, p.weak, p.hb = 0, 0, 0
	}
	e.release(t, o, c)
	e.endStep(t)
	if found && !stale {
		e.orderAfter(t, &first, true)
		for i := rest.head; i != 0; {
			p := e.epoch(i)
			e.orderAfter(t, p, true)
			i = p.next
		}
	}
	e.dropClocks(t, first.weak, first.hb)
	e.clearEpochs(t, &rest)
	e.unlockWord(&o.mu)
}

// Meet orders everything that a and b have done before everything that the other does
// next: the two are at the same place. It equals a release by a that b acquires, followed
// by a release by b that a acquires, but uses no object. b must not be running.
func (e *Engine) Meet(a, b *Task) {
	e.mustSeat(a)
	e.mustSeat(b)
	e.takeBack(a)
	e.takeBack(b)
	// A task to which the other's accesses are not new writes no join record, so that it
	// gets no coverStep from it.
	ofA, ofB := e.uncovered(a, b), e.uncovered(b, a)
	p := e.present(a) // no other task knows a present step
	e.endStep(a)
	e.orderAfterNew(b, &p, ofA)
	p = e.present(b)
	e.endStep(b)
	e.orderAfterNew(a, &p, ofB)
}

// uncovered reports whether a has a coverStep that b does not know.
func (e *Engine) uncovered(a, b *Task) bool {
	return a.coverStep != 0 && !e.beforeWeak(b, a.id, a.coverStep)
}

// bumpVersion gives o, whose first epoch is new, its next version. Version 0 means none.
func (e *Engine) bumpVersion(o *object) {
	if o.version++; o.version == 0 {
		o.version = 1
	}
	e.epoch(o.general.head).born = o.version
}
