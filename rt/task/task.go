package task

import (
	"context"
	"fmt"
	"unsafe"
)

// A Task represents a running task to the task's own code. The function of a task gets it
// as an argument and uses it to start other tasks and to wait. It belongs to the
// goroutine of that function: a task started inside gets its own Task.
type Task struct {
	scope   *scope // the innermost open one
	base    *scope // the scope in which the task was started, and ends
	body    func(*Task)
	result  *promise   // the promise of a Future, nil for other tasks
	outputs []*promise // promises that it has undertaken to set
	state   state
	normal  bool // the body has returned
}

// A state tells which operations a Task allows.
type state uint8

const (
	running  state = iota
	isolated       // in an Isolated section
	waiting
	ended
)

// Async starts a task that runs body in the innermost open scope of t. Async does not
// wait for the task: the Finish (or Sync) that ends the scope does. A task may end before
// the tasks that it has started.
//
// The outputs are promises that the new task undertakes to set. From then on no other
// task can set them. If the task ends without setting one, or is not started, waiting for
// that promise returns an error that matches [ErrBroken].
//
// Async does not start the task if the scope's context is cancelled.
func (t *Task) Async(body func(t *Task), outputs ...Output) {
	t.check("Async")
	t.start(&Task{body: body}, outputs)
}

// start starts task c in the innermost open scope of t.
func (t *Task) start(c *Task, outputs []Output) {
	s := t.scope
	c.scope, c.base = s, s
	if len(outputs) > 0 {
		c.undertake(t, outputs)
	}
	if s.stopped() {
		c.settle(fmt.Errorf("%w: %w", ErrBroken, cancelled(s.ctx)))
		return
	}
	h := hide()
	s.running.Add(1)
	s.family.active.Add(1)
	show(h)
	go c.run()
}

// run is the function of the task's goroutine.
func (t *Task) run() {
	event(taskBegin, unsafe.Pointer(t.base))
	defer t.end()
	t.body(t)
	t.normal = true
}

// end ends the task, after its body and the body's deferred functions. It waits for the
// tasks that the body has spawned.
func (t *Task) end() {
	s := t.base
	var failure *PanicError
	var err error = ErrBroken
	if !t.normal {
		if v := recover(); v != nil {
			failure = newPanicError(v)
			err = broken(failure)
		}
	}
	if failure != nil {
		s.fail(failure)
	}
	t.closeTo(s)
	if t.result != nil && t.normal {
		t.result.publish(nil)
	}
	t.settle(err)
	t.state = ended
	event(taskEnd, unsafe.Pointer(s))
	h := hide()
	if s.running.Add(-1) == 0 {
		s.all.Done() // the task that waits for the scope becomes active instead of this one
	} else {
		s.family.pause()
	}
	show(h)
}

// Context returns the context of the innermost open scope.
func (t *Task) Context() context.Context {
	t.check("Context")
	return t.scope.ctx
}

// check panics if the task's state does not allow an operation.
func (t *Task) check(what string) {
	if t.state != running {
		t.misused(what)
	}
}

func (t *Task) misused(what string) {
	switch t.state {
	case isolated:
		panic("task: " + what + " in an Isolated section; such a section can neither start tasks nor wait for them: do it before or behind the section")
	case waiting:
		panic("task: " + what + " of a task that waits; a function that a task runs must use the Task that it was given, not one of the code around it")
	}
	panic("task: " + what + " of a task that has ended; a function that a task runs must use the Task that it was given, and only until it returns")
}
