package serial

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// While one task runs and others have waited for everything that has ended, the accesses of
// that task need no record: everything recorded precedes it, and it forks everything that
// comes. Its head then makes each access look covered. When it forks, all history is
// forgotten, by raising Engine.Base.

// Enter puts t into the list of tasks that run.
func (e *Engine) Enter(t *Task) {
	t.running = true
	e.link(&e.head, t)
	e.live++
	if e.live > 1 && e.quiet {
		e.loud()
	} else if e.live == 1 {
		e.Settle()
	}
}

// part takes t out of that list.
func (e *Engine) part(t *Task) {
	if !t.running {
		return
	}
	t.running = false
	e.unlink(&e.head, t)
	e.live--
}

// link puts t in front of a list, unlink takes it out.
func (e *Engine) link(list *uint32, t *Task) {
	t.prev, t.next = 0, *list
	if *list != 0 {
		e.Body(*list).prev = t.self
	}
	*list = t.self
}

func (e *Engine) unlink(list *uint32, t *Task) {
	if t.prev != 0 {
		e.Body(t.prev).next = t.next
	} else {
		*list = t.next
	}
	if t.next != 0 {
		e.Body(t.next).prev = t.prev
	}
}

// Live returns the number of tasks that run.
func (e *Engine) Live() uint32 { return e.live }

// Quiet reports whether the one task that runs is alone.
//
//go:nosplit
func (e *Engine) Quiet() bool { return e.quiet }

// Running returns the index of the first task that runs, and Resting of the first task that
// rests; NextTask, of the one behind t in the list that t is in; 0 is none.
func (e *Engine) Running() uint32         { return e.head }
func (e *Engine) Resting() uint32         { return e.resting }
func (e *Engine) NextTask(t *Task) uint32 { return t.next }

// Settle finds out whether the only task that runs is alone now.
func (e *Engine) Settle() {
	if e.live != 1 || e.Unjoined != 0 || e.quiet {
		return
	}
	t := e.Body(e.head)
	e.quiet = true
	algSettled(e, t)
	t.Hide()
}

//go:nosplit
func (t *Task) headWord() uintptr { return uintptr(unsafe.Pointer(t)) + unsafe.Offsetof(t.okw) }

// Hide makes t, which need not have an engine, a task whose accesses all are covered.
//
//go:nosplit
func (t *Task) Hide() {
	t.base, t.mask = t.headWord(), 0
}

// loud ends the time of being alone.
func (e *Engine) loud() {
	e.quiet = false
	for i := e.head; i != 0; i = e.Body(i).next {
		t := e.Body(i)
		t.base, t.mask = e.shadow.Base, e.mask
	}
}

// Alone reports whether accesses by t need not be made known at present.
//
//go:nosplit
func (e *Engine) Alone(t *Task) bool { return t.mask == 0 || t.background }

// Background reports whether SetBackground was called for t.
func (t *Task) Background() bool { return t.background }

// SetBackground says that t is the host's own and makes no accesses.
func (e *Engine) SetBackground(t *Task) {
	t.background = true
	t.Hide()
	e.part(t)
	e.rest(t)
	e.Settle()
}

// SetForeground says that a task of the host's begins to run code of the program, in no
// order with the other tasks. Serial execution has no place for it: its accesses stay
// unseen.
func (e *Engine) SetForeground(t *Task) {}

// Lend says that t does nothing but wait for the task that was forked last, its child,
// until TakeBack.
func (e *Engine) Lend(t *Task) {
	if !t.Lent && t.running {
		t.Lent = true
		e.part(t)
		e.rest(t)
		e.Settle()
	}
}

// Lends reports whether Lend would do something.
func (e *Engine) Lends(t *Task) bool { return !t.Lent && t.running }

// Acquired reports whether Acquire of an algorithm would do nothing.
//
//go:nosplit
func (e *Engine) Acquired(t *Task, addr uintptr) bool { return e.quiet && !t.Lent }

// TakeBack ends the effect of Lend.
func (e *Engine) TakeBack(t *Task) {
	if t.Lent {
		t.Lent = false
		e.unrest(t)
		e.Enter(t)
		e.Settle()
	}
}

// rest puts t, which is the host's or has lent its place, into the list of tasks that rest.
func (e *Engine) rest(t *Task) {
	if t.resting {
		return
	}
	t.resting = true
	e.link(&e.resting, t)
}

// unrest takes t out of that list.
func (e *Engine) unrest(t *Task) {
	if !t.resting {
		return
	}
	t.resting = false
	e.unlink(&e.resting, t)
}

// forget makes all that was recorded count as nothing; t is alone. The numbers of units and
// of lists of readers go on, so that those in the shadow belong to nobody.
func (e *Engine) forget(t *Task) {
	e.Dirty = false
	e.Taken = 0
	// Renewed descriptions are written over old ones, so all are read first.
	var kept [maxResting]Info
	n := 0
	for i := e.resting; i != 0 && n < maxResting; i = e.Body(i).next {
		kept[n] = *algInfoOf(e, e.Body(i).ID)
		n++
	}
	own := *algInfoOf(e, t.ID)
	if readerLists {
		e.forgetLists()
	}
	algRestart(e)
	e.renew(t, own)
	n = 0
	for i := e.resting; i != 0; i = e.Body(i).next {
		var old Info // a task beyond those kept loses its name
		if n < maxResting {
			old = kept[n]
			n++
		}
		e.renew(e.Body(i), old)
	}
}

// renew gives t another identity: the one that it has belongs to the time before a forget.
func (e *Engine) renew(t *Task, old Info) {
	old.Parent, old.Kids = 0, 0
	algRenew(e, t, old)
	t.Act++
	if t.mask == 0 {
		t.Hide()
	}
}

// maxResting is how many tasks that rest are known by name after a forget.
const maxResting = 32

// ClearShadow empties the shadow, so that the numbers of units may begin again.
func (e *Engine) ClearShadow() {
	for i := uint32(1); i < e.chunks.Next; i++ {
		p := unsafe.Pointer(e.chunk(i))
		mem.Release(p, chunkBytes)
		mem.Clear(unsafe.Pointer(e.line(uintptr(p)-e.shadow.Base)), chunkBytes/lineBytes*lineSize)
	}
	e.cells.Restart()
	e.lockers.Restart()
	if readerLists {
		e.listBase, e.nextList, e.freeReader = 1, 1, 0
		e.listed = [listMemos]uint32{}
	}
}
