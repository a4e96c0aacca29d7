package model

import (
	"fmt"

	"taskinstr/detector/event"
)

// A Program is the function of the main task.
type Program func(t *Task)

// A Task is a task of a running program. Only the task itself may call its methods.
type Task struct {
	m      *machine
	id     uint32
	name   string // main, or main.1 for main's first child
	body   Program
	forks  int
	scope  uint64   // the scope to which it belongs
	open   []uint64 // the scopes that it has opened
	inside bool     // it is in an isolated section
	wait   wait
	resume func() (wait, bool)
	stop   func()
	give   func(wait) bool
}

// A wait is the condition for which a task waits.
type wait uint8

const (
	ready    wait = iota
	section       // before an isolated section, until no other task is in one
	children      // until the tasks of its innermost scope have ended
)

// Async forks a task that belongs to the innermost scope.
func (t *Task) Async(body Program) {
	site := t.m.site()
	t.step()
	t.forks++
	c := t.m.task(fmt.Sprintf("%s.%d", t.name, t.forks), body)
	c.scope = t.innermost()
	t.m.live[c.scope]++
	t.m.add(event.Event{Op: event.Fork, Task: t.id, Other: c.id, Site: site})
	if t.m.single {
		t.m.run(c) // to its first event
		return
	}
	t.pause(ready)
}

func (t *Task) innermost() uint64 {
	if n := len(t.open); n > 0 {
		return t.open[n-1]
	}
	return t.scope
}

// Finish runs body and waits for the tasks that were forked in it.
func (t *Task) Finish(body func()) {
	site := t.m.site()
	t.step()
	t.m.scopes++
	s := t.m.scopes
	t.m.add(event.Event{Op: event.FinishBegin, Task: t.id, Obj: s, Site: site})
	t.open = append(t.open, s)
	body()
	if t.m.single || t.m.live[s] > 0 {
		t.pause(children)
	}
	t.open = t.open[:len(t.open)-1]
	t.m.add(event.Event{Op: event.FinishEnd, Task: t.id, Obj: s, Site: site})
}

// Isolated runs body while no other task is in an isolated section.
func (t *Task) Isolated(body func()) {
	if t.inside {
		panic(fmt.Sprintf("model: task %s enters an isolated section inside another", t.name))
	}
	site := t.m.site()
	t.pause(section)
	t.inside, t.m.holder = true, t
	t.m.add(event.Event{Op: event.Lock, Task: t.id, Obj: event.Isolation, Site: site})
	body()
	t.step()
	t.inside, t.m.holder = false, nil
	t.m.add(event.Event{Op: event.Unlock, Task: t.id, Obj: event.Isolation, Site: site})
}

// Ints is an array of integers that tasks share.
type Ints struct {
	addr uint64
	v    []int
}

// intSize is the size in bytes of an element of Ints.
const intSize = 8

// Ints makes an array of n zeros.
func (t *Task) Ints(n int) *Ints {
	a := &Ints{t.m.memory, make([]int, n)}
	t.m.memory += uint64(n+1) * intSize // a gap, so that arrays are not adjacent
	return a
}

// Load reads element i.
func (t *Task) Load(a *Ints, i int) int {
	t.access(event.Read, a, i, i+1, t.m.site())
	return a.v[i]
}

// Store writes element i.
func (t *Task) Store(a *Ints, i, v int) {
	t.access(event.Write, a, i, i+1, t.m.site())
	a.v[i] = v
}

// LoadRange reads the elements [lo, hi).
func (t *Task) LoadRange(a *Ints, lo, hi int) []int {
	t.access(event.Read, a, lo, hi, t.m.site())
	return append([]int(nil), a.v[lo:hi]...)
}

// StoreRange writes v from element lo on.
func (t *Task) StoreRange(a *Ints, lo int, v []int) {
	t.access(event.Write, a, lo, lo+len(v), t.m.site())
	copy(a.v[lo:], v)
}

func (t *Task) access(k event.Kind, a *Ints, lo, hi int, site uint32) {
	t.step()
	t.m.add(event.Event{Op: event.Access, Kind: k, Task: t.id, Addr: a.addr + uint64(lo)*intSize, Size: uint64(hi-lo) * intSize, Site: site})
}

// step lets another task run first if each event is a choice.
func (t *Task) step() {
	if t.m.single {
		t.pause(ready)
	}
}

// stopped is the panic that ends a coroutine when its program is closed.
type stopped struct{}

func (t *Task) pause(w wait) {
	if t.wait = w; !t.give(w) {
		panic(stopped{})
	}
}
