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

// NewPromise makes an unset promise.
func NewPromise[T any](t *Task) *Promise[T] {
	t.check("NewPromise")
	return &Promise[T]{promise: promise{family: t.scope.family}}
}

// Set gives the promise its value. Everything t has done so far comes before the code of
// each task that has got the value. Set panics if the promise is already set or broken,
// or if another task has undertaken to set it.
func (p *Promise[T]) Set(t *Task, value T) {
	p.claim(t)
	p.value = value
	p.publish(nil)
}

// Get waits until the promise is set, and returns its value. The error matches
//
//   - the context's error, if t's innermost scope is cancelled before the promise is set;
//   - [ErrBroken], if the task that had undertaken to set the promise has ended without
//     doing so; the error wraps the task's panic if there was one;
//   - [ErrDeadlock], if no task is left that could set the promise: all tasks of the
//     family wait.
func (p *Promise[T]) Get(t *Task) (T, error) {
	if err := p.await(t); err != nil {
		var zero T
		return zero, err
	}
	return p.value, nil
}

func (p *Promise[T]) output() *promise { return &p.promise }

// A promise is the common part of promises of all types.
type promise struct {
	family *family
	owner  atomic.Pointer[Task] // the task that has undertaken to set it; nil: any task may
	stage  atomic.Uint32
	err    error // of a broken promise

	waiting atomic.Int32 // number of waiters; changed under family.mu
	waiters []*waiter    // guarded by family.mu
}

// The stages of a promise.
const (
	unset   = iota
	claimed // a task is setting it
	settled // set, or broken
)

// claim makes t the task that sets the promise.
func (p *promise) claim(t *Task) {
	if t.state != isolated {
		t.check("Set")
	}
	p.checkFamily(t, "Set")
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

// checkFamily panics if the promise does not belong to t's family.
func (p *promise) checkFamily(t *Task, what string) {
	if p.family == nil {
		panic("task: " + what + " of a Promise that NewPromise has not made")
	}
	if p.family != t.scope.family {
		panic("task: " + what + " of a promise by a task of another family; promises can be used below the Finish that they were made in: make inner scopes by the method Task.Finish")
	}
}

// publish makes the promise available. The caller has claimed it.
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

// undertake records that the new task c must set the outputs. t starts c.
func (c *Task) undertake(t *Task, outputs []Output) {
	for _, o := range outputs {
		p := o.output()
		p.checkFamily(t, "Async with an output")
		h := hide()
		ok := p.owner.CompareAndSwap(nil, c) || p.owner.CompareAndSwap(t, c)
		show(h)
		if !ok {
			panic("task: output of a new task is a promise that another task has undertaken to set")
		}
		c.outputs = append(c.outputs, p)
	}
}

// settle breaks the promises that t had undertaken to set, has not set, and has not
// passed on to other tasks.
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
	p.checkFamily(t, "Get")
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
