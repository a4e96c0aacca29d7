package parallel

// relax makes locks order like other synchronization, until at most short free slots are locked: a section of such a lock then follows all earlier
// sections, whether or not they conflict. The first ones are the locks of few accesses that ended tasks have left, such as the locks of closed
// connections. If these do not suffice, all locks of such accesses follow.
func (s *sweep) relax(short uint32) {
	e := s.e
	s.eachLeft(func(_ *slot, x uint32) {
		s.eachLock(x, func(o *object) { o.left++ })
	})
	for _, most := range []uint32{rareLock, 1<<32 - 1} {
		s.eachLeft(func(_ *slot, x uint32) {
			s.eachLock(x, func(o *object) {
				if o.left <= most && !o.orders {
					o.orders = true
					e.relaxed++
					e.relaxReleased(s.some, &o.excl)
					e.relaxReleased(s.some, &o.shared)
				}
			})
		})
		n := uint32(0)
		for i := e.freeSlots; i != 0; i = e.slotAt(i).next {
			e.slotAt(i).locked = false
		}
		s.eachLeft(func(p *slot, x uint32) {
			if !p.locked && !s.orderedBy(x) {
				p.locked = true
				n++
			}
		})
		if n <= short {
			break
		}
	}
	s.eachLeft(func(_ *slot, x uint32) {
		s.eachLock(x, func(o *object) { o.left = 0 })
	})
	for b := uint32(1); b < e.bodies.Next; b++ {
		if t := e.body(b); t.alive && s.inOrder(t) {
			e.dropWeakOf(t, &t.clocks)
			t.weakChange = change{own: t.step}
		}
	}
}

// rareLock is the number of accesses and sections that ended tasks have left, up to which relax takes a lock first.
const rareLock = 16

// eachLeft calls f for the locksets of the accesses and the sections that ended tasks have left, each with the slot of the task.
func (s *sweep) eachLeft(f func(p *slot, set uint32)) {
	e := s.e
	for i := uint32(1); i < e.records.Next; i++ {
		if r := e.record(i); r.mark == s.kept() {
			if p := e.slotAt(r.slot()); p.users == 0 && r.slot() != noSlot {
				f(p, r.set)
				f(p, e.info(r.task).forkSet)
			}
		}
	}
	for i := uint32(1); i < e.sections.Next; i++ {
		if c := e.section(i); c.mark == e.sweeps && c.endTask != 0 {
			if p := e.slotAt(uint32(*e.slotOf(c.endTask))); p.users == 0 {
				f(p, i|oneLock)
			}
		}
	}
}

// eachLock calls f for the locks of lockset x that exist.
func (s *sweep) eachLock(x uint32, f func(o *object)) {
	for x != 0 {
		var i uint32
		i, x = s.e.firstLock(x)
		c := s.e.section(i)
		if o := s.e.sameObject(c.addr, c.lock); o != nil {
			f(o)
		}
	}
}

// relaxReleased makes all that precedes r in happens-before precede it in the weak order. What was known from the epoch of r is
// not all any more. t is any task.
func (e *Engine) relaxReleased(t *Task, r *released) {
	if r.slot == 0 {
		return
	}
	e.dropWeakOf(t, &r.clocks)
	if !r.mixed {
		e.enter(t, &r.clocks, r.slot, r.step)
		r.mixed = true
	}
}

// inOrder reports whether t is in a section of a lock that orders.
func (s *sweep) inOrder(t *Task) bool {
	e := s.e
	for i := range t.nHolds {
		h := e.holdAt(t, i)
		if o := e.sameObject(h.addr, h.serial); o != nil && o.orders {
			return true
		}
	}
	return false
}

// orderedBy reports whether the locks of x order like other synchronization, or exist no longer.
func (s *sweep) orderedBy(x uint32) bool {
	all := true
	s.eachLock(x, func(o *object) { all = all && o.orders })
	return all
}
