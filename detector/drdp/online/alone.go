package online

import "unsafe"

// While one task runs and others have joined all that each task did that has ended, its
// accesses need no record: all that was recorded precedes it, and all that comes is forked by it. Its head then says that
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

// settle finds out whether the only task that runs is alone now: no task is loose, that
// is, has ended with something done that nobody has joined. Whoever has joined the last
// it did has something done, too, and so on to the one that runs.
func (e *Engine) settle() {
	if e.live != 1 || e.loose != 0 || e.quiet {
		return
	}
	t := e.body(e.head)
	e.quiet = true
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
// and joins begin anew; the numbers of steps and lists of readers do not, so that those
// in the shadow are of nobody. When none are left they begin at 1 again, with an empty
// shadow.
func (e *Engine) forget(t *Task) {
	e.dirty = false
	e.taken = 0
	const enough = isList / 4 * 3
	if e.nextStep > enough || e.nextList > enough {
		e.clearShadow()
		e.nextStep, e.nextList = 1, 1
		e.answers = [answers]answer{}
		e.listed = [listMemos]uint32{}
	}
	e.peak = max(e.peak, e.infos.next)
	e.base, e.freeStep = e.nextStep, 0
	e.listBase, e.freeReader = e.nextList, 0
	e.loose = 0
	e.clearObjects()
	e.joins.empty()
	// The table's beginning is written over as infos move, so all are read first.
	var kept [maxResting]info
	n := 0
	for i := e.resting; i != 0 && n < maxResting; i = e.body(i).next {
		kept[n] = *e.infoOf(e.body(i).id)
		n++
	}
	own := *e.infoOf(t.id)
	e.infos.empty()
	e.freeInfo = 0
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

// renew gives t another id and a step: those it has are of before a forget.
func (e *Engine) renew(t *Task, old info) {
	t.id = e.newInfo()
	*e.infoOf(t.id) = info{flags: old.flags&infoMain | infoUsed, depth: old.depth, pc: old.pc, stack: old.stack, serial: old.serial, name: old.name}
	e.beginStep(t)
	t.Act++
	if t.mask == 0 {
		t.Hide()
	}
}

// maxResting is how many tasks that rest are known by name after a forget.
const maxResting = 32
