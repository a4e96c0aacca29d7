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
