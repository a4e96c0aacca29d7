package model

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/zipper/orders"
)

// firstAddress is the address of the first array.
const firstAddress = 1 << 32

// A machine runs a program once.
type machine struct {
	trace  []event.Event
	sites  *Sites
	single bool // each event is a choice
	tasks  []*Task
	living []*Task // by number
	live   map[uint64]int
	holder *Task
	scopes uint64
	memory uint64
}

func newMachine(p Program, sites *Sites) *machine {
	m := &machine{sites: sites, live: map[uint64]int{}, memory: firstAddress}
	m.task("main", p)
	return m
}

func (m *machine) add(e event.Event) { m.trace = append(m.trace, e) }

func (m *machine) task(name string, body Program) *Task {
	t := &Task{m: m, id: uint32(len(m.tasks)), name: name, body: body}
	m.tasks = append(m.tasks, t)
	m.living = append(m.living, t)
	t.resume, t.stop = iter.Pull(func(give func(wait) bool) {
		defer func() {
			if r := recover(); r != nil && r != (stopped{}) {
				panic(r)
			}
		}()
		t.give = give
		t.body(t)
	})
	return t
}

// run lets t run until it waits or ends.
func (m *machine) run(t *Task) {
	if _, ok := t.resume(); ok {
		return
	}
	if t.id != 0 {
		m.add(event.Event{Op: event.End, Task: t.id, Obj: t.scope})
		m.live[t.scope]--
	}
	m.living = slices.DeleteFunc(m.living, func(u *Task) bool { return u == t })
}

// able reports whether t can run now.
func (m *machine) able(t *Task) bool {
	switch t.wait {
	case section:
		return m.holder == nil
	case children:
		return m.live[t.innermost()] == 0
	}
	return true
}

// close ends the tasks that are still alive.
func (m *machine) close() {
	for _, t := range m.living {
		t.stop()
	}
}

var errDeadlock = errors.New("all tasks wait: deadlock")

// Runner returns the program in the form that package orders runs. sites may be nil.
func Runner(p Program, sites *Sites) orders.Run {
	return func(choices []string) (x orders.Execution, err error) {
		m := newMachine(p, sites)
		defer m.close()
		for {
			// The youngest task first: a child runs before its parent continues.
			var next *Task
			var waiting []*Task
			for i := len(m.living) - 1; i >= 0 && next == nil; i-- {
				switch t := m.living[i]; {
				case t.wait == section:
					waiting = append(waiting, t)
				case m.able(t):
					next = t
				}
			}
			if next == nil {
				switch {
				case len(m.living) == 0:
					x.Trace = m.trace
					return x, nil
				case len(waiting) == 0 || m.holder != nil:
					return x, errDeadlock
				}
				p := orders.Point{}
				for i := len(waiting) - 1; i >= 0; i-- {
					p.Ready = append(p.Ready, waiting[i].name)
				}
				p.Chosen = p.Ready[0]
				if n := len(x.Points); n < len(choices) {
					p.Chosen = choices[n]
				}
				for _, t := range waiting {
					if t.name == p.Chosen {
						next = t
					}
				}
				if next == nil {
					return x, fmt.Errorf("task %s does not stand in front of a section at point %d; there are %v", p.Chosen, len(x.Points), p.Ready)
				}
				x.Points = append(x.Points, p)
			}
			m.run(next)
		}
	}
}

// Interleave runs the program. Before each event it calls choose with the number of tasks
// that can run, and runs the task with the returned index.
func Interleave(p Program, choose func(n int) int) ([]event.Event, error) {
	m := newMachine(p, nil)
	m.single = true
	defer m.close()
	m.run(m.tasks[0])
	for len(m.living) > 0 {
		var able []*Task
		for _, t := range m.living {
			if m.able(t) {
				able = append(able, t)
			}
		}
		if len(able) == 0 {
			return nil, errDeadlock
		}
		m.run(able[choose(len(able))])
	}
	return m.trace, nil
}
