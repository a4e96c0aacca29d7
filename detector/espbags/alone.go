package espbags

import "unsafe"

// While one task runs and nothing is in a P-bag, its accesses need no record: all that
// was recorded precedes it, and all that comes is forked by it. Its head then says that
// each access is covered. When it forks, all history is forgotten, by raising the
// smallest id in use.

// enter puts t into the list of tasks that run.
func (e *Engine) enter(t *Task) {
	t.running = true
	t.prev, t.next = 0, e.head
	if e.head != 0 {
		e.body(e.head).prev = t.self
	}
	e.head = t.self
	e.live++
	if e.live > 1 && e.quiet {
		e.loud()
	} else if e.live == 1 {
		e.settle()
	}
}

// part takes t out of that list.
func (e *Engine) part(t *Task) {
	if !t.running {
		return
	}
	t.running = false
	if t.prev != 0 {
		e.body(t.prev).next = t.next
	} else {
		e.head = t.next
	}
	if t.next != 0 {
		e.body(t.next).prev = t.prev
	}
	e.live--
}

// settle finds out whether the only task that runs is alone now.
func (e *Engine) settle() {
	if e.live != 1 || e.bags != 0 || e.quiet {
		return
	}
	t := e.body(e.head)
	e.quiet = true
	t.named()
	e.newStep(t)
	t.Hide()
}

//go:nosplit
func (t *Task) headWord() uintptr { return uintptr(unsafe.Pointer(t)) + unsafe.Offsetof(t.okw) }

// loud ends the time of being alone.
func (e *Engine) loud() {
	e.quiet = false
	for i := e.head; i != 0; i = e.body(i).next {
		t := e.body(i)
		t.base, t.mask = e.shadow, e.mask
	}
}

// Alone reports whether accesses by t need not be made known at present.
//
//go:nosplit
func (e *Engine) Alone(t *Task) bool { return t.mask == 0 || t.background }

// SetBackground says that t is the host's own and makes no accesses.
func (e *Engine) SetBackground(t *Task) {
	t.background = true
	t.Hide()
	e.part(t)
	e.rest(t)
	e.settle()
}

// SetForeground says that a task of the host's begins to run code of the program, in no
// order with the other tasks. Serial execution has no place for it: its accesses stay
// unseen.
func (e *Engine) SetForeground(t *Task) {}

// Lend says that t does nothing but wait for the task that was forked last, its child,
// until TakeBack.
func (e *Engine) Lend(t *Task) {
	if !t.lent && t.running {
		child := e.body(e.newest)
		child.lender, child.lentBy = t.self, t.serial
		t.lent = true
		e.part(t)
		e.rest(t)
		e.settle()
	}
}

// TakeBack ends what Lend began.
func (e *Engine) TakeBack(t *Task) {
	if t.lent {
		t.lent = false
		e.unrest(t)
		e.enter(t)
		e.settle()
	}
}

// rest puts t, which is the host's or has lent its place, into the list of those.
func (e *Engine) rest(t *Task) {
	if t.resting {
		return
	}
	t.resting = true
	t.prev, t.next = 0, e.resting
	if e.resting != 0 {
		e.body(e.resting).prev = t.self
	}
	e.resting = t.self
}

// unrest takes t out of that list.
func (e *Engine) unrest(t *Task) {
	if !t.resting {
		return
	}
	t.resting = false
	if t.prev != 0 {
		e.body(t.prev).next = t.next
	} else {
		e.resting = t.next
	}
	if t.next != 0 {
		e.body(t.next).prev = t.prev
	}
}

// forget makes all that was recorded count as nothing; t is alone. The tables of tasks
// begin anew, with the ids that come next: so the ids in the shadow are of nobody. When
// no ids are left they begin at 1 again, with an empty shadow.
func (e *Engine) forget(t *Task) {
	e.dirty = false
	e.shared = noEntry
	e.infos.free = 0
	e.taken = 0
	base := e.nextID
	e.peak = max(e.peak, base-e.base)
	const enough = maxTasks / 4 * 3
	if base > enough {
		e.clearShadow()
		base = 1
	}
	// The tables' beginning is written over as infos move, so all are read first.
	var kept [maxResting]info
	n := 0
	for i := e.resting; i != 0 && n < maxResting; i = e.body(i).next {
		kept[n] = *e.infoOf(e.body(i).id)
		n++
	}
	own := *e.infoOf(t.id)
	e.base, e.nextID = base, base
	e.renew(t, own)
	n = 0
	for i := e.resting; i != 0; i = e.body(i).next {
		var old info // a task beyond those kept loses its name
		if n < maxResting {
			old = kept[n]
			n++
		}
		e.renew(e.body(i), old)
	}
}

// maxResting is how many tasks that rest are known by name after a forget.
const maxResting = 32
