package drdp

import "taskinstr/detector/serial"

// A join is an element of a task's list of joins, the newest first: in step seq the task has
// joined a place, which precedes it from then on.
//
// In a join of the tree an ancestor joins everything that an ended task has done; then the
// link of the joined task says that its steps precede the step of the ancestor. Bags of
// tasks that a finish scope has joined are chains of links. Such a join needs an element
// only if the joined task was forked behind, or has joined, a place that does not precede the
// ancestor otherwise.
type join struct {
	older uint32 // also the link of the free chain
	seq   uint32
	task  uint32 // the place
	at    uint32
	time  uint32
}

func (e *Engine) joinAt(i uint32) *join { return (*join)(e.joins.At(i)) }

// join makes a place precede the next step of t.
func (e *Engine) join(t *Task, task, at uint32) {
	if task == t.ID {
		return
	}
	n, x := e.infoOf(t.ID), e.infoOf(task)
	x.take(e, at)
	e.mark(t)
	e.Dirty = true
	if e.quickly(task, at, t) {
		e.counts.Ordered++
		return
	}
	known := e.inherited(task, at, t)
	if at > x.heirSeq {
		x.heir, x.heirSeq, x.heirAt = t.ID, at, n.seq
	}
	e.epoch++
	stateOf(t).epoch = e.epoch
	below := e.below(task, t.ID)
	if below && x.to == 0 && x.Flags&serial.HasEnded != 0 && x.last <= at {
		e.link(x, at, t.ID, n.seq)
		e.counts.TreeJoins++
		if e.pure(x, t) {
			return
		}
	} else if known {
		e.counts.Ordered++
		return
	} else {
		e.counts.Joins++
		if below && x.to == 0 && x.Flags&serial.HasEnded == 0 {
			x.pending, x.pendingAt, x.pendingOf = t.ID, n.seq, at
		}
	}
	i := e.joins.Take()
	*e.joinAt(i) = join{older: n.joins, seq: n.seq, task: task, at: at, time: e.tick()}
	n.joins = i
}

// take notes that a place has been joined.
func (n *info) take(e *Engine, at uint32) {
	n.taken = max(n.taken, at)
	if n.Flags&infoLoose != 0 && n.last <= n.taken {
		n.Flags &^= infoLoose
		e.Unjoined--
	}
}

func (e *Engine) link(x *info, at, to, seq uint32) {
	x.to, x.linkSeq, x.toSeq = to, at, seq
}

// pure reports whether everything that precedes the first step of x, a task that t joins,
// precedes t by links and forks alone, and x has joined nothing.
func (e *Engine) pure(x *info, t *Task) bool {
	return x.joins == 0 && (x.Parent == t.ID || x.Parent == 0 || e.quickly(x.Parent, x.fork, t))
}

// late makes a join of a task that was about to end one of the tree.
func (e *Engine) late(id uint32) {
	x := e.infoOf(id)
	if x.pending == 0 || x.last > x.pendingOf || x.to != 0 {
		return
	}
	n := e.infoOf(x.pending)
	e.link(x, x.pendingOf, x.pending, x.pendingAt)
	e.counts.TreeJoins++
	e.counts.Joins--
	i := n.joins
	if n.seq != x.pendingAt || i == 0 || e.joinAt(i).task != id || x.joins != 0 || x.Parent != x.pending {
		return
	}
	n.joins = e.joinAt(i).older
	e.joins.Add(i)
}

// below reports whether task x descends from task id.
func (e *Engine) below(x, id uint32) bool {
	d := e.infoOf(id).depth
	for x != 0 && e.infoOf(x).depth > d {
		x = e.infoOf(x).Parent
	}
	return x == id
}
