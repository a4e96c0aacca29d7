package drdp

import "taskinstr/detector/serial"

// Ready returns true: the accesses of each task may be recorded at once.
//
//go:nosplit
func (e *Engine) Ready(t *Task) bool { return true }

// Note says that the present step of t has made an access.
//
//go:nosplit
func (e *Engine) Note(t *Task) {
	if s := stateOf(t); !s.used {
		s.used, e.Dirty = true, true
		e.mark(t)
	}
}

// Use is Note.
func (e *Engine) Use(t *Task) { e.Note(t) }

// Represents reports whether a step is the present one of t. A step that is parallel to t does
// not represent it: a task that waits for t need not wait for that step.
func (e *Engine) Represents(t *Task, step uint32) bool { return step == t.Unit }

// Passed does nothing: an entry of one step says nothing about others.
//
//go:nosplit
func (e *Engine) Passed(t *Task, x uint64) {}

// Settled does nothing: a task that is alone keeps its step.
func (e *Engine) Settled(t *Task) {}

// TaskOf returns the task that a step belongs to.
func (e *Engine) TaskOf(step uint32) uint32 { return e.stepOf(step).task }

// InfoOf returns the description of a task, nil for 0.
func (e *Engine) InfoOf(task uint32) *serial.Info {
	if task == 0 {
		return nil
	}
	return &e.infoOf(task).Info
}
