package detector

import "unsafe"

// An epoch represents all that a task did up to a step, with everything that preceded it,
// which the epoch's own references to clocks hold. Task 0 is a task that no access names
// any more.
type point struct {
	next   uint32
	task   uint32
	step   uint32
	weak   uint32
	hb     uint32
	weakAt change // Task.weakChange
	hbAt   change
	born   uint32 // object.version at its entry, in lists of general
}

// An object holds the synchronization state of one address. It belongs to the shadow
// block of that address, so that it ends with the memory that contains it.
type object struct {
	next    uint32 // in the block's list, or the link of the free chain
	mu      uint32
	addr    uintptr // 0: free
	serial  uint32  // identifies the lock; another lock at the same address has another serial
	version uint32  // rises with every change of general

	general pointList // released, for every task that acquires
	excl    pointList // end of the last exclusive critical section
	shared  pointList // ends of the shared sections since then

	holder  uint32 // the task that holds the lock exclusively
	grant   uint32 // number of exclusive holds so far
	readers uint32 // number of shared holds
	era     uint32 // rises when the last reader leaves after a stray unlock
	strayed bool   // a task without a hold has unlocked shared in this era
}

// An epochList is a set of epochs, at most one for each task.
type pointList struct {
	head  uint32
	n     uint32 // the length at which compaction is due
	limit uint32 // compaction is due at this length
}

// An objMemo is a cache entry for an object, with the version up to which the task has
// acquired.
type objMemo struct {
	addr    uintptr
	obj     uint32
	version uint32 // of general, at the last acquire
}

const compactFloor = 4

//go:nosplit
func (e *Engine) object(i uint32) *object {
	return (*object)(unsafe.Add(nil, e.objects.base+uintptr(i)*unsafe.Sizeof(object{})))
}

func (e *Engine) point(i uint32) *point {
	return (*point)(unsafe.Add(nil, e.points.base+uintptr(i)*unsafe.Sizeof(point{})))
}

//go:nosplit
func (t *Task) objMemoOf(addr uintptr) *objMemo {
	return &t.objs[(addr>>3^addr>>9)%objCache]
}

// openObject returns the object at addr, locked, and t's cache entry for it. If there is
// none it makes one if create is set, and otherwise returns nil.
func (e *Engine) openObject(t *Task, addr uintptr, create bool) (*object, *objMemo) {
	c := t.objMemoOf(addr)
	if c.addr == addr {
		o := e.object(c.obj)
		lockWord(&o.mu)
		if o.addr == addr {
			return o, c
		}
		e.unlockWord(&o.mu)
	}
	for {
		i := e.findObject(addr, create)
		if i == 0 {
			return nil, nil
		}
		o := e.object(i)
		lockWord(&o.mu)
		if o.addr == addr {
			*c = objMemo{addr: addr, obj: i}
			return o, c
		}
		e.unlockWord(&o.mu) // it was freed in the meantime
	}
}

// Acquire orders t after everything released at addr.
func (e *Engine) Acquire(t *Task, addr uintptr) {
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
		p := e.point(i)
		if int32(p.born-c.version) <= 0 && c.version != 0 {
			break
		}
		e.take(t, p, true)
		i = p.next
	}
	c.version = o.version
}

// Release makes addr hold t's present epoch and nothing else.
func (e *Engine) Release(t *Task, addr uintptr) {
	o, c := e.openObject(t, addr, true)
	e.release(t, o, c)
	e.unlockWord(&o.mu)
	e.endStep(t)
}

func (e *Engine) release(t *Task, o *object, c *objMemo) {
	e.setOnly(t, &o.general)
	e.change(o)
	c.version = o.version // t knows its own epoch
}

// ReleaseMerge adds t's present epoch to those that addr holds.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	o, c := e.openObject(t, addr, true)
	if c.version == o.version {
		// t knows all epochs at addr, so its own epoch implies them.
		e.release(t, o, c)
	} else {
		e.addPoint(t, &o.general)
		e.change(o)
	}
	e.unlockWord(&o.mu)
	e.endStep(t)
}

// ReleaseAcquire orders t after the epochs that addr holds and leaves only t's epoch of
// before there.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.takeBack(t)
	o, c := e.openObject(t, addr, true)
	// The released epoch must not include the acquired ones.
	old := o.general
	o.general = pointList{}
	stale := c.version == o.version
	e.release(t, o, c)
	e.endStep(t)
	if !stale {
		for i := old.head; i != 0; {
			p := e.point(i)
			e.take(t, p, true)
			i = p.next
		}
	}
	e.clearPoints(t, &old)
	e.unlockWord(&o.mu)
}

// Meet orders everything that a and b have done before everything that the other does
// next: the two are at the same place. It equals a release by a that b acquires, followed
// by a release by b that a acquires, but uses no object. b must not be running.
func (e *Engine) Meet(a, b *Task) {
	e.takeBack(a)
	e.takeBack(b)
	// A task to which the other's accesses are not new writes no join record, so that it
	// gets no coverStep from it.
	ofA, ofB := e.owesTo(a, b), e.owesTo(b, a)
	p := e.present(a)
	e.endStep(a)
	e.take(b, &p, ofA)
	p = e.present(b)
	e.endStep(b)
	e.take(a, &p, ofB)
}

// uncovered reports whether a has a coverStep that b does not know.
func (e *Engine) owesTo(a, b *Task) bool {
	return a.owes != 0 && !e.beforeWeak(b, a.id, a.owes)
}

// present returns t's present epoch, as a copy that owns no clocks.
func (e *Engine) present(t *Task) point {
	return point{task: t.id, step: t.step, weak: t.weak, hb: t.hb, weakAt: t.weakAt, hbAt: t.hbAt}
}

// bumpVersion gives o, whose first epoch is new, its next version. Version 0 means none.
func (e *Engine) change(o *object) {
	if o.version++; o.version == 0 {
		o.version = 1
	}
	e.point(o.general.head).born = o.version
}

// fill makes p the present epoch of t.
func (e *Engine) fill(t *Task, p *point) {
	if p.weak != t.weak || p.hb != t.hb {
		weak, hb := p.weak, p.hb
		p.weak, p.hb = t.weak, t.hb
		e.holdClock(t.weak)
		if t.hb != t.weak {
			e.holdClock(t.hb)
		}
		e.dropClocks(t, weak, hb)
	}
	p.task = t.id
	p.step = t.step
	p.weakAt, p.hbAt = t.weakAt, t.hbAt
}

// newEpoch adds an epoch without clocks in front of l.
func (e *Engine) newPoint(l *pointList) *point {
	i := e.points.get()
	p := e.point(i)
	*p = point{next: l.head}
	l.head = i
	l.n++
	return p
}

// setOnly makes t's present epoch the only one of l.
func (e *Engine) setOnly(t *Task, l *pointList) {
	if l.n > 1 {
		rest := pointList{head: e.point(l.head).next, n: l.n - 1}
		e.clearPoints(t, &rest)
		l.n = 1
		e.point(l.head).next = 0
	}
	if l.n == 0 {
		e.newPoint(l)
	}
	e.fill(t, e.point(l.head))
	l.limit = compactFloor
}

// addEpoch adds t's present epoch to l. If l has doubled since its last compaction, it
// first drops the epochs that precede t, which t's own epoch implies. So a list stays
// proportional to the number of mutually unordered tasks.
func (e *Engine) addPoint(t *Task, l *pointList) {
	if l.n >= l.limit {
		e.compactPoints(t, l)
		l.limit = 2*l.n + compactFloor
	}
	if l.n > 0 {
		if p := e.point(l.head); p.task == t.id {
			e.fill(t, p)
			return
		}
	}
	e.fill(t, e.newPoint(l))
}

// compactEpochs drops the epochs of l that precede t.
func (e *Engine) compactPoints(t *Task, l *pointList) {
	link := &l.head
	for *link != 0 {
		i := *link
		p := e.point(i)
		if p.task != 0 && !e.beforeWeak(t, p.task, p.step) ||
			p.task == 0 && !(e.knows(t, p.weak, false) && e.knows(t, p.hb, true)) {
			link = &p.next
			continue
		}
		*link = p.next
		l.n--
		e.dropClocks(t, p.weak, p.hb)
		e.points.put(i)
	}
}

// clearEpochs empties l. t may be nil.
func (e *Engine) clearPoints(t *Task, l *pointList) {
	for l.head != 0 {
		i := l.head
		p := e.point(i)
		l.head = p.next
		e.dropClocks(t, p.weak, p.hb)
		e.points.put(i)
	}
	l.n = 0
	l.limit = 0
}
