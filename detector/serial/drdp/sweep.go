package drdp

// Sweep gives back everything that nothing leads to: steps that no entry or cell names, tasks
// that no step, join or object names, and the joins of these tasks. Entries about steps that
// precede all running tasks become empty.
func (e *Engine) Sweep() uint64 {
	e.queued = 0
	e.answers = [answers]answer{}
	e.BeginSweep()
	sweep := e.Sweeps()
	for i := uint32(1); i < e.Bodies(); i++ {
		if t := e.Body(i); e.IsTask(i) {
			e.stepOf(t.Unit).mark = sweep
			e.keepTask(t.ID)
			e.keepTask(e.infoOf(t.ID).pending)
			e.SweepTask(t)
		}
	}
	e.sweepObjects()
	for e.queued > 0 {
		id, _ := e.dequeue()
		n := e.infoOf(id)
		e.MarkInfo(&n.Info)
		e.keepTask(n.Parent)
		e.keepTask(n.to)
		for i := n.joins; i != 0; i = e.joinAt(i).older {
			e.keepTask(e.joinAt(i).task)
		}
	}
	e.keepHeirs()
	e.Kept = 0
	e.freeStep = 0
	for i := e.nextStep - 1; i >= e.Base; i-- {
		if s := e.stepOf(i); s.mark == sweep && s.task != 0 {
			e.Kept++
		} else {
			*s = step{mark: e.freeStep}
			e.freeStep = i
		}
	}
	e.freeInfo = 0
	for i := e.infos.Next - 1; i > 0; i-- {
		switch n := e.infoOf(i); {
		case n.Mark == sweep:
			e.Kept++
		default:
			for j := n.joins; j != 0; {
				older := e.joinAt(j).older
				e.joins.Add(j)
				j = older
			}
			e.dropInfo(i)
		}
	}
	kept := e.EndSweep()
	for _, a := range e.tables() {
		a.Swept()
	}
	e.answers = [answers]answer{}
	return kept
}

// keepTask marks a task, or 0, and puts it into the queue of tasks whose past is to be marked.
func (e *Engine) keepTask(id uint32) {
	if id != 0 && e.infoOf(id).Mark != e.Sweeps() {
		e.infoOf(id).Mark = e.Sweeps()
		e.enqueue(id, 0)
	}
}

// Keep marks a step that an entry names.
func (e *Engine) Keep(id uint32) {
	if id < e.Base {
		return
	}
	if s := e.stepOf(id); s.mark != e.Sweeps() {
		s.mark = e.Sweeps()
		e.keepTask(s.task)
	}
}

// sweepObjects marks the tasks that points of objects name, and drops the points of objects
// that precede all running tasks: joining them has no effect.
func (e *Engine) sweepObjects() {
	for s := uintptr(0); s < objectSlots; s++ {
		l := e.slots.At32(s)
		for *l != 0 {
			i := *l
			o := e.objectAt(i)
			if o.joiner != 0 && e.infoOf(o.joiner).Mark != e.Sweeps() {
				o.joiner = 0
			}
			old := true
			for p := o.points; p != 0 && old; p = e.pointAt(p).older {
				old = e.placeBehindAll(e.pointAt(p).task, e.pointAt(p).at)
			}
			if old {
				e.dropPoints(o)
				*l = o.next
				*o = object{}
				e.objects.Add(i)
				continue
			}
			for p := o.points; p != 0; p = e.pointAt(p).older {
				e.keepTask(e.pointAt(p).task)
			}
			l = &o.next
		}
	}
}

// maxCompared is how many tasks may run for placeBehindAll to compare with them.
const maxCompared = 64

// placeBehindAll reports whether forks, links and heirs put a place in front of all tasks that
// run or have lent their place.
func (e *Engine) placeBehindAll(task, at uint32) bool {
	if e.Live() > maxCompared {
		return false
	}
	for i := e.Running(); i != 0; i = e.NextTask(e.Body(i)) {
		if !e.behindTask(task, at, e.Body(i)) {
			return false
		}
	}
	for i := e.Resting(); i != 0; i = e.NextTask(e.Body(i)) {
		if t := e.Body(i); !t.Background() && !e.behindTask(task, at, t) {
			return false
		}
	}
	return true
}

func (e *Engine) behindTask(task, at uint32, t *Task) bool {
	return e.quickly(task, at, t) || e.inherited(task, at, t)
}

// keepHeirs replaces heirs that are given up by their heirs.
func (e *Engine) keepHeirs() {
	for i := uint32(1); i < e.infos.Next; i++ {
		n := e.infoOf(i)
		if n.Mark != e.Sweeps() {
			continue
		}
		heir, at := n.heir, n.heirAt
		for heir != 0 && e.infoOf(heir).Mark != e.Sweeps() {
			h := e.infoOf(heir)
			if h.heirSeq < at {
				heir = 0
				break
			}
			heir, at = h.heir, h.heirAt
		}
		// All on the way get the same, so that it is gone once.
		for k := n; k.heir != heir && k.heir != 0; {
			h := e.infoOf(k.heir)
			k.heir, k.heirAt = heir, at
			if heir == 0 {
				k.heirSeq = 0
			}
			if h.Mark == e.Sweeps() {
				break
			}
			k = h
		}
	}
}

// BehindAll is placeBehindAll for a step, or 0. During a sweep the table of answers, which the
// sweep empties, remembers its results.
func (e *Engine) BehindAll(id uint32) bool {
	if id < e.Base {
		return true
	}
	const sweep = 1<<32 - 1 // no task
	a := e.answer(id, sweep)
	if a.step != id || a.task != sweep {
		s := e.stepOf(id)
		*a = answer{step: id, task: sweep}
		if !e.placeBehindAll(s.task, s.seq) {
			a.not = 1
		}
	}
	return a.not == 0
}
