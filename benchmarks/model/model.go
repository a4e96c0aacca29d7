package model

import (
	"fmt"

	"taskinstr/detector/event"
)

// Run executes a model and calls tell for each of its events. It returns an error if
// tasks wait for each other, or for a promise that no task sets.
func Run(tell func(*event.Event), main func(*Task)) error {
	m := &machine{tell: tell, next: firstAddr}
	t := m.newTask(main)
	m.run(t)
	if m.alive > 0 {
		return fmt.Errorf("model: deadlock: %d tasks wait", m.alive)
	}
	return nil
}

type machine struct {
	tell  func(*event.Event)
	tasks uint32
	objs  uint64 // the number of scopes and promises
	next  uint64 // the first unused address
	alive int
	event event.Event // the last access: a new event for each access would burden the heap
}

const (
	firstAddr = 0xc000000000
	align     = 64 // of variables
)

// A Task has a goroutine of its own, which runs only between a resume and a yield.
type Task struct {
	m      *machine
	id     uint32
	scope  *scope // the innermost open scope around it
	resume chan struct{}
	yield  chan struct{}
}

type scope struct {
	obj   uint64
	live  int
	owner *Task // the task that waits for the scope, if any
}

// A Promise is set once.
type Promise struct {
	obj     uint64
	set     bool
	waiting []*Task
}

// A Var is memory that tasks share.
type Var struct {
	Addr, Size uint64 // in bytes
}

func (m *machine) newTask(body func(*Task)) *Task {
	t := &Task{m: m, id: m.tasks, resume: make(chan struct{}), yield: make(chan struct{})}
	m.tasks++
	m.alive++
	go func() {
		<-t.resume
		body(t)
		m.alive--
		t.end()
		t.yield <- struct{}{}
	}()
	return t
}

// run lets a task run until it ends or waits.
func (m *machine) run(t *Task) {
	t.resume <- struct{}{}
	<-t.yield
}

// wait returns control to the caller of run, and returns when t is run again.
func (t *Task) wait() {
	t.yield <- struct{}{}
	<-t.resume
}

func (t *Task) end() {
	if t.id == 0 {
		return
	}
	e := event.Event{Op: event.End, Task: t.id}
	s := t.scope
	if s != nil {
		e.Obj = s.obj
	}
	t.m.tell(&e)
	if s == nil {
		return
	}
	if s.live--; s.live == 0 && s.owner != nil {
		t.m.run(s.owner)
	}
}

func (m *machine) obj() uint64 {
	m.objs++
	return m.objs
}

// Async forks a task. The innermost open scope waits for it.
func (t *Task) Async(body func(*Task)) {
	child := t.m.newTask(body)
	child.scope = t.scope
	if t.scope != nil {
		t.scope.live++
	}
	t.m.tell(&event.Event{Op: event.Fork, Task: t.id, Other: child.id})
	t.m.run(child)
}

// Finish runs body and waits for the tasks forked in it, and for their descendants.
func (t *Task) Finish(body func()) {
	outer := t.scope
	s := &scope{obj: t.m.obj()}
	t.m.tell(&event.Event{Op: event.FinishBegin, Task: t.id, Obj: s.obj})
	t.scope = s
	body()
	if s.live > 0 {
		s.owner = t
		t.wait()
	}
	t.scope = outer
	t.m.tell(&event.Event{Op: event.FinishEnd, Task: t.id, Obj: s.obj})
}

// Promise returns a promise that is not set.
func (t *Task) Promise() *Promise { return &Promise{obj: t.m.obj()} }

// Set sets a promise. It panics if the promise is set.
func (t *Task) Set(p *Promise) {
	if p.set {
		panic("model: a promise is set twice")
	}
	p.set = true
	t.m.tell(&event.Event{Op: event.Set, Task: t.id, Obj: p.obj})
	waiting := p.waiting
	p.waiting = nil
	for _, w := range waiting {
		t.m.run(w)
	}
}

// Get waits until the promises are set.
func (t *Task) Get(ps ...*Promise) {
	for _, p := range ps {
		if !p.set {
			p.waiting = append(p.waiting, t)
			t.wait()
		}
		t.m.tell(&event.Event{Op: event.Get, Task: t.id, Obj: p.obj})
	}
}

// Future forks a task and returns a promise that the task sets at its end.
func (t *Task) Future(body func(*Task)) *Promise {
	p := t.Promise()
	t.Async(func(t *Task) {
		body(t)
		t.Set(p)
	})
	return p
}

// Var returns fresh memory of size bytes.
func (t *Task) Var(size uint64) Var {
	v := Var{Addr: t.m.next, Size: size}
	t.m.next += (size + align - 1) &^ (align - 1)
	return v
}

// Part returns the size bytes of v from offset on.
func (v Var) Part(offset, size uint64) Var {
	if offset+size > v.Size {
		panic(fmt.Sprintf("model: bytes %d to %d of a variable of %d", offset, offset+size, v.Size))
	}
	return Var{v.Addr + offset, size}
}

// Read reads all of a variable.
func (t *Task) Read(v Var) { t.access(v, event.Read) }

// Write writes all of a variable.
func (t *Task) Write(v Var) { t.access(v, event.Write) }

// Update reads and writes a variable.
func (t *Task) Update(v Var) {
	t.Read(v)
	t.Write(v)
}

func (t *Task) access(v Var, k event.Kind) {
	t.m.event = event.Event{Op: event.Access, Task: t.id, Kind: k, Addr: v.Addr, Size: v.Size}
	t.m.tell(&t.m.event)
}
