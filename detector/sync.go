package detector

import "unsafe"

// A point says "task, up to its step, and what preceded it then", the latter as
// clocks it co-owns. Task 0 stands for a task that no access names any more.
type point struct {
	next   uint32
	task   uint32
	step   uint32
	weak   uint32
	hb     uint32
	weakAt change // Task.weakAt
	hbAt   change
	born   uint32 // object.version when it was entered, for general
}

// An object is what tasks synchronize on at one address. Objects hang below the
// shadow block of their address, so that they end with the memory they lie in.
type object struct {
	next    uint32 // in the block's list, or the link of the free chain
	mu      uint32
	addr    uintptr // 0: not in use
	serial  uint32  // of the lock: another lock at the same address has another
	version uint32  // rises with every change of general

	general pointList // released to whoever acquires
	excl    pointList // ends of exclusive critical sections
	shared  pointList // ends of shared ones since the last exclusive one

	holder  uint32 // task that holds the lock exclusively
	grant   uint32 // number of times it was taken exclusively
	readers uint32 // shared holds
	era     uint32 // rises when the last reader goes after a foreign unlock
	strayed bool   // a shared hold of this era was ended by another task
}

// A pointList is a set of points, at most one per task.
type pointList struct {
	head  uint32
	n     uint32
	limit uint32 // compaction is due at this length
}

// objMemo remembers where an object is and what a task has acquired of it.
type objMemo struct {
	addr    uintptr
	obj     uint32
	version uint32 // of general, when last acquired
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

// openObject returns the object at addr, locked, and t's memory of it; nil if
// there is none and create is false.
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
		e.unlockWord(&o.mu) // it was freed meanwhile
	}
}

// Acquire orders t after all that was released at addr.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	e.takeBack(t)
	if o, c := e.openObject(t, addr, false); o != nil {
		e.acquire(t, o, c)
		e.unlockWord(&o.mu)
	}
}

// Acquired reports whether it is known without a lock that t has acquired all that was
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
	// The newest come first; what t has taken before it need not look at.
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

// Release makes addr hold t's present and nothing else.
func (e *Engine) Release(t *Task, addr uintptr) {
	o, c := e.openObject(t, addr, true)
	e.release(t, o, c)
	e.unlockWord(&o.mu)
	e.endStep(t)
}

func (e *Engine) release(t *Task, o *object, c *objMemo) {
	e.setOnly(t, &o.general)
	e.change(o)
	c.version = o.version // what t left there it knows
}

// ReleaseMerge adds t's present to what addr holds.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	o, c := e.openObject(t, addr, true)
	if c.version == o.version {
		// t knows all that is there, so its own point says it all.
		e.release(t, o, c)
	} else {
		e.addPoint(t, &o.general)
		e.change(o)
	}
	e.unlockWord(&o.mu)
	e.endStep(t)
}

// ReleaseAcquire orders t after what addr holds and makes it hold t's present of
// before, alone.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.takeBack(t)
	o, c := e.openObject(t, addr, true)
	// What is left must not contain what is taken.
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

// Meet orders what a did so far before what b will do, and the other way round:
// the two are at the same place. It is a release by a that b acquires, followed by
// one of b that a acquires, with no object between. b must not be running.
func (e *Engine) Meet(a, b *Task) {
	e.takeBack(a)
	e.takeBack(b)
	// Who is told nothing by the other's accesses has nothing to join, and owes
	// nothing for it.
	ofA, ofB := e.owesTo(a, b), e.owesTo(b, a)
	p := e.present(a)
	e.endStep(a)
	e.take(b, &p, ofA)
	p = e.present(b)
	e.endStep(b)
	e.take(a, &p, ofB)
}

// owesTo reports whether a owes something that b does not know.
func (e *Engine) owesTo(a, b *Task) bool {
	return a.owes != 0 && !e.beforeWeak(b, a.id, a.owes)
}

// present returns t's present as a point that owns none of its clocks.
func (e *Engine) present(t *Task) point {
	return point{task: t.id, step: t.step, weak: t.weak, hb: t.hb, weakAt: t.weakAt, hbAt: t.hbAt}
}

// change gives o, whose first point is new, its next version; 0 is none's.
func (e *Engine) change(o *object) {
	if o.version++; o.version == 0 {
		o.version = 1
	}
	e.point(o.general.head).born = o.version
}

// fill makes p t's present.
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

// newPoint returns a point without clocks in front of l.
func (e *Engine) newPoint(l *pointList) *point {
	i := e.points.get()
	p := e.point(i)
	*p = point{next: l.head}
	l.head = i
	l.n++
	return p
}

// setOnly makes t's present the only point of l.
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

// addPoint adds t's present to l. When l has doubled since last time, points
// that precede t, which its own point implies, are dropped; so a list stays
// proportional to the tasks that know nothing of each other.
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

// clearPoints empties l; t may be nil.
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
