package schedule

// A draw is the state of a strategy whose Stay may draw the task that Next returns.
type draw struct {
	ready list
	rng   rng
	drawn ID // by Stay, for Next
}

func (d *draw) start(ts *Tasks, seed uint64) {
	d.ready.ts = ts
	d.rng = rng(seed)
}

// take returns the task that Stay has drawn, 0 if it has drawn none.
func (d *draw) take() ID {
	t := d.drawn
	d.drawn = 0
	return t
}

// any returns one of the ready tasks, each with the same probability, or 0 if there is none.
func (d *draw) any() ID {
	if d.ready.n == 0 {
		return 0
	}
	return *d.ready.at(d.rng.below(d.ready.n))
}
