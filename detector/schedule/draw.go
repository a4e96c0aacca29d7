package schedule

// A draw is the state of a strategy that chooses by chance. Its Stay may draw the task that Next returns.
type draw struct {
	ready list
	rng   rng
	drawn ID // by Stay, for Next
}

func (d *draw) Init(ts *Tasks, seed uint64) {
	d.ready.ts = ts
	d.rng = rng(seed)
}

func (d *draw) Fork(child ID)          {}
func (d *draw) End(t ID)               {}
func (d *draw) Ready(t ID, why Reason) { d.ready.add(t) }

// inherit gives a new task the weight that it has in a table. Its parent has the weights of its
// children until it makes them.
func (d *draw) inherit(child ID, weights *Counts) {
	e := d.ready.ts.at(child)
	e.weight = weights.of(e.hash)
	if e.parent != 0 {
		p := d.ready.ts.at(e.parent)
		p.weight -= min(p.weight, e.weight)
	}
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
