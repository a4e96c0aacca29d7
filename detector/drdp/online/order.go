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
func (e *Engine) Acquired(t *Task, addr uintptr) bool { return e.quiet && !t.lent }

// Acquire says that what was released at addr precedes what t does next.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	if t.background {
		return
	}
	e.TakeBack(t)
	if e.quiet {
		return
	}
	if i := e.object(uint64(addr)); i != 0 {
		e.joinObject(t, e.objectAt(i))
		e.settle()
	}
}

// Release says that t leaves what it has done at addr, in the place of what was there.
func (e *Engine) Release(t *Task, addr uintptr) {
	if e.quiet || t.background {
		return
	}
	o := e.newObject(uint64(addr))
	e.dropPoints(o)
	e.addPoint(t, o)
	e.newStep(t)
}

// ReleaseMerge says that t leaves what it has done at addr, besides what is there.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) {
	if e.quiet || t.background {
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
	if e.quiet || a.background || b.background {
		return
	}
	p, q := e.placeOf(a), e.placeOf(b)
	e.newStep(a)
	e.newStep(b)
	e.join(a, q.task, q.at)
	e.join(b, p.task, p.at)
	e.settle()
}

// AcquireAll, KeepHistory and InvalidateFilters are of package detector; nothing here
// needs them.
func (e *Engine) AcquireAll(t *Task) {}
func (e *Engine) KeepHistory()       {}
func (e *Engine) InvalidateFilters() {}

// Ordered reports whether t is in a critical section whose order is to be found out.
//
//go:nosplit
func (e *Engine) Ordered(t *Task) bool { return false }

// Order is never called: see Ordered.
func (e *Engine) Order(t *Task, addr uintptr, k Kind) {}

// JoinsSections reports whether Conflict can be asked.
func (e *Engine) JoinsSections() bool { return true }

// Conflict returns the i-th place of an access in a critical section that conflicts with
// one in another task's section of the same lock: their order is a choice.
func (e *Engine) Conflict(i uint32) (site, pc uintptr, ok bool) {
	if i >= e.nConflict {
		return 0, 0, false
	}
	o := e.originAt(e.conflicts[i])
	if o.site != 0 {
		site = e.opt.SiteBase + uintptr(o.site)
	}
	return site, e.opt.PCBase + uintptr(o.pc), true
}

// maxConflicts is how many places Conflict gives.
const maxConflicts = 64

// noteConflict remembers the place of an access for Conflict.
func (e *Engine) noteConflict(o uint32) {
	for i := uint32(0); i < e.nConflict; i++ {
		if e.conflicts[i] == o {
			return
		}
	}
	if e.nConflict < maxConflicts {
		e.conflicts[e.nConflict] = o
		e.nConflict++
	}
}

// Known is of package detector. No records are kept that would tell which locks other
// accesses held.
func (e *Engine) Known(i uint32) (s Side, ok, more bool) { return s, false, false }

// The answers of Probe.
const (
	Covered = iota
	Unknown
	Open // of package detector; no answer here
)

// Probe returns Covered if an access leaves no trace, else Unknown. It may run on the
// task's own stack.
//
//go:nosplit
func (e *Engine) Probe(t *Task, a, n uintptr, k Kind) int {
	if e.Covered(t, a, n, k) {
		return Covered
	}
	return Unknown
}

// Hide makes t, which has no engine, one whose accesses all are covered.
//
//go:nosplit
func (t *Task) Hide() {
	t.base, t.mask = t.headWord(), 0
}
