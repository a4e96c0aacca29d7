package schedule

// Random chooses each ready task with the same probability. At a point the running task
// counts as ready. Runs with the same seed make the same choices as long as the same
// tasks are ready.
type Random struct{ draw }

func (r *Random) Stay(t ID) bool {
	if r.ready.n == 0 {
		return true
	}
	i := r.rng.below(r.ready.n + 1)
	if i == r.ready.n {
		return true
	}
	r.drawn = *r.ready.at(i)
	return false
}

func (r *Random) Next() ID {
	t := r.take()
	if t == 0 {
		t = r.any()
	}
	if t != 0 {
		r.ready.remove(t)
	}
	return t
}
