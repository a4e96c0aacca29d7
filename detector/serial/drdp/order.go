package drdp

// The hooks of package runtime report releases and acquires: a release leaves a point at an
// object, an acquire joins the points that it finds there. So a promise is an object with one
// point, and a finish scope is an object with a point for the end of each task. A channel is
// a sequence of promises. All orders are recorded as they were observed. The host notes the
// orders that another schedule might not repeat (channels with several senders, atomics).

// Acquire says that the places that were left at addr precede the next step of t.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	if t.Background() {
		return
	}
	e.TakeBack(t)
	if e.Quiet() {
		return
	}
	if i := e.object(uint64(addr)); i != 0 {
		e.joinObject(t, e.objectAt(i))
		e.Settle()
	}
}

// Release says that t leaves its place at addr, and replaces the places that were there.
func (e *Engine) Release(t *Task, addr uintptr) {
	if e.Quiet() || t.Background() {
		return
	}
	o := e.newObject(uint64(addr))
	e.dropPoints(o)
	e.addPoint(t, o)
	e.newStep(t)
}

// ReleaseMerge says that t leaves its place at addr, and keeps the places that are there.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	if e.Quiet() || t.Background() {
		return
	}
	o := e.newObject(uint64(addr))
	if o.joiner != 0 && e.quickly(o.joiner, o.at, t) {
		e.dropPoints(o) // they all precede t
	}
	e.addPoint(t, o)
	e.newStep(t)
}

// ReleaseAcquire is Acquire and Release in one.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.Acquire(t, addr)
	e.Release(t, addr)
}

// Meet says that a and b meet: the steps of each so far precede the next step of the other.
func (e *Engine) Meet(a, b *Task) {
	e.TakeBack(a)
	e.TakeBack(b)
	if e.Quiet() || a.Background() || b.Background() {
		return
	}
	p, q := e.placeOf(a), e.placeOf(b)
	e.newStep(a)
	e.newStep(b)
	e.join(a, q.task, q.at)
	e.join(b, p.task, p.at)
	e.Settle()
}
