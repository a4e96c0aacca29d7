package differential

import (
	"math/rand/v2"
	"slices"

	"taskinstr/detector/event"
)

// Run executes the program and returns its trace. Tasks are numbered in the order of
// forks. r chooses the next task at each event; if it is nil the execution is
// depth-first. If live tasks remain and none can continue, the program has a deadlock.
// Run panics then, because Random makes no such program.
func (p *Program) Run(r *rand.Rand) []event.Event {
	m := machine{
		live:    map[uint64]int{},
		set:     map[uint64]bool{},
		holders: map[uint64][]bool{},
	}
	m.threads = []*thread{{ops: p.main.ops}}
	for {
		var able []int
		for i := len(m.threads) - 1; i >= 0; i-- {
			if m.able(m.threads[i]) {
				able = append(able, i)
				if r == nil {
					break // the youngest task
				}
			}
		}
		if len(able) == 0 {
			for _, t := range m.threads {
				if len(t.ops) > 0 {
					panic("differential: deadlock")
				}
			}
			return m.trace
		}
		i := able[0]
		if r != nil {
			i = able[r.IntN(len(able))]
		}
		m.step(m.threads[i])
	}
}

type thread struct {
	id  uint32
	ops []op
}

type machine struct {
	trace   []event.Event
	threads []*thread // live tasks, by age
	next    uint32
	live    map[uint64]int // number of live tasks of each scope
	set     map[uint64]bool
	holders map[uint64][]bool // for each lock its holders: whether each holds it shared
}

func (m *machine) able(t *thread) bool {
	if len(t.ops) == 0 {
		return false
	}
	switch e := &t.ops[0].ev; e.Op {
	case event.FinishEnd:
		return m.live[e.Obj] == 0
	case event.Get:
		return m.set[e.Obj]
	case event.Lock:
		h := m.holders[e.Obj]
		return len(h) == 0 || e.Shared && h[0]
	}
	return true
}

func (m *machine) step(t *thread) {
	o := t.ops[0]
	t.ops = t.ops[1:]
	e := o.ev
	e.Task = t.id
	switch e.Op {
	case event.Fork:
		m.next++
		e.Other = m.next
		m.threads = append(m.threads, &thread{id: m.next, ops: o.child.ops})
		last := o.child.ops[len(o.child.ops)-1].ev
		m.live[last.Obj]++
	case event.End:
		m.live[e.Obj]--
		m.threads = slices.DeleteFunc(m.threads, func(u *thread) bool { return u == t })
	case event.Set:
		m.set[e.Obj] = true
	case event.Lock:
		m.holders[e.Obj] = append(m.holders[e.Obj], e.Shared)
	case event.Unlock:
		m.holders[e.Obj] = m.holders[e.Obj][1:]
	}
	m.trace = append(m.trace, e)
}
