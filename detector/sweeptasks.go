package detector

import "unsafe"

// markTasks marks the tasks that marked elements need: the tasks that ended marked
// critical sections, and the tasks in chains of join records.
func (s *sweep) markTasks() {
	e := s.e
	for i := uint32(1); i < e.sections.next; i++ {
		if c := e.section(i); c.mark == e.sweeps && c.endTask != 0 {
			e.info(c.endTask).mark = e.sweeps
		}
	}
	for i := uint32(1); i < e.tasks.next; i++ {
		n := e.info(i)
		for n.mark == e.sweeps && n.joinStep != 0 && e.info(n.joiner).mark != e.sweeps {
			n = e.info(n.joiner)
			n.mark = e.sweeps
		}
	}
}

// splice makes the nearest marked ancestor of each task its parent. Later queries never
// ask for an ancestor that is left out, and everything it knew is in the task's clocks
// since the fork.
func (s *sweep) splice() {
	e := s.e
	for i := uint32(1); i < e.tasks.next; i++ {
		n := e.info(i)
		if n.flags&infoUsed == 0 {
			continue
		}
		n.leap = 0 // it may name a task that is freed
		for n.parent != 0 && e.info(n.parent).mark != e.sweeps {
			p := e.info(n.parent)
			n.viaPC, n.viaStack = p.branch()
			n.parent, n.forkStep = p.parent, p.forkStep
			n.flags |= infoSpliced
		}
		if n.mark == e.sweeps {
			s.markStack(n.created)
			s.markStack(n.viaStack)
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
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		c := e.section(i)
		if c.mark == e.sweeps {
			c.endWeak = s.prune(c.endWeak)
			s.cleanChange(&c.endChange)
			top = max(top, i)
			continue
		}
		e.dropClock(nil, c.endWeak)
		c.endWeak = 0
		if top != 0 {
			a.add(i)
		}
	}
	a.shrink(top + 1)
	s.free(&e.sets, unsafe.Offsetof(setNode{}.mark), e.sweeps)
}

// cleanEpochs removes the names of freed tasks from the released epochs. Their clocks
// stay.
func (s *sweep) cleanEpochs() {
	e := s.e
	for i := uint32(1); i < e.objects.next; i++ {
		if o := e.object(i); o.addr != 0 {
			s.cleanList(&o.general)
			s.cleanList(&o.excl)
			s.cleanList(&o.shared)
		}
	}
	s.cost += uint64(e.objects.used())
}

func (s *sweep) cleanList(l *epochList) {
	e := s.e
	for link := &l.head; *link != 0; {
		i := *link
		p := e.epoch(i)
		s.cleanChange(&p.weakChange)
		s.cleanChange(&p.hbChange)
		same := p.weak == p.hb
		p.weak = s.prune(p.weak)
		if same {
			p.hb = p.weak
		} else {
			p.hb = s.prune(p.hb)
			if p.hb == p.weak && p.weak != 0 {
				e.dropClock(nil, p.hb)
			}
		}
		if p.task != 0 && e.info(p.task).mark != e.sweeps {
			n := e.info(p.task)
			if n.parent != 0 {
				s.enterEpoch(p, n.parent, n.forkStep)
			}
			p.task = 0
		}
		if p.task|p.weak|p.hb == 0 && l.n > 1 {
			*link = p.next
			l.n--
			e.epochs.put(i)
		} else {
			link = &p.next
		}
		s.cost++
	}
}

// cleanChange removes the name of a freed task from c.
func (s *sweep) cleanChange(c *clockChange) {
	if c.task != 0 && s.e.info(c.task).mark != s.e.sweeps {
		c.task, c.step = 0, 0
	}
}

// enterEpoch is Engine.enter for an epoch.
func (s *sweep) enterEpoch(p *epoch, u, v uint32) {
	e := s.e
	same := p.weak == p.hb
	p.weak = e.clockSet(nil, p.weak, u, v)
	if same {
		p.hb = p.weak
		return
	}
	p.hb = e.clockSet(nil, p.hb, u, v)
}

// cleanLive removes freed tasks from the clocks of live tasks and empties these tasks'
// caches of order queries. Their caches of elements hold entries of past steps;
// forgetSwept clears those before the next use, so a sweep touches little of each task.
func (s *sweep) cleanLive() {
	e := s.e
	for b := uint32(1); b < e.bodies.next; b++ {
		t := e.body(b)
		if !t.alive {
			continue
		}
		t.knownWeak = [knownCache]uint64{}
		t.knownHB = [knownCache]uint64{}
		s.cleanChange(&t.weakChange)
		s.cleanChange(&t.hbChange)
		same := t.weak == t.hb
		t.weak = s.prune(t.weak)
		if same {
			t.hb = t.weak
		} else {
			t.hb = s.prune(t.hb)
			e.mustSeat(t)
			e.unite(t)
		}
	}
}

// prune removes the unmarked tasks from clock m, in place, because no later query asks
// for them. It returns m, or 0 if m has become empty and was dropped.
func (s *sweep) prune(m uint32) uint32 {
	if m == 0 {
		return 0
	}
	e := s.e
	n := e.clock(m)
	if n.mark != e.sweeps {
		n.mark = e.sweeps
		s.cost++
		for i := uint32(0); i < clockFan; i++ {
			if n.a[i] == 0 {
				continue
			}
			if n.shift != 0 {
				n.a[i] = s.prune(n.a[i])
			} else if e.info(n.prefix<<clockBits|i).mark != e.sweeps {
				n.a[i] = 0
			}
		}
	}
	if n.a != [clockFan]uint32{} {
		return m
	}
	e.dropClock(nil, m)
	return 0
}
