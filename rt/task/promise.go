package task

import (
	"sync/atomic"
	"unsafe"
)

// A Promise is a value that one task sets, once, and any number of tasks get. It belongs
// to the family of the task that made it: only tasks below the same [Finish] can use it.
type Promise[T any] struct {
	promise
	value T
}

// An Output is a promise that a task can undertake to set.
type Output interface {
	output() *promise
}

// NewPromise makes a promise that is not set.
func NewPromise[T any](t *Task) *Promise[T] {
	t.check("NewPromise")
	return &Promise[T]{promise: promise{family: t.scope.family}}
}

// Set gives the promise its value. What the task has done so far comes before what
// those do that get the value. Set panics if the promise is set already, or broken, or
// if another task has undertaken to set it.
func (p *Promise[T]) Set(t *Task, value T) {
	p.claim(t)
	p.value = value
	p.publish(nil)
}

// Get waits until the promise is set, and returns its value. The error matches
//
//   - the context's, if t's innermost scope is cancelled before the promise is set;
//   - [ErrBroken] if the task that had undertaken to set the promise has ended
//     without doing so, with its panic if it had one;
//   - [ErrDeadlock] if nobody is left who could set it: all tasks of the family
//     wait.
func (p *Promise[T]) Get(t *Task) (T, error) {
	if err := p.await(t); err != nil {
		var zero T
		return zero, err
	}
	return p.value, nil
}

func (p *Promise[T]) output() *promise { return &p.promise }

// A promise is what promises of all types have in common.
type promise struct {
	family *family
	owner  atomic.Pointer[Task] // that has undertaken to set it; nil: anybody may
	stage  atomic.Uint32
	err    error // of a broken one

	waiting atomic.Int32 // how many waiters there are; changed by who holds family.mu
	waiters []*waiter    // guarded by family.mu
}

// The stages of a promise.
const (
	unset   = iota
	claimed // somebody is setting it
	settled // set, or broken
)

// claim makes t the one who sets the promise.
func (p *promise) claim(t *Task) {
	if t.state != isolated {
		t.check("Set")
	}
	p.own(t, "Set")
	h := hide()
	owner := p.owner.Load()
	ok := (owner == nil || owner == t) && p.stage.CompareAndSwap(unset, claimed)
	show(h)
	switch {
	case ok:
	case owner != nil && owner != t:
		panic("task: Set of a promise that another task has undertaken to set; name the promise among the outputs of the task that sets it")
	default:
		panic("task: second Set of a promise; a promise is set once, by one task")
	}
}

// own panics if the promise is not one of t's family.
func (p *promise) own(t *Task, what string) {
	if p.family == nil {
		panic("task: " + what + " of a Promise that NewPromise has not made")
	}
	if p.family != t.scope.family {
		panic("task: " + what + " of a promise by a task of another family; promises can be used below the Finish that they were made in: make inner scopes by the method Task.Finish")
	}
}

// publish lets the promise be got. Whoever calls it has claimed it.
func (p *promise) publish(err error) {
	p.err = err
	event(promiseSet, unsafe.Pointer(p))
	h := hide()
	p.stage.Store(settled)
	if p.waiting.Load() != 0 {
		p.family.wake(p)
	}
	show(h)
}

// undertake makes the outputs promises that the new task must set. t starts it.
func (c *Task) undertake(t *Task, outputs []Output) {
	for _, o := range outputs {
		p := o.output()
		p.own(t, "Async with an output")
		h := hide()
		ok := p.owner.CompareAndSwap(nil, c) || p.owner.CompareAndSwap(t, c)
		show(h)
		if !ok {
			panic("task: output of a new task is a promise that another task has undertaken to set")
		}
		c.outputs = append(c.outputs, p)
	}
}

// settle breaks the promises that t had undertaken to set, has not set, and has not left
// to others.
func (t *Task) settle(err error) {
	if t.result != nil {
		t.abandon(t.result, err)
	}
	for _, p := range t.outputs {
		t.abandon(p, err)
	}
}

func (t *Task) abandon(p *promise, err error) {
	h := hide()
	ok := p.owner.Load() == t && p.stage.CompareAndSwap(unset, claimed)
	show(h)
	if ok {
		p.publish(err)
	}
}

// await waits until the promise is settled.
func (p *promise) await(t *Task) error {
	t.check("Get")
	p.own(t, "Get")
	h := hide()
	how := gotIt
	if p.stage.Load() != settled {
		t.state = waiting
		how = p.family.await(p, t.scope.done)
		t.state = running
	}
	show(h)
	switch how {
	case gaveUp:
		return cancelled(t.scope.ctx)
	case nobodyLeft:
		if t.scope.stopped() {
			return cancelled(t.scope.ctx)
		}
		return ErrDeadlock
	}
	event(promiseGot, unsafe.Pointer(p))
	return p.err
}
