package detector

// While one task is alone, its accesses need no records: all that was recorded
// precedes it, and all that is still to come will follow, because it is forked by
// this task or by one that was. That is so while no other task is alive and those
// that have ended were waited for. It is kept as a count, Engine.others: of the
// tasks alive, less one, and of the tasks that ended with something that no join
// record covers, called loose. A task owes what it has recorded itself and what
// was joined to it, so to be covered by a chain of join records that ends at the
// only task alive is to precede its present, in the weak order as well.
//
// A critical section is excluded, since a later one may have to be ordered after
// its end.

// For the same reason nobody will race with what was recorded before. So when the
// task that is alone forks, all history is forgotten: the next phase of a program
// that forks and joins begins with an empty shadow, whose words are equal. It
// costs a look at each block that has been touched since the last time. A later
// critical section need not be ordered after the end of one that is forgotten,
// because it is.

// A task may also lend its place to the child that it has just forked, as a test does
// to a subtest: it does nothing but wait until the child lets it go on. All that it has
// done precedes the child, and all that it will do follows what the child does until
// then, so that it does not count meanwhile.

// Lend says that t, which has just forked, does nothing of interest until it acquires
// what its child, or a task forked by that, has released since.
func (e *Engine) Lend(t *Task) {
	if !t.lent {
		t.lent = true
		e.fewer()
	}
}

// takeBack is called before t acquires.
//
//go:nosplit
func (e *Engine) takeBack(t *Task) {
	if t.lent {
		t.lent = false
		add32(&e.others, 1)
	}
}

// Alone reports whether accesses by t need not be made known at present.
//
//go:nosplit
func (e *Engine) Alone(t *Task) bool {
	return (load32(&e.others) == 0 || t.lent) && t.nHolds == 0 && !t.background
}

// States of taskInfo.loose.
const (
	looseNot = iota
	loose
	looseNoMore
)

// leave takes t, which ends, out of the others unless it owes something.
func (e *Engine) leave(t *Task, n *taskInfo) {
	if t.background {
		return
	}
	if t.owes != 0 {
		n.owes = t.owes
		store32(&n.loose, loose)
		e.settle(n)
		return
	}
	e.fewer()
}

// settle is called for an ended task, or for one that was joined.
func (e *Engine) settle(n *taskInfo) {
	if load32(&n.loose) == loose && n.owes <= load32(&n.joinStep) {
		e.forgive(n)
	}
}

// forgive says that what n owed precedes all tasks or is covered.
func (e *Engine) forgive(n *taskInfo) {
	if cas32(&n.loose, loose, looseNoMore) {
		e.fewer()
	}
}

func (e *Engine) fewer() { add32(&e.others, ^uint32(0)) }

// endOfTouched ends the list of blocks that may have history.
const endOfTouched = ^uint32(0)

// touch puts b, which is locked and about to have history, on the list.
func (e *Engine) touch(b *block) {
	i := e.indexOf(b)
	for {
		b.next = load32(&e.touched)
		if cas32(&e.touched, b.next, i) {
			return
		}
	}
}

// forgetAll empties the shadow, sync objects excepted. Nobody makes accesses
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
