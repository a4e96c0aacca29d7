package drdp

import "taskinstr/detector/serial"

// gone reports whether a reader need not be remembered beside a read of t: forks and links
// put it in front of t, so each access that races with it races with t.
func (e *Engine) gone(t *Task, step uint32) bool {
	if e.Precedes(t, step) {
		return true
	}
	s := e.stepOf(step)
	if !e.quickly(s.task, s.seq, t) {
		return false
	}
	*e.answer(step, t.ID) = answer{step: step, task: t.ID}
	return true
}

// Remember adds a read of t at origin o to the readers r, whose holder keeps the origin ro,
// and returns the readers and the origin to be kept. Readers that are gone are left out where
// that is cheap to find out: among the newest, and among all when their number has doubled.
func (e *Engine) Remember(t *Task, r, ro, o uint32) (readers, origin uint32) {
	if e.Past(r) {
		return t.Unit, o
	}
	for r != 0 {
		step, origin, rest := e.Newest(r, ro)
		if step == t.Unit {
			return r, ro
		}
		if !e.gone(t, step) {
			if rest == 0 && serial.IsList(r) {
				r, ro = step, origin
			}
			break
		}
		r = rest
	}
	if r == 0 {
		return t.Unit, o
	}
	if !serial.IsList(r) {
		r = e.List(r, ro, 0)
	} else if n := e.ListLength(r); n >= 8 && n&(n-1) == 0 {
		if r = e.pruned(t, r); r == 0 {
			return t.Unit, o
		}
	}
	return e.List(t.Unit, o, r), 0
}

// pruned returns the readers of a list that are not gone.
func (e *Engine) pruned(t *Task, r uint32) uint32 {
	n := uint32(0)
	for r != 0 {
		step, origin, rest := e.Newest(r, 0)
		if !e.gone(t, step) {
			*e.queueAt(n) = place{step, origin}
			n++
		}
		r = rest
	}
	for n > 0 {
		n--
		p := e.queueAt(n)
		r = e.List(p.task, p.at, r)
	}
	return r
}
