package parallel

import "taskinstr/detector/mem"

// PushFrame returns the id of the stack in which pc was called from stack parent; 0 is
// the empty stack. t may use the id in Access and Fork until the next Sweep, which
// changes t.Act.
func (e *Engine) PushFrame(t *Task, parent uint32, pc uintptr) uint32 {
	e.mustSeat(t)
	if t.proc().contexts.Restock(&e.contexts) {
		e.addWork(mem.Batch)
	}
	return e.QuickFrame(t, parent, pc)
}

// QuickFrame is PushFrame if the engine remembers the context or t's proc has a context in
// stock; otherwise it returns 0.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) QuickFrame(t *Task, parent uint32, pc uintptr) uint32 {
	if !e.seat(t) {
		return 0
	}
	c := &t.proc().contexts
	if i := c.Find(parent, pc); i != 0 {
		return i
	}
	return c.Look(&e.contexts, parent, pc)
}

// Sweeps returns the number of sweeps so far.
func (e *Engine) Sweeps() uint32 { return e.sweeps }

// Frame returns the arguments of the PushFrame that made id.
func (e *Engine) Frame(id uint32) (parent uint32, pc uintptr) { return e.contexts.Frame(id) }
