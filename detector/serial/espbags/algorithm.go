package espbags

import "taskinstr/detector/serial"

// Parallel reports whether a task, or 0, may run in parallel with the present step.
//
//go:nosplit
func (e *Engine) Parallel(t *Task, id uint32) bool { return e.inPBag(id) }

// Precedes reports whether a task, or 0, precedes the present step.
//
//go:nosplit
func (e *Engine) Precedes(t *Task, id uint32) bool { return !e.inPBag(id) }

// Represents: an access that races with t later races with each task that is parallel to t.
func (e *Engine) Represents(t *Task, id uint32) bool { return id == t.ID || e.inPBag(id) }

// Remember keeps one reader. A reader that is parallel to t represents t.
func (e *Engine) Remember(t *Task, r, ro, o uint32) (reader, origin uint32) {
	if r == t.ID || e.inPBag(r) {
		return r, ro
	}
	return t.ID, o
}

// Passed remembers an entry for all tasks if its reader is in a P-bag and it has no writer.
//
//go:nosplit
func (e *Engine) Passed(t *Task, x uint64) {
	if w, r := serial.Units(x); w < e.Base && r != t.ID && e.inPBag(r) {
		e.shared = x
	}
}

// TaskOf returns the task of a unit: units are tasks.
func (e *Engine) TaskOf(id uint32) uint32 { return id }

// InfoOf returns the description of a task, nil if it is of before the last restart.
func (e *Engine) InfoOf(id uint32) *info {
	if id < e.Base {
		return nil
	}
	return e.infoOf(id)
}

// Keep marks a task that the shadow names.
func (e *Engine) Keep(id uint32) {
	if id >= e.Base {
		e.infoOf(id).Mark = e.Sweeps()
	}
}

// BehindAll reports whether a task is of before the last restart.
func (e *Engine) BehindAll(id uint32) bool { return id < e.Base }

// No objects belong to memory: finish scopes live until a sweep.
//
//go:nosplit
func (e *Engine) ObjectIn(a, n uintptr) bool { return false }

func (e *Engine) DropObjects(a, n uintptr) {}
