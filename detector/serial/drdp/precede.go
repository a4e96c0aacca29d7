package drdp

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// An answer of Parallel. That a step precedes a task stays so; that it does not, until
// the task's next join.
type answer struct {
	step, task uint32
	not        uint32 // state.epoch when the step did not precede; 0: it does
}

const answers = 1 << 12

//go:nosplit
func (e *Engine) answer(step, task uint32) *answer {
	return &e.answers[(step^task*0x9e37)%answers]
}

// Precedes reports whether a step is known to precede t.
//
//go:nosplit
func (e *Engine) Precedes(t *Task, step uint32) bool {
	if step < e.Base || step == t.Unit || e.stepOf(step).task == t.ID {
		return true
	}
	a := e.answer(step, t.ID)
	return a.step == step && a.task == t.ID && a.not == 0
}

// Parallel reports whether a step, or 0, may run in parallel with the present one of t.
func (e *Engine) Parallel(t *Task, step uint32) bool {
	if e.Precedes(t, step) {
		return false
	}
	e.counts.Checks++
	a := e.answer(step, t.ID)
	if a.step == step && a.task == t.ID && a.not == stateOf(t).epoch {
		return true
	}
	s := e.stepOf(step)
	ok := e.quickly(s.task, s.seq, t) || e.inherited(s.task, s.seq, t) || e.search(s, t)
	*a = answer{step: step, task: t.ID}
	if !ok {
		a.not = stateOf(t).epoch
	}
	return !ok
}

// quickly reports whether forks and links alone put a place in front of t: procedure
// PRECEDE without its search.
func (e *Engine) quickly(task, at uint32, t *Task) bool {
	for {
		n := e.infoOf(task)
		if task == t.ID || n.Flags&infoOver == 0 && e.forked(task, at, t) {
			return true
		}
		if n.to == 0 || n.linkSeq < at {
			return false
		}
		task, at = n.to, n.toSeq
	}
}

// inherited reports whether heirs put a place in front of t. A task has one heir, of
// many that may have joined it, so that only a yes is an answer. On the way heirs are
// replaced by theirs, as in disjoint sets.
func (e *Engine) inherited(task, at uint32, t *Task) bool {
	for !e.NoHeirs {
		n := e.infoOf(task)
		if task == t.ID || n.Flags&infoOver == 0 && e.forked(task, at, t) {
			return true
		}
		if n.heirSeq < at {
			return false
		}
		if h := e.infoOf(n.heir); h.heirSeq >= n.heirAt && h.Flags&infoOver != 0 {
			n.heir, n.heirAt = h.heir, h.heirAt
		}
		task, at = n.heir, n.heirAt
	}
	return false
}

// forked reports whether task has forked t, or a task that t descends from, behind step at.
func (e *Engine) forked(task, at uint32, t *Task) bool {
	d := e.infoOf(task).depth
	n := e.infoOf(t.ID)
	if n.depth <= d {
		return false
	}
	for n.depth > d+1 {
		if n.Parent == 0 {
			return false
		}
		n = e.infoOf(n.Parent)
	}
	return n.Parent == task && n.fork >= at
}

// search reports whether one of the places that a step is linked to precedes t, by joins of
// any kind. It visits the places that precede t, breadth-first, the newest joins first, and
// skips joins and forks that happened before the step.
func (e *Engine) search(s *step, t *Task) bool {
	e.counts.Searches++
	if e.round++; e.round == 0 {
		e.forgetStamps()
	}
	for task, at := s.task, s.seq; ; {
		n := e.infoOf(task)
		n.needStamp, n.needSeq = e.round, at
		if n.to == 0 || n.linkSeq < at {
			break
		}
		task, at = n.to, n.toSeq
	}
	e.queued = 0
	e.enqueue(t.ID, e.infoOf(t.ID).seq)
	for first := uint32(0); first < e.queued; first++ {
		p := e.queueAt(first)
		task, at := p.task, p.at
		n := e.infoOf(task)
		old := uint32(0)
		if n.stamp == e.round {
			if old = n.reach; old >= at {
				continue
			}
		}
		n.stamp, n.reach = e.round, at
		e.counts.Visited++
		if n.needStamp == e.round && at >= n.needSeq {
			return true
		}
		for i := n.joins; i != 0; {
			j := e.joinAt(i)
			if j.time < s.time || j.seq <= old {
				break
			}
			if j.seq <= at {
				e.enqueue(j.task, j.at)
			}
			i = j.older
		}
		if n.Parent != 0 && n.forkTime >= s.time {
			e.enqueue(n.Parent, n.fork)
		}
	}
	return false
}

// A place is a task and one of its steps: everything that the task has done up to that step.
type place struct{ task, at uint32 }

func (e *Engine) queueAt(i uint32) *place {
	return (*place)(unsafe.Add(nil, e.queue.Base+uintptr(i)*unsafe.Sizeof(place{})))
}

func (e *Engine) enqueue(task, at uint32) {
	if e.queued == maxQueue {
		mem.Exhausted("places to be searched")
	}
	*e.queueAt(e.queued) = place{task, at}
	e.queued++
}

func (e *Engine) dequeue() (task, at uint32) {
	e.queued--
	p := e.queueAt(e.queued)
	return p.task, p.at
}

// forgetStamps is called when the numbers of searches begin again: old ones could be
// taken for new ones.
func (e *Engine) forgetStamps() {
	for i := uint32(1); i < e.infos.Next; i++ {
		n := e.infoOf(i)
		n.stamp, n.needStamp = 0, 0
	}
	e.round = 1
}
