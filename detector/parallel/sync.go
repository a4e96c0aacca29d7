package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Acquire orders t after everything released at addr.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	if o, _ := e.openAcquired(t, addr, false); o != nil {
		e.unlockWord(&o.mu)
	}
}

// Acquired reports whether t is known, without taking a lock, to have acquired everything
// released at addr.
//
//go:nosplit
func (e *Engine) Acquired(t *Task, addr uintptr) bool {
	if t.lent {
		return false
	}
	c := t.objMemoOf(addr)
	i := c.obj
	if c.addr != addr {
		j := e.blockAt(addr >> blockShift)
		if j == 0 {
			return true
		}
		b := e.block(j)
		v := mem.Load32(&b.mu)
		if i = e.lookUp(addr); i == 0 {
			return v&1 == 0 && mem.Load32(&b.mu) == v // nobody has added or moved an object meanwhile
		}
	}
	o := e.object(i)
	known := c.addr == addr && mem.Load32(&o.version) == c.version
	if !known {
		x := mem.Load64(&o.epoch)
		known = x == 0 || x != manyEpochs && e.knows(t, uint32(x>>32), uint32(x), t.weak)
	}
	return known && mem.Load64((*uint64)(unsafe.Pointer(&o.addr))) == uint64(addr)
}

func (e *Engine) acquire(t *Task, o *object, c *objMemo) {
	if c.version == o.version {
		return
	}
	e.orderAfter(t, &o.general)
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
	e.set(t, &o.general)
	e.bumpVersion(o)
	c.version = o.version // t knows its own epoch
}

// ReleaseMerge adds t's present epoch to those that addr holds.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	if c.version == o.version {
		// t knows everything released at addr, so its own epoch implies it.
		e.release(t, o, c)
	} else {
		e.merge(t, &o.general)
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
	o, c := e.openAcquired(t, obj, true)
	if !e.Alone(t) {
		p := e.Probe(t, addr, n, AtomicWrite)
		covered = p == Covered
		if p == Unknown || p == Open && !e.Quick(t, addr, n, AtomicWrite, site, pc, stack) {
			e.unlockWord(&o.mu) // a report may look for objects
			e.Access(t, addr, n, AtomicWrite, site, pc, stack)
			o, c = e.openAcquired(t, obj, true)
		}
	}
	e.release(t, o, c)
	t.updates = c.obj
	e.endStep(t)
	return covered
}

// BeginLoad is Acquire for a task that has loaded the variable at addr, and now loads it again: a store may have put
// another release in place of the one that belongs to the loaded value. The object stays locked until EndUpdate, so the next load
// takes the value whose release t has acquired. BeginLoad returns false, and locks nothing, if nothing was released at addr.
func (e *Engine) BeginLoad(t *Task, addr uintptr) bool {
	o, c := e.openAcquired(t, addr, false)
	if o == nil {
		return false
	}
	t.updates = c.obj
	return true
}

// BeginStore is Release for an atomic store, which the program makes next. A load that takes its value is ordered after
// this store alone. The object stays locked until EndUpdate.
func (e *Engine) BeginStore(t *Task, addr uintptr) {
	e.mustSeat(t)
	o, c := e.openObject(t, addr, true)
	e.release(t, o, c)
	t.updates = c.obj
	e.endStep(t)
}

// openAcquired is openObject, and orders t after everything released at addr.
func (e *Engine) openAcquired(t *Task, addr uintptr, create bool) (*object, *objMemo) {
	e.mustSeat(t)
	e.takeBack(t)
	o, c := e.openObject(t, addr, create)
	if o != nil {
		e.acquire(t, o, c)
	}
	return o, c
}

// EndUpdate ends the update, load or store that t has begun. It returns false if there is none.
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
	// The released epoch must not include the acquired ones.
	before := o.general
	o.general = released{}
	e.release(t, o, c)
	e.endStep(t)
	if !stale {
		e.orderAfter(t, &before)
	}
	e.clear(t, &before)
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
	p := e.present(a)
	e.keepBoth(&p.clocks)
	a.released = a.step
	e.endStep(a)
	q := e.present(b)
	e.keepBoth(&q.clocks)
	b.released = b.step
	e.endStep(b)
	e.orderAfter(b, &p)
	e.orderAfter(a, &q)
	e.clear(a, &p)
	e.clear(a, &q)
}

// bumpVersion gives o its next version and publishes its epoch. Version 0 means none.
func (e *Engine) bumpVersion(o *object) {
	if o.version++; o.version == 0 {
		o.version = 1
	}
	x := manyEpochs
	if !o.general.mixed {
		x = uint64(o.general.slot)<<32 | uint64(o.general.step)
	}
	mem.Store64(&o.epoch, x)
}
