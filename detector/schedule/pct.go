package schedule

// PCT is probabilistic concurrency testing (S. Burckhardt, P. Kothari, M. Musuvathi,
// S. Nagarakatte, A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
// ASPLOS 2010). Each task has a priority, and the ready task with the highest one runs. A
// new task gets a random priority above d. At d-1 random steps of the run the task that
// was to run gets a priority below d instead: the i-th step gives priority d-i.
//
// A run with n tasks and k steps shows a bug of depth d, which needs d-1 orders between
// steps apart from the order of tasks, with a probability of at least 1/(n*k^(d-1)).
//
// Departures: the number of tasks need not be known, because priorities are random numbers
// and not a permutation. A task that yields gets a priority below all others, since it
// waits for one of them. So does one that makes fairAfter steps while another one is ready.
type PCT struct {
	draw
	changes changes
	depth   uint32
	yields  uint64 // priorities below those of changes, so far
	streak  uint32 // steps in succession that the running task made while another one was ready
}

// New tasks have ranks from firstRank on, the i-th change gives changedRank-i, and yields give
// ranks below yieldedRank.
const (
	firstRank   = 1 << 63
	changedRank = 1<<62 + maxChanges
	yieldedRank = 1 << 62
)

// MaxDepth is the largest depth.
const MaxDepth = maxChanges + 1

// Init prepares a run. depth is at least 1. steps is the expected number of steps, 0 if it is not known.
func (p *PCT) Init(ts *Tasks, seed uint64, depth, steps uint32) {
	p.draw.Init(ts, seed)
	p.depth = depth
	p.changes.rng = rng(p.rng.next())
	p.changes.draw(depth-1, steps)
}

// Count says whether steps count from now on. They do after Init.
func (p *PCT) Count(on bool) { p.changes.off = !on }

func (p *PCT) Fork(child ID) { p.ready.ts.at(child).rank = firstRank | p.rng.next() }

func (p *PCT) Ready(t ID, why Reason) {
	if why == Yielded {
		p.yields++
		p.ready.ts.at(t).rank = yieldedRank - p.yields
	}
	p.ready.add(t)
}

// change counts a step, and changes the priority of t, the task that is to make it, if a
// change is due. It reports whether one was.
func (p *PCT) change(t ID) bool {
	i := p.changes.due()
	if i != 0 {
		p.ready.ts.at(t).rank = changedRank - uint64(i)
	}
	return i != 0
}

func (p *PCT) Stay(t ID) bool {
	u := p.ready.highest()
	ts := p.ready.ts
	if u != 0 && ts.at(u).rank > ts.at(t).rank {
		return false
	}
	if changed := p.change(t); !changed && u != 0 {
		if p.streak++; p.streak > fairAfter {
			p.yields++
			ts.at(t).rank = yieldedRank - p.yields
		}
	}
	if u == 0 || ts.at(t).rank > ts.at(u).rank {
		return true
	}
	p.drawn = u
	return false
}

func (p *PCT) Next() ID {
	t := p.take()
	p.streak = 0
	if t == 0 {
		if t = p.ready.highest(); t == 0 {
			return 0
		}
		if p.change(t) {
			t = p.ready.highest()
		}
	}
	p.ready.remove(t)
	return t
}
