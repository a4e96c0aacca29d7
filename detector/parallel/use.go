package parallel

import "taskinstr/detector/mem"

// Critical sections also conflict through channels, for example when one finds a channel empty and another one
// fills it. A use is such a step of a section. Each lock has a list of the uses
// in its sections, since only sections of one lock conflict. A list of the uses of each channel would
// grow with the number of locks under which the channel is used, and the list of a lock grows with the number of channels: a
// semaphore closes one for each task that waits. So the uses of one channel under one lock are found by a hash.
type use struct {
	next    uint32 // in the list of its lock, also the link of the free chain
	prev    uint32 // the other way
	same    uint32 // the next one in the bucket
	lock    uint32 // object.serial of the lock
	thing   uint32 // object.serial of the channel
	section uint32
	kind    Kind
	addr    uintptr // of the thing
}

func (e *Engine) use(i uint32) *use { return (*use)(e.uses.At(i)) }

const (
	useBuckets = 1 << 16
	useStripes = 64 // locks, each for every 64th bucket
)

// useBucket returns the bucket of the uses of a thing under a lock, newest first, and the bucket's lock. Who takes it may hold
// the lock of an object, but takes none.
func (e *Engine) useBucket(lock, thing uint32) (head *uint32, mu *uint32) {
	h := (lock*0x85ebca6b ^ thing) * 0x9e3779b1 >> 16
	return e.useHeads.At32(uintptr(h)), &e.useLocks[h%useStripes]
}

// Ordered reports whether a call of Order can have an effect for t now.
//
//go:nosplit
func (e *Engine) Ordered(t *Task) bool { return t.nHolds != 0 && e.joinsNow() }

// Order makes critical sections conflict that use the thing at addr, which is no memory of the program. The
// sections are ordered as if they made accesses of kind k to one byte, but these never race.
func (e *Engine) Order(t *Task, addr uintptr, k Kind) {
	e.mustSeat(t)
	if !e.Ordered(t) || e.lockset(t) == 0 {
		return
	}
	o, _ := e.openObject(t, addr, true)
	u := use{thing: o.serial, kind: k, addr: addr}
	e.unlockWord(&o.mu)
	for x := t.set; x != 0; {
		u.section, x = e.firstLock(x)
		e.useIn(t, u)
	}
}

// useIn orders t after the ends of the earlier sections of a lock, in whose section t makes use u, with which
// u conflicts. It adds u to the lock's list, and takes out the uses that another one there subsumes. u itself subsumes none yet: if another
// task ends its section, the section has no end in the weak order.
func (e *Engine) useIn(t *Task, u use) {
	c := e.section(u.section)
	o, m := e.openObject(t, c.addr, false)
	if o == nil {
		return
	}
	known := o.serial != c.lock // another lock has taken the place of this one
	var last *section           // the newest section with such a use that t follows
	head, mu := e.useBucket(c.lock, u.thing)
	mem.Lock(mu)
	for link := head; *link != 0 && !known; {
		v := e.use(*link)
		if v.thing != u.thing || v.lock != c.lock {
			link = &v.same
			continue
		}
		d := e.section(v.section)
		if conflicting(u.kind, v.kind) && d.precedes(c) {
			e.orderAfterSection(t, d)
		}
		switch {
		case v.section == u.section && v.kind == u.kind:
			known = true
		case mem.Load32(&d.ended) == sectionVoid || v.kind == u.kind && last != nil && e.succeeds(last, d):
			e.dropUse(o, link)
		default:
			if last == nil && v.kind == u.kind && mem.Load32(&d.ended) == sectionEnded && e.beforeWeak(t, d.endTask, d.endStep) {
				last = d
			}
			link = &v.same
		}
	}
	if !known {
		i := e.uses.Get()
		u.lock, u.next, u.same = c.lock, o.uses, *head
		*e.use(i) = u
		if o.uses != 0 {
			e.use(o.uses).prev = i
		}
		o.uses, *head = i, i
		e.haveVisited(o, m.obj)
	}
	mem.Unlock(mu)
	e.unlockWord(&o.mu)
}

// conflicting reports whether accesses of kinds k and c to the same bytes conflict.
func conflicting(k, c Kind) bool {
	return (k.Writes() || c.Writes()) && !(k.Atomic() && c.Atomic())
}

// succeeds reports whether each section that must follow the end of d, an earlier section of the same lock, must
// follow the end of c as well, which follows the end of d.
func (e *Engine) succeeds(c, d *section) bool {
	return mem.Load32(&d.ended) == sectionEnded &&
		(d.endTask == c.endTask || e.stepIn(c.endWeak, uint32(*e.slotOf(d.endTask))) >= d.endStep) &&
		(d.shared() || !c.shared()) && (d.quiet() || !c.quiet())
}

// dropUse frees the use of lock o to which link leads in a bucket, which is locked.
func (e *Engine) dropUse(o *object, link *uint32) {
	i := *link
	u := e.use(i)
	*link = u.same
	if u.next != 0 {
		e.use(u.next).prev = u.prev
	}
	if u.prev != 0 {
		e.use(u.prev).next = u.next
	} else {
		o.uses = u.next
	}
	e.uses.Put(i)
}

// dropOldUse frees use i of lock o.
func (e *Engine) dropOldUse(o *object, i uint32) {
	u := e.use(i)
	link, mu := e.useBucket(u.lock, u.thing)
	mem.Lock(mu)
	for *link != i {
		link = &e.use(*link).same
	}
	e.dropUse(o, link)
	mem.Unlock(mu)
}

// dropUses frees the uses of lock o.
func (e *Engine) dropUses(o *object) {
	for o.uses != 0 {
		e.dropOldUse(o, o.uses)
	}
}

// uses marks the sections of the uses in o's sections that a later section may have to follow, and frees the other uses.
func (s *sweep) uses(o *object) {
	e := s.e
	for i := o.uses; i != 0; {
		u := e.use(i)
		next, c := u.next, e.section(u.section)
		if e.sameObject(u.addr, u.thing) == nil || s.precedesAll(c) {
			e.dropOldUse(o, i)
		} else {
			c.mark = e.sweeps
		}
		i = next
	}
}

// precedesAll reports whether no live task has to be ordered after section c any more: its end precedes all, or it has none.
func (s *sweep) precedesAll(c *section) bool {
	switch c.ended {
	case sectionVoid:
		return true
	case sectionEnded:
		return s.e.keep == 0 && s.passed(uint32(*s.e.slotOf(c.endTask)), c.endStep)
	}
	return false
}
