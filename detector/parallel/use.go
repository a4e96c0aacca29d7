package parallel

import "taskinstr/detector/mem"

// Critical sections also conflict through channels, for example when one finds a channel empty and another one
// fills it. A use is such a step of a section. Each lock has a list of the uses
// in its sections, since only sections of one lock conflict. A list of the uses of each channel would
// grow with the number of locks under which the channel is used.
type use struct {
	next    uint32 // in the list of its lock, also the link of the free chain
	thing   uint32 // object.serial of the channel
	section uint32
	kind    Kind
	addr    uintptr // of the thing
}

func (e *Engine) use(i uint32) *use { return (*use)(e.uses.At(i)) }

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
	for link := &o.uses; *link != 0 && !known; {
		v := e.use(*link)
		if v.thing != u.thing {
			link = &v.next
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
			e.dropUse(link)
		default:
			if last == nil && v.kind == u.kind && mem.Load32(&d.ended) == sectionEnded && e.beforeWeak(t, d.endTask, d.endStep) {
				last = d
			}
			link = &v.next
		}
	}
	if !known {
		i := e.uses.Get()
		u.next = o.uses
		*e.use(i) = u
		o.uses = i
		e.haveVisited(o, m.obj)
	}
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

// dropUse frees the use to which link leads.
func (e *Engine) dropUse(link *uint32) {
	i := *link
	*link = e.use(i).next
	e.uses.Put(i)
}

// dropUses frees the uses of lock o.
func (e *Engine) dropUses(o *object) {
	for o.uses != 0 {
		e.dropUse(&o.uses)
	}
}

// uses marks the sections of the uses in o's sections that a later section may have to follow, and frees the other uses.
func (s *sweep) uses(o *object) {
	e := s.e
	for link := &o.uses; *link != 0; {
		u := e.use(*link)
		c := e.section(u.section)
		if e.sameObject(u.addr, u.thing) == nil || s.precedesAll(c) {
			e.dropUse(link)
			continue
		}
		c.mark = e.sweeps
		link = &u.next
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
