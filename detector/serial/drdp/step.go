package drdp

import (
	"unsafe"

	"taskinstr/detector/mem"
	"taskinstr/detector/serial"
)

// A step is a run of one task between two forks or releases. A join does not end a step: the
// accesses in front of it and behind it precede the same accesses of other tasks.
type step struct {
	task uint32
	seq  uint32
	time uint32 // of the engine's clock, when it began
	mark uint32 // also the link of the free chain
}

//go:nosplit
func (e *Engine) stepOf(id uint32) *step {
	return (*step)(unsafe.Add(nil, e.steps.Base+uintptr(id-e.Base)*unsafe.Sizeof(step{})))
}

// newStepID returns the number of a step. They begin at e.Base, the table at 0.
func (e *Engine) newStepID() uint32 {
	e.Taken++
	if i := e.freeStep; i != 0 {
		e.freeStep = e.stepOf(i).mark
		return i
	}
	if e.nextStep == maxSteps {
		mem.Exhausted("steps")
	}
	e.nextStep++
	return e.nextStep - 1
}

func (e *Engine) dropStep(id uint32) {
	*e.stepOf(id) = step{mark: e.freeStep}
	e.freeStep = id
	e.Taken--
}

// newStep ends the present step of t. One without an access lives on, with another
// number in its task.
func (e *Engine) newStep(t *Task) {
	n := e.infoOf(t.ID)
	if n.seq++; stateOf(t).used {
		e.counts.Steps++
		e.beginStep(t)
		return
	}
	s := e.stepOf(t.Unit)
	s.seq, s.time = n.seq, e.clock
	t.ForgetStep(serial.NoEntry)
}

// beginStep begins a step of t.
func (e *Engine) beginStep(t *Task) {
	n := e.infoOf(t.ID)
	if n.seq == 0 {
		n.seq = 1
	}
	t.SetUnit(e.newStepID())
	stateOf(t).used = false
	*e.stepOf(t.Unit) = step{task: t.ID, seq: n.seq, time: e.clock}
	t.ForgetStep(serial.NoEntry)
}

// mark notes that the present step of t has an access or a join, which makes order matter.
//
//go:nosplit
func (e *Engine) mark(t *Task) {
	n := e.infoOf(t.ID)
	n.last = n.seq
}

// tick advances the clock. The clock stands still when its numbers are used up: then nothing
// counts as older than anything else.
func (e *Engine) tick() uint32 {
	if e.clock+1 != 0 {
		e.clock++
	}
	return e.clock
}
