package event

import "fmt"

// Check returns an error for the first event that is not well formed: an event of a task
// that does not run, a scope closed by a task that has not opened it, a promise set twice
// or read before it is set, a lock taken while it is held.
func Check(trace []Event) error {
	c := checker{
		running:  map[uint32]bool{0: true},
		known:    map[uint32]bool{0: true},
		scopes:   map[uint64]uint32{},
		promises: map[uint64]bool{},
		holders:  map[uint64]map[uint32]bool{},
	}
	for i := range trace {
		if err := c.event(&trace[i]); err != nil {
			return fmt.Errorf("event %d (%v): %w", i, trace[i], err)
		}
	}
	return nil
}

type checker struct {
	running  map[uint32]bool
	known    map[uint32]bool
	scopes   map[uint64]uint32          // open scopes, and the tasks that opened them
	promises map[uint64]bool            // the promises that are set
	holders  map[uint64]map[uint32]bool // the holders of each lock; the value is true for shared mode
}

func (c *checker) event(e *Event) error {
	if e.Op == Alloc || e.Op == Free {
		return nil
	}
	if !c.running[e.Task] {
		return fmt.Errorf("task %d does not run", e.Task)
	}
	switch e.Op {
	case Fork:
		if c.known[e.Other] {
			return fmt.Errorf("task %d exists", e.Other)
		}
		c.running[e.Other], c.known[e.Other] = true, true
	case End:
		delete(c.running, e.Task)
	case FinishBegin:
		if _, ok := c.scopes[e.Obj]; ok || e.Obj == 0 {
			return fmt.Errorf("scope %#x is open or 0", e.Obj)
		}
		c.scopes[e.Obj] = e.Task
	case FinishEnd:
		if t, ok := c.scopes[e.Obj]; !ok || t != e.Task {
			return fmt.Errorf("task %d has not opened scope %#x", e.Task, e.Obj)
		}
		delete(c.scopes, e.Obj)
	case Set:
		if c.promises[e.Obj] {
			return fmt.Errorf("promise %#x is set", e.Obj)
		}
		c.promises[e.Obj] = true
	case Get:
		if !c.promises[e.Obj] {
			return fmt.Errorf("promise %#x is not set yet", e.Obj)
		}
	case Lock:
		for t, shared := range c.holders[e.Obj] {
			if !shared || !e.Shared || t == e.Task {
				return fmt.Errorf("task %d holds lock %#x", t, e.Obj)
			}
		}
		if c.holders[e.Obj] == nil {
			c.holders[e.Obj] = map[uint32]bool{}
		}
		c.holders[e.Obj][e.Task] = e.Shared
	case Unlock:
		if _, ok := c.holders[e.Obj][e.Task]; !ok {
			return fmt.Errorf("task %d does not hold lock %#x", e.Task, e.Obj)
		}
		delete(c.holders[e.Obj], e.Task)
	}
	return nil
}

// IsDepthFirst returns the index of the first event out of depth-first order, or -1.
func IsDepthFirst(trace []Event) int {
	stack := []uint32{0}
	for i := range trace {
		e := &trace[i]
		if e.Op == Alloc || e.Op == Free {
			continue
		}
		if len(stack) == 0 || e.Task != stack[len(stack)-1] {
			return i
		}
		switch e.Op {
		case Fork:
			stack = append(stack, e.Other)
		case End:
			stack = stack[:len(stack)-1]
		}
	}
	return -1
}
