package schedule

// Preempt runs a task until it ends, blocks or yields, and lets another one run first at a
// bounded number of points only, which are drawn by chance (after M. Musuvathi, S. Qadeer,
// Iterative Context Bounding for Systematic Testing of Multithreaded Programs, PLDI 2007).
// Most bugs need few preemptions, and a run with few is easy to read. The next task is
// chosen with the same probability among the ready ones. A task that makes fairAfter steps
// while another one is ready counts as one that yields.
type Preempt struct {
	draw
	changes changes
	due     uint32 // preemptions that are due
	streak  uint32 // steps in succession that the running task made while another one was ready
}

// Init prepares a run. bound is the number of preemptions, at most MaxPreemptions. steps is the
// expected number of steps, 0 if it is not known.
func (p *Preempt) Init(ts *Tasks, seed uint64, bound, steps uint32) {
	p.draw.Init(ts, seed)
	p.changes.rng = rng(p.rng.next())
	p.changes.draw(bound, steps)
}

// Count says whether steps count from now on. They do after Init.
func (p *Preempt) Count(on bool) { p.changes.off = !on }

// MaxPreemptions is the largest bound.
const MaxPreemptions = maxChanges

// step counts a step. A preemption that is due waits for a point at which another task is ready.
func (p *Preempt) step() {
	if p.changes.due() != 0 {
		p.due++
	}
}

func (p *Preempt) Stay(t ID) bool {
	p.step()
	if p.ready.n == 0 {
		return true
	}
	switch p.streak++; {
	case p.due > 0:
		p.due--
	case p.streak <= fairAfter:
		return true
	}
	// t is not among the ready tasks yet, so that another one is drawn.
	p.drawn = p.any()
	return false
}

func (p *Preempt) Next() ID {
	t := p.take()
	p.streak = 0
	if t == 0 && p.ready.n > 0 {
		p.step()
		t = p.any()
	}
	if t != 0 {
		p.ready.remove(t)
	}
	return t
}
