package task

import (
	"context"
	"fmt"
	"unsafe"
)

// A Task is a task that runs, as its own code sees it. The function that a task runs
// gets it as an argument, and uses it to start other tasks and to wait. It belongs to
// that function's goroutine: a task that is started inside gets a Task of its own.
type Task struct {
	scope   *scope // the innermost open one
	base    *scope // that the task was started in, and ends in
	body    func(*Task)
	result  *promise   // of a Future, nil for other tasks
	outputs []*promise // that it has undertaken to set
	state   state
	normal  bool // the body has returned
}

// state says what a Task can be used for.
type state uint8

const (
	running  state = iota
	isolated       // in an Isolated section
	waiting
	ended
)

// Async starts a task that runs body, in the innermost open scope of t. It does not
// wait for it: the Finish (or Sync) that ends the scope does. A task may end before the
// tasks that it has started.
//
// The outputs are promises that the new task undertakes to set. Nobody else can set
// them from then on. If the task ends without setting one, or is not started, those
// who wait for the promise get an error that matches [ErrBroken].
//
// Async does not start the task if the scope's context is cancelled.
func (t *Task) Async(body func(t *Task), outputs ...Output) {
	t.check("Async")
	t.start(&Task{body: body}, outputs)
}

// start starts the task c in the innermost open scope of t.
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

// run is what the task's goroutine does.
func (t *Task) run() {
	event(taskBegin, unsafe.Pointer(t.base))
	defer t.end()
	t.body(t)
	t.normal = true
}

// end ends the task behind its body and the body's deferred functions. It waits for
// the tasks that the body has spawned.
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
		s.all.Done() // whoever waits for the scope is active in this task's place
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

// check panics if the task cannot do what is asked of it.
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
