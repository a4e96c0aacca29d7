package task

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A scope is the set of tasks for which a Finish or a Sync waits: all tasks started in
// it.
type scope struct {
	running atomic.Int64   // its tasks that have not ended, plus 1 until its owner waits
	all     sync.WaitGroup // done when running is 0, if the owner had to wait
	outer   *scope         // the scope of the owner around this one
	family  *family
	ctx     context.Context
	done    <-chan struct{} // of ctx; nil: never cancelled
	spawned bool            // ended by Sync

	mu      sync.Mutex
	failure *PanicError // of the first task that panicked
}

// Finish runs body and waits until all tasks started in it have ended, with all tasks
// that these have started, and so on. It is the root of a family of tasks; for a Finish
// inside of a task use [Task.Finish].
//
// When ctx is cancelled no more tasks are started. When the running tasks have ended,
// Finish returns an error that matches ctx.Err().
//
// If tasks have panicked, Finish panics with a [*PanicError] for the first panic.
func Finish(ctx context.Context, body func(t *Task)) error {
	t := new(Task)
	return t.finish(ctx, newFamily(), func() { body(t) })
}

// Finish runs body and waits until all tasks started in it have ended, with all tasks
// that these have started, and so on. Errors and panics are the same as for the function
// [Finish].
func (t *Task) Finish(body func()) error {
	t.check("Finish")
	return t.finish(t.scope.ctx, t.scope.family, body)
}

// FinishContext is Finish with a separate context.
func (t *Task) FinishContext(ctx context.Context, body func()) error {
	t.check("FinishContext")
	return t.finish(ctx, t.scope.family, body)
}

func (t *Task) finish(ctx context.Context, f *family, body func()) (err error) {
	if ctx == nil {
		panic("task: Finish with a nil context; use context.Background()")
	}
	s := t.open(ctx, f)
	normal := false
	defer func() {
		t.closeTo(s)
		t.close(s)
		switch failure := s.failure; {
		case failure != nil:
			if !normal && recover() != nil {
				failure.Others++
			}
			panic(failure)
		case normal && s.done != nil:
			err = cancelled(ctx)
		}
		// A panic of the body itself continues unchanged.
	}()
	body()
	normal = true
	return nil
}

// open opens a scope within the innermost one of t.
func (t *Task) open(ctx context.Context, f *family) *scope {
	s := &scope{outer: t.scope, family: f, ctx: ctx, done: ctx.Done()}
	h := hide()
	s.running.Store(1)
	s.all.Add(1)
	show(h)
	t.scope = s
	event(finishBegin, unsafe.Pointer(s))
	return s
}

// close waits for the tasks of s, the innermost scope of t, and leaves it.
func (t *Task) close(s *scope) {
	h := hide()
	if s.running.Add(-1) != 0 {
		t.state = waiting
		s.family.pause()
		s.all.Wait()
		t.state = running
	}
	show(h)
	event(finishEnd, unsafe.Pointer(s))
	t.scope = s.outer
}

// closeTo closes the scopes of t inside of s: the scopes that Sync has not closed at the
// end of a function. Their failures become failures of s.
func (t *Task) closeTo(s *scope) {
	for t.scope != s {
		inner := t.scope
		t.close(inner)
		if inner.failure != nil {
			s.fail(inner.failure)
		}
	}
}

// fail records that a task of the scope has panicked.
func (s *scope) fail(p *PanicError) {
	h := hide()
	s.mu.Lock()
	if s.failure == nil {
		first := *p
		s.failure = &first
	} else {
		s.failure.Others += 1 + p.Others
	}
	s.mu.Unlock()
	show(h)
}

// stopped reports whether the scope starts no more tasks.
func (s *scope) stopped() bool { return s.done != nil && s.ctx.Err() != nil }

// cancelled returns the error of a context, with its cause if that differs; nil if the
// context is not cancelled.
func cancelled(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		return fmt.Errorf("task: %w: %w", err, cause)
	}
	return fmt.Errorf("task: %w", err)
}
