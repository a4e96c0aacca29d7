package online

// What the hooks of package runtime tell is releases and acquires: a release leaves a
// point at an object, an acquire joins the points that it finds there. So a promise is
// an object with one point, a finish scope one with a point for the end of each task. A
// channel is a sequence of promises. All orders are represented as they were observed; which of them
// another schedule might not repeat (channels with several senders, atomics, ...), the
// host notes.

// Acquired reports whether Acquire would do nothing.
//
//go:nosplit
func (e *Engine) Acquired(t *Task, addr uintptr) bool { return e.Quiet() && !t.Lent }

// Acquire says that what was released at addr precedes what t does next.
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

// Release says that t leaves what it has done at addr, in the place of what was there.
func (e *Engine) Release(t *Task, addr uintptr) {
	if e.Quiet() || t.Background() {
		return
	}
	o := e.newObject(uint64(addr))
	e.dropPoints(o)
	e.addPoint(t, o)
	e.newStep(t)
}

// ReleaseMerge says that t leaves what it has done at addr, besides what is there.
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

// ReleaseAcquire says that t takes what was left at addr and leaves its own.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.Acquire(t, addr)
	e.Release(t, addr)
}

// Meet says that a and b are at one place: each precedes what the other does next.
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
