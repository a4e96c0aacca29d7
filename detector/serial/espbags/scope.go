package espbags

import (
	"taskinstr/detector/serial"
)

// A scope is a finish scope: its P-bag has the tasks that it waits for. The host names it by
// a key, such as the address of a WaitGroup.
type scope struct {
	next   uint32 // in the list of its slot; also the link of the free chain
	bag    uint32 // root of the P-bag, 0: empty
	key    uint64
	joiner uint32 // the task that waited for it last
	late   uint32 // a task that released there and went on
	keep   bool   // a task that runs is to end in it, as the sweep has found
}

const scopeSlots = 1 << 16

func (e *Engine) scopeAt(i uint32) *scope { return (*scope)(e.scopes.At(i)) }

func (e *Engine) scopeSlot(key uint64) *uint32 {
	return e.slots.At32(uintptr(key * 0x9e3779b97f4a7c15 >> 48))
}

// scopeOf returns the scope of a key, 0 if there is none and make is false.
func (e *Engine) scopeOf(key uint64, make bool) uint32 {
	l := e.scopeSlot(key)
	for i := *l; i != 0; i = e.scopeAt(i).next {
		if e.scopeAt(i).key == key {
			return i
		}
	}
	if !make {
		return 0
	}
	i := e.scopes.Take()
	*e.scopeAt(i) = scope{next: *l, key: key}
	*l = i
	return i
}

// Leave says that the end of t counts for a scope, which regards t as ended from now on. A
// task that goes on nevertheless is counted in Stats.Late.
func (e *Engine) Leave(t *Task, key uint64) {
	own := stateOf(t)
	own.scope = e.scopeOf(key, true)
	own.done = true
	e.newStep(t)
	t.Disturb() // the next access is to be noticed
	t.Act++
}

// Wait says that the tasks that ended in a scope precede the next step of t. It returns false
// if the bags cannot express the order: another task has waited for them and does not precede
// t.
func (e *Engine) Wait(t *Task, key uint64) bool {
	i := e.scopeOf(key, false)
	if i == 0 {
		return true
	}
	s := e.scopeAt(i)
	ok := e.behind(t, s.joiner) && e.behind(t, s.late)
	if s.bag != 0 {
		e.enroll(t)
		own := stateOf(t)
		own.bag = e.unite(own.bag, s.bag, 0)
		s.bag = 0
		e.shared = serial.NoEntry
		e.Unjoined--
		e.unions++
		s.joiner = t.ID
		e.newStep(t)
		e.Settle()
	}
	return ok
}

// behind reports whether the bags order the present step of t behind everything that the task
// id has done so far: id is t, an ancestor of t, or an ended task in an S-bag.
func (e *Engine) behind(t *Task, id uint32) bool {
	if id < e.Base || id == t.ID {
		return true
	}
	if *e.up(id) != 0 && e.infoOf(id).Flags&serial.HasEnded != 0 {
		return !e.inPBag(id)
	}
	for i := t.ID; i >= e.Base; i = e.infoOf(i).Parent {
		if i == id {
			return true
		}
	}
	return false
}
