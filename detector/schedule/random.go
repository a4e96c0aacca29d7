package schedule

// Random chooses each ready task with the same probability. At a point the running task
// counts as ready. Runs with the same seed make the same choices as long as the same
// tasks are ready.
type Random struct {
	ready  list
	rng    rng
	chosen ID // by Stay, for Next
}

func (r *Random) Init(ts *Tasks, seed uint64) {
	r.ready.ts = ts
	r.rng = rng(seed)
}

func (r *Random) Fork(child ID) {}
func (r *Random) End(t ID)      {}

func (r *Random) Ready(t ID, why Reason) { r.ready.add(t) }

func (r *Random) Stay(t ID) bool {
	if r.ready.n == 0 {
		return true
	}
	i := r.rng.below(r.ready.n + 1)
	if i == r.ready.n {
		return true
	}
	r.chosen = *r.ready.at(i)
	return false
}

func (r *Random) Next() ID {
	t := r.chosen
	r.chosen = 0
	if t == 0 {
		if r.ready.n == 0 {
			return 0
		}
		t = *r.ready.at(r.rng.below(r.ready.n))
	}
	r.ready.remove(t)
	return t
}
