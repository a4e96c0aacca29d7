package parallel

import "unsafe"

// markTasks marks the tasks that marked elements need: the tasks that ended marked
// critical sections.
func (s *sweep) markTasks() {
	e := s.e
	for i := uint32(1); i < e.sections.Next; i++ {
		if c := e.section(i); c.mark == e.sweeps && c.endTask != 0 {
			s.follow(c.endTask)
			if p := e.slotAt(uint32(*e.slotOf(c.endTask))); !p.locked {
				p.locked = !s.orderedBy(i | oneLock)
			}
		}
	}
}

// splice makes the nearest marked ancestor of each task its parent. Later queries never
// ask for an ancestor that is left out, and everything it knew is in the task's clocks
// since the fork.
func (s *sweep) splice() {
	e := s.e
	for i := uint32(1); i < e.tasks.Next; i++ {
		n := e.info(i)
		if n.flags&infoUsed == 0 {
			continue
		}
		for n.parent != 0 && e.info(n.parent).mark != e.sweeps {
			p := e.info(n.parent)
			n.viaPC, n.viaStack = p.branch()
			n.parent, n.forkStep = p.parent, p.forkStep
		}
		if n.mark == e.sweeps {
			s.e.contexts.Mark(n.created, s.e.sweeps)
			s.e.contexts.Mark(n.viaStack, s.e.sweeps)
		}
		if n.body != 0 {
			t := e.body(n.body)
			t.parent, t.forkStep = n.parent, n.forkStep
		}
	}
}

// freeSections frees unmarked critical sections and locksets.
func (s *sweep) freeSections() {
	e := s.e
	a := &e.sections
	a.Empty()
	top := uint32(0)
	for i := a.Next - 1; i > 0; i-- {
		c := e.section(i)
		if c.mark == e.sweeps {
			top = max(top, i)
			continue
		}
		e.dropClock(nil, c.endWeak)
		c.endWeak = clock{}
		if top != 0 {
			a.Add(i)
		}
	}
	a.Shrink(top + 1)
	e.sets.Sweep(unsafe.Offsetof(setNode{}.mark), e.sweeps)
}

// noSlot is the slot of ended tasks that nobody can follow. No task begins there.
const noSlot = 0

// follow marks task i, and notes that something beside its accesses names it.
func (s *sweep) follow(i uint32) {
	n := s.e.info(i)
	n.mark = s.e.sweeps
	n.flags |= infoFollowed
}

// unfollowed moves the ended tasks that nobody can follow to noSlot: those that released nothing since the first access that is left of them. No
// clock has, or ever gets, a step of such an access, nor one of noSlot, except by AcquireAll. So one step there does for all of them, and
// however many there are, later tasks have their slots exactly.
func (s *sweep) unfollowed() {
	e := s.e
	g := e.slotAt(noSlot)
	for i := uint32(1); i < e.records.Next; i++ {
		if r := e.record(i); r.mark == s.kept() && r.slot() != noSlot && e.info(r.task).flags&(infoEnded|infoFollowed) == infoEnded {
			r.code = uint16(r.kind()) | noSlot<<kindBits
			r.step = g.step
		}
	}
	for i := uint32(1); i < e.tasks.Next; i++ {
		n := e.info(i)
		if p := e.slotOf(i); n.mark == e.sweeps && n.flags&(infoEnded|infoFollowed) == infoEnded && *p != noSlot {
			*p = noSlot
			n.last, n.cover, n.given = g.step, g.step, 0
		}
		n.flags &^= infoFollowed
	}
}
