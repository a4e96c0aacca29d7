package schedule

// POS is partial order sampling (X. Yuan, J. Yang, R. Gu, Partial Order Aware Concurrency
// Sampling, CAV 2018). Each operation that a task is about to make has a random priority,
// and the one with the highest priority is made. Operations that conflict with it get new
// priorities. So the orders of conflicting operations are sampled evenly, however many other
// operations come in between.
//
// A task that yields has the lowest priority, since it waits for another task.
type POS struct {
	draw
	yields uint64
}

func (p *POS) Ready(t ID, why Reason) {
	e := p.ready.ts.at(t)
	switch why {
	case Resumed: // Stay has given it a rank
	case Yielded:
		p.yields++
		e.op, e.rank = OpNone, yieldedRank-p.yields
	default:
		e.op = OpNone
		e.rank = p.rank()
	}
	p.ready.add(t)
}

func (p *POS) rank() uint64 { return firstRank | p.rng.next() }

func (p *POS) Stay(t ID) bool {
	ts := p.ready.ts
	ts.at(t).rank = p.rank()
	if u := p.ready.highest(); u != 0 && ts.at(u).rank > ts.at(t).rank {
		return false
	}
	p.made(t)
	return true
}

func (p *POS) Next() ID {
	t := p.ready.highest()
	if t != 0 {
		p.ready.remove(t)
		p.made(t)
	}
	return t
}

// made gives new priorities to the operations that conflict with the one that t makes now.
func (p *POS) made(t ID) {
	ts := p.ready.ts
	if ts.at(t).op == OpNone {
		return
	}
	for i := uint32(0); i < p.ready.n; i++ {
		if u := *p.ready.at(i); ts.conflict(t, u) {
			ts.at(u).rank = p.rank()
		}
	}
	ts.at(t).op = OpNone
}
