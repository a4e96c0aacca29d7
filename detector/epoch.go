package detector

import "unsafe"

// An epoch represents all that a task did up to a step, with everything that preceded it.
// It holds references to the task's clocks at that step, which describe the latter. Task 0
// is a task that no access names any more.
type epoch struct {
	next       uint32
	task       uint32
	step       uint32
	weak       uint32
	hb         uint32
	weakChange clockChange // Task.weakChange
	hbChange   clockChange
	born       uint32 // object.version at its entry, in lists of general
}

// An epochList is a set of epochs, at most one for each task.
type epochList struct {
	head  uint32
	n     uint32
	limit uint32 // the length at which compaction is due
}

func (e *Engine) epoch(i uint32) *epoch {
	return (*epoch)(unsafe.Add(nil, e.epochs.base+uintptr(i)*unsafe.Sizeof(epoch{})))
}

const compactFloor = 4

// present returns t's present epoch, as a copy that owns no clocks.
func (e *Engine) present(t *Task) epoch {
	return epoch{task: t.id, step: t.step, weak: t.weak, hb: t.hb, weakChange: t.weakChange, hbChange: t.hbChange}
}

// fill makes p the present epoch of t.
func (e *Engine) fill(t *Task, p *epoch) {
	if p.weak != t.weak || p.hb != t.hb {
		weak, hb := p.weak, p.hb
		p.weak, p.hb = t.weak, t.hb
		e.holdClock(t.weak)
		if t.hb != t.weak {
			e.holdClock(t.hb)
		}
		e.dropClocks(t, weak, hb)
	}
	p.task = t.id
	p.step = t.step
	p.weakChange, p.hbChange = t.weakChange, t.hbChange
}

// newEpoch adds an epoch of t without clocks in front of l.
func (e *Engine) newEpoch(t *Task, l *epochList) *epoch {
	i := t.proc().epochs.get(&e.epochs)
	p := e.epoch(i)
	*p = epoch{next: l.head}
	l.head = i
	l.n++
	return p
}

// freeEpoch frees epoch i, which is in no list. t may be nil.
func (e *Engine) freeEpoch(t *Task, i uint32) {
	p := e.epoch(i)
	e.dropClocks(t, p.weak, p.hb)
	if t == nil {
		e.epochs.put(i)
	} else {
		t.proc().epochs.put(&e.epochs, i)
	}
}

// setOnly makes t's present epoch the only one of l.
func (e *Engine) setOnly(t *Task, l *epochList) {
	if l.n > 1 {
		rest := epochList{head: e.epoch(l.head).next, n: l.n - 1}
		e.clearEpochs(t, &rest)
		l.n = 1
		e.epoch(l.head).next = 0
	}
	if l.n == 0 {
		e.newEpoch(t, l)
	}
	e.fill(t, e.epoch(l.head))
	l.limit = compactFloor
}

// addEpoch adds t's present epoch to l. If l has doubled since its last compaction, it
// first drops the epochs that precede t, which t's own epoch implies. So a list stays
// proportional to the number of mutually unordered tasks.
func (e *Engine) addEpoch(t *Task, l *epochList) {
	if l.n >= l.limit {
		e.compactEpochs(t, l)
		l.limit = 2*l.n + compactFloor
	}
	if l.n > 0 {
		if p := e.epoch(l.head); p.task == t.id {
			e.fill(t, p)
			return
		}
	}
	e.fill(t, e.newEpoch(t, l))
}

// compactEpochs drops the epochs of l that precede t.
func (e *Engine) compactEpochs(t *Task, l *epochList) {
	link := &l.head
	for *link != 0 {
		i := *link
		p := e.epoch(i)
		if p.task != 0 && !e.beforeWeak(t, p.task, p.step) ||
			p.task == 0 && !(e.knows(t, p.weak, false) && e.knows(t, p.hb, true)) {
			link = &p.next
			continue
		}
		*link = p.next
		l.n--
		e.freeEpoch(t, i)
	}
}

// clearEpochs empties l. t may be nil.
func (e *Engine) clearEpochs(t *Task, l *epochList) {
	for l.head != 0 {
		i := l.head
		l.head = e.epoch(i).next
		e.freeEpoch(t, i)
	}
	l.n = 0
	l.limit = 0
}
