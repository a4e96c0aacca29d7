package parallel

import "taskinstr/detector/mem"

// While one task is alone, its accesses need no records: every recorded access precedes
// it, and every later task follows it, because that task is forked by this one or by a
// descendant of it. A task is alone while no other task lives and all ended tasks have
// been joined.
//
// Engine.others counts the live tasks less one. It changes with each fork and each end, so an access looks at Engine.crowded first:
// there are others as long as that is 1, or there were until a moment ago. Engine.joined says that all accesses of the tasks that
// have ended precede the only live one, in the weak order as well. That is looked for, in all slots,
// when others has become 0 and when the task has acquired something since (recheck).
//
// A task in a critical section is not alone, because a later section may have to be
// ordered after the end of this one.

// For the same reason no later access races with a recorded one. So when a task that is
// alone forks, the engine forgets all history: the next phase of a fork-join program
// starts with an empty shadow, whose words are equal again. This costs a visit to each
// block touched since the last time. A later critical section need not be ordered after a
// forgotten one, because the forgotten one precedes it.

// A task may lend its place to a child that it has just forked, as a test does to a
// subtest: the task only waits until the child lets it continue. All it has done precedes
// the child, and all it will do follows the child's work until then, so the task does not
// count as another task meanwhile.

// Lend announces that t, which has just forked, makes no access until it acquires a
// release of its child or of a descendant of that child.
func (e *Engine) Lend(t *Task) {
	if !t.lent {
		t.lent = true
		e.decOthers()
	}
}

// takeBack ends a loan of t (see Lend). It is called before t acquires, forks or ends.
//
//go:nosplit
func (e *Engine) takeBack(t *Task) {
	if t.lent {
		t.lent = false
		e.incOthers()
	}
}

// Alone reports whether the engine may skip accesses by t at present.
//
//go:nosplit
func (e *Engine) Alone(t *Task) bool {
	return (mem.Load32(&e.crowded) == 0 && mem.Load32(&e.others) == 0 || t.lent) && e.skips(t)
}

// skips is Alone for a task without others, or that has lent its place.
//
//go:nosplit
func (e *Engine) skips(t *Task) bool {
	return t.nHolds == 0 && !t.background &&
		(t.lent || mem.Load32(&e.joined) != 0 || e.recheck != 0 && e.checkJoined(t))
}

// checkJoined looks whether all accesses of tasks that have ended precede t, the only other task.
//
//go:nosplit
func (e *Engine) checkJoined(t *Task) bool {
	e.recheck = 0
	for i := uint32(0); i < e.nslots; i++ {
		if s := e.slotAt(i); s.cover != 0 && e.stepIn(t.weak, i) < s.cover {
			return false
		}
	}
	mem.Store32(&e.joined, 1)
	return mem.Load32(&e.others) == 0
}

// incOthers counts a further task beside the one that is alone.
//
//go:nosplit
func (e *Engine) incOthers() {
	mem.Add32(&e.others, 1)
	if mem.Load32(&e.crowded) == 0 {
		mem.Store32(&e.crowded, 1)
	}
}

// decOthers takes a task out of Engine.others. Its accesses may not be joined yet.
func (e *Engine) decOthers() {
	mem.Store32(&e.joined, 0)
	if mem.Add32(&e.others, ^uint32(0)) == 0 {
		e.lookAgain()
	}
}

// lookAgain makes the next access of the only live task look whether it is alone. A fork meanwhile may leave Engine.crowded at 0, which
// is harmless, since Engine.others decides.
//
//go:nosplit
func (e *Engine) lookAgain() {
	e.recheck = 1
	mem.Store32(&e.crowded, 0)
}

// endOfTouched ends the list of blocks that may have history.
const endOfTouched = ^uint32(0)

// touch puts b, which is locked and about to get history, on the list of touched blocks.
func (e *Engine) touch(b *block) { prepend(&e.touched, &b.next, e.indexOf(b)) }

// prepend puts element i, whose link is next, on the list that begins at head and on which other tasks put elements, too.
func prepend(head, next *uint32, i uint32) {
	for {
		*next = mem.Load32(head)
		if mem.Cas32(head, *next, i) {
			return
		}
	}
}

// forgetAll drops all history and keeps the sync objects. No task makes accesses
// meanwhile.
func (e *Engine) forgetAll() {
	i := mem.Load32(&e.touched)
	mem.Store32(&e.touched, endOfTouched)
	for i != endOfTouched {
		b := e.block(i)
		mem.LockSeq(&b.mu)
		i, b.next = b.next, 0
		if b.page != 0 {
			e.setPage(b, 0)
		}
		b.n = 0
		e.unlockSeq(&b.mu)
	}
}
