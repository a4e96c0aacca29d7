package espbags

// The hooks of package runtime report operations, not scopes: an acquire of an object is
// ordered behind the releases of that object. A task that does nothing behind its last release
// has ended in a scope named after the object, and an acquire waits for that scope: so
// WaitGroups, package rt/task and channels that are closed or sent to at a task's end are
// finish scopes.
//
// Any other order between two tasks is outside of the model: the host is told of the acquire
// (hostOutside), unless the bags have the order anyway.

// Acquire says that the next step of t is ordered behind the releases at addr.
func (e *Engine) Acquire(t *Task, addr uintptr) {
	if t.Background() {
		return
	}
	e.TakeBack(t)
	if !e.Quiet() && !e.Wait(t, uint64(addr)) {
		hostOutside(e, t)
	}
}

// Release says that later acquires at addr are ordered behind the steps of t so far.
func (e *Engine) Release(t *Task, addr uintptr) {
	if e.Quiet() || t.Background() {
		return
	}
	if stateOf(t).done {
		e.stay(t)
	}
	e.Leave(t, uint64(addr))
}

// ReleaseMerge is Release: neither forgets earlier releases.
func (e *Engine) ReleaseMerge(t *Task, addr uintptr) { e.Release(t, addr) }

// ReleaseAcquire is Acquire and Release in one.
func (e *Engine) ReleaseAcquire(t *Task, addr uintptr) {
	e.Acquire(t, addr)
	e.Release(t, addr)
}

// Meet says that a and b meet: the steps of each so far precede the next step of the other.
func (e *Engine) Meet(a, b *Task) {
	e.TakeBack(a)
	e.TakeBack(b)
	if !e.Quiet() {
		hostOutside(e, a)
	}
}

// stay notes that t goes on behind a release: a task that waits for the object is not ordered
// behind all of t.
func (e *Engine) stay(t *Task) {
	own := stateOf(t)
	own.done = false
	e.enroll(t)
	if own.scope != 0 {
		e.scopeAt(own.scope).late = t.ID
		own.scope = 0
	}
}
