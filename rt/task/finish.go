package task

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A scope is what a Finish, or a Sync, waits for: all tasks that were started in it.
type scope struct {
	running atomic.Int64   // its tasks that have not ended, and 1 until its owner waits
	all     sync.WaitGroup // done when running is 0 and the owner had to wait
	outer   *scope         // the owner's scope around it
	family  *family
	ctx     context.Context
	done    <-chan struct{} // of ctx; nil: never cancelled
	spawned bool            // ended by Sync

	mu      sync.Mutex
	failure *PanicError // of the first task that panicked
}

// Finish runs body and waits until all tasks that were started in it have ended, and
// all that these have started, and so on. It is the root of a family of tasks; a Finish
// inside of tasks is [Task.Finish].
//
// When ctx is cancelled no more tasks are started, and Finish returns an error that
// matches ctx.Err(), once those that run have ended.
//
// If tasks have panicked, Finish panics with a [*PanicError] of the first one.
func Finish(ctx context.Context, body func(t *Task)) error {
	t := new(Task)
	return t.finish(ctx, newFamily(), func() { body(t) })
}

// Finish runs body and waits until all tasks that were started in it have ended, and
// all that these have started, and so on. The error and panics are those of the
// function [Finish].
func (t *Task) Finish(body func()) error {
	t.check("Finish")
	return t.finish(t.scope.ctx, t.scope.family, body)
}

// FinishContext is Finish with a context of its own.
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
		// A panic of the body itself goes on as it is.
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

// closeTo closes the scopes of t inside of s: at the end of a function those that Sync
// has not closed. What failed in them has failed in s.
func (t *Task) closeTo(s *scope) {
	for t.scope != s {
		inner := t.scope
		t.close(inner)
		if inner.failure != nil {
			s.fail(inner.failure)
		}
	}
}

// fail notes that a task of the scope has panicked.
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

// cancelled returns the error of a context, with its cause if that says more; nil if it
// is not cancelled.
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
