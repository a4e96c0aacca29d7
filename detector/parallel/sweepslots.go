package parallel

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
	moved := false
	for i := uint32(1); i < e.tasks.Next; i++ {
		n := e.info(i)
		if p := e.slotOf(i); n.mark == e.sweeps && n.flags&(infoEnded|infoFollowed) == infoEnded && *p != noSlot {
			*p = noSlot
			n.last, n.cover, n.given = g.step, g.step, 0
			moved = true
		}
		n.flags &^= infoFollowed
	}
	if !moved {
		return
	}
	for i := uint32(1); i < e.records.Next; i++ {
		if r := e.record(i); r.mark == s.kept() && r.slot() != noSlot && *e.slotOf(r.task) == noSlot {
			r.code = uint16(r.kind()) | noSlot<<kindBits
			r.step = g.step
		}
	}
}

// cleanSlots moves the slots that have no accesses of ended tasks any more to the stock. Sweeps that find few such slots become
// rarer: a live task, such as one that sleeps, keeps the accesses of all tasks that it does not follow.
func (s *sweep) cleanSlots() {
	e := s.e
	for i := range e.nslots {
		if p := e.slotAt(i); p.users == 0 {
			p.passed, p.last, p.cover = p.last, 0, 0
		}
	}
	for i := uint32(1); i < e.tasks.Next; i++ {
		if n := e.info(i); n.mark == e.sweeps && n.body == 0 {
			p := e.slotAt(uint32(*e.slotOf(i)))
			p.last, p.cover = max(p.last, n.last, n.cover), max(p.cover, n.cover)
		}
	}
	used, clean, locked := uint32(0), uint32(0), uint32(0)
	for i := e.freeSlots; i != 0; {
		p := e.slotAt(i)
		next := p.next
		if p.last < p.passed {
			p.mixedTo = p.step // the next task need not follow the releases that are forgotten
		}
		if used++; p.last == 0 {
			clean++
			e.unlinkSlot(i)
			p.next, e.emptySlots = e.emptySlots, i
		} else if p.locked {
			locked++
		}
		i = next
	}
	if most := e.opt.Slots / 4; locked > most && e.serials > uint64(e.opt.Exact()) && e.joinsNow() {
		s.relax(most)
	}
	e.lockedDue = 0
	switch {
	case e.slotsDue == 0:
	case clean < used/4:
		e.slotsNext = min(2*e.slotsNext, maxTasks)
	default:
		e.slotsNext = max(e.opt.Slots/2, 1)
	}
	e.slotsDue = 0
	e.recheck = 1
}
