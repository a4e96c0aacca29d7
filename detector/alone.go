package detector

// While one task is alone, its accesses need no records: every recorded access precedes
// it, and every later task follows it, because that task is forked by this one or by a
// descendant of it. A task is alone while no other task lives and all ended tasks have
// been joined.
//
// Engine.others counts the obstacles: the live tasks less one, and the ended tasks that
// made accesses or joins which no join record covers yet (joinAwaited). A task's
// coverStep is the last step in which it recorded an access or joined another task. A
// chain of join records from that step to the only live task shows that all of it
// precedes that task's present, in the weak order as well.
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
		add32(&e.others, 1)
	}
}

// Alone reports whether the engine may skip accesses by t at present.
//
//go:nosplit
func (e *Engine) Alone(t *Task) bool {
	return (load32(&e.others) == 0 || t.lent) && t.nHolds == 0 && !t.background
}

// States of taskInfo.joinState.
const (
	joinNotAwaited = iota
	joinAwaited
	joinDone
)

// leaveOthers takes t, which ends, out of Engine.others unless a join record must still
// cover steps of it.
func (e *Engine) leaveOthers(t *Task, n *taskInfo) {
	if t.background {
		return
	}
	if t.coverStep != 0 {
		n.coverStep = t.coverStep
		store32(&n.joinState, joinAwaited)
		e.checkJoined(n)
		return
	}
	e.decOthers()
}

// checkJoined takes the ended task of n out of Engine.others if its join record covers
// all that it must. It is called when a task ends and when a join record grows.
func (e *Engine) checkJoined(n *taskInfo) {
	if load32(&n.joinState) == joinAwaited && n.coverStep <= load32(&n.joinStep) {
		e.endWait(n)
	}
}

// endWait takes an ended task out of Engine.others, if it counts there.
func (e *Engine) endWait(n *taskInfo) {
	if cas32(&n.joinState, joinAwaited, joinDone) {
		e.decOthers()
	}
}

func (e *Engine) decOthers() { add32(&e.others, ^uint32(0)) }

// endOfTouched ends the list of blocks that may have history.
const endOfTouched = ^uint32(0)

// touch puts b, which is locked and about to get history, on the list of touched blocks.
func (e *Engine) touch(b *block) {
	i := e.indexOf(b)
	for {
		b.next = load32(&e.touched)
		if cas32(&e.touched, b.next, i) {
			return
		}
	}
}

// forgetAll drops all history and keeps the sync objects. No task makes accesses
// meanwhile.
func (e *Engine) forgetAll() {
	i := load32(&e.touched)
	store32(&e.touched, endOfTouched)
	for i != endOfTouched {
		b := e.block(i)
		lockSeq(&b.mu)
		i, b.next = b.next, 0
		if b.page != 0 {
			e.dropPage(b)
		}
		b.n = 0
		e.unlockSeq(&b.mu)
	}
}
