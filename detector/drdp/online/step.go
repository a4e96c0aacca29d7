package online

// A step is a run of one task between two moments that it leaves something behind at: a
// fork or a release. What a task takes over in the meantime does not end a step: the
// accesses in front of it precede the same as those behind it.
type step struct {
	task uint32
	seq  uint32
	time uint32 // of the engine's clock, when it began
	mark uint32 // also the link of the free chain
}

//go:nosplit
func (e *Engine) stepOf(id uint32) *step { return (*step)(e.steps.at(id - e.base)) }

// newStepID returns the number of a step. They begin at e.base, the table at 0.
func (e *Engine) newStepID() uint32 {
	e.taken++
	if i := e.freeStep; i != 0 {
		e.freeStep = e.stepOf(i).mark
		return i
	}
	if e.nextStep == isList-1 {
		hostExhausted("steps")
	}
	e.nextStep++
	return e.nextStep - 1
}

func (e *Engine) dropStep(id uint32) {
	*e.stepOf(id) = step{mark: e.freeStep}
	e.freeStep = id
	e.taken--
}

// newStep ends the present step of t. One without an access lives on, with another
// number in its task.
func (e *Engine) newStep(t *Task) {
	n := e.infoOf(t.id)
	if n.seq++; t.used {
		e.count(t)
		e.beginStep(t)
		return
	}
	s := e.stepOf(t.step)
	s.seq, s.time = n.seq, e.clock
	t.forgetStep()
}

// count takes note of a step that has made an access and ends.
func (e *Engine) count(t *Task) { e.counts.Steps++ }

// beginStep begins a step of t.
func (e *Engine) beginStep(t *Task) {
	n := e.infoOf(t.id)
	if n.seq == 0 {
		n.seq = 1
	}
	t.step, t.used = e.newStepID(), false
	*e.stepOf(t.step) = step{task: t.id, seq: n.seq, time: e.clock}
	t.okw, t.own = word(t.step, 0, full), word(0, t.step, full)
	t.forgetStep()
}

// forgetStep forgets what holds until the end of a step, or the next sweep.
//
//go:nosplit
func (t *Task) forgetStep() {
	t.okr = t.own
	t.clean[Read].from, t.clean[Write].from = noEntry, noEntry
	if t.noted || t.noop[0] == 0 {
		t.noted = false
		t.noop = [noops]uint64{noEntry} // an empty entry, which would be in the first slot, is none
	}
}

// mark notes that the present step of t has something that others may be ordered behind.
//
//go:nosplit
func (e *Engine) mark(t *Task) {
	n := e.infoOf(t.id)
	n.last = n.seq
}

// tick moves the clock. It stands still when its numbers are used up: then nothing is
// taken to be older than anything.
func (e *Engine) tick() uint32 {
	if e.clock+1 != 0 {
		e.clock++
	}
	return e.clock
}
