package lockset

import (
	"slices"

	"taskinstr/detector/event"
)

// Held tracks the locks that each task holds.
type Held struct {
	*Table
	// Taken counts the Lock events.
	Taken int64
	// Foreign counts unlocks by tasks that did not hold the lock. The lock then passes a
	// message, whose order locksets cannot express.
	Foreign int64

	tasks []holds
	owner map[uint64]uint32 // the exclusive holder of each lock
}

// holds are the locks of one task. A lock held several times occurs as often.
type holds struct {
	locks []Lock
	set   Set
}

// NewHeld returns the state in which no lock is held.
func NewHeld() *Held {
	return &Held{Table: NewTable(), owner: map[uint64]uint32{}}
}

// Of returns the lockset of a task.
func (h *Held) Of(task uint32) Set {
	if int(task) < len(h.tasks) {
		return h.tasks[task].set
	}
	return 0
}

// Event records Lock, Unlock and End and ignores all other events.
func (h *Held) Event(e *event.Event) {
	switch e.Op {
	case event.Lock:
		h.Taken++
		h.grow(e.Task)
		p := &h.tasks[e.Task]
		p.locks = append(p.locks, Lock{e.Obj, e.Shared})
		p.set = h.Table.Of(p.locks)
		if !e.Shared {
			h.owner[e.Obj] = e.Task
		}
	case event.Unlock:
		task := e.Task
		if !h.remove(task, Lock{e.Obj, e.Shared}) {
			h.Foreign++
			if owner, ok := h.owner[e.Obj]; ok && !e.Shared {
				h.remove(owner, Lock{e.Obj, false})
			}
		}
		if !e.Shared {
			delete(h.owner, e.Obj)
		}
	case event.End:
		if int(e.Task) < len(h.tasks) {
			h.tasks[e.Task].locks = nil
		}
	}
}

// With returns the lockset of a task as the Locks of a Possible event change it.
func (h *Held) With(task uint32, more []uint64) Set {
	if len(more) == 0 {
		return h.Of(task)
	}
	var locks []Lock
	if int(task) < len(h.tasks) {
		locks = slices.Clone(h.tasks[task].locks)
	}
	for _, l := range more {
		obj, shared, givenUp := event.LockOf(l)
		if !givenUp {
			locks = append(locks, Lock{obj, shared})
		} else if i := last(locks, Lock{obj, shared}); i >= 0 {
			locks = slices.Delete(locks, i, i+1)
		}
	}
	return h.Table.Of(locks)
}

func (h *Held) grow(task uint32) {
	for int(task) >= len(h.tasks) {
		h.tasks = append(h.tasks, holds{})
	}
}

func (h *Held) remove(task uint32, l Lock) bool {
	if int(task) >= len(h.tasks) {
		return false
	}
	p := &h.tasks[task]
	i := last(p.locks, l)
	if i < 0 {
		return false
	}
	p.locks = slices.Delete(p.locks, i, i+1)
	p.set = h.Table.Of(p.locks)
	return true
}

func last(locks []Lock, l Lock) int {
	for i := len(locks) - 1; i >= 0; i-- {
		if locks[i] == l {
			return i
		}
	}
	return -1
}
