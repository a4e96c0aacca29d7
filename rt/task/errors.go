package task

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrBroken is what Get returns of a promise that stays unset because the task that was
// to set it has ended, or was not started.
var ErrBroken = errors.New("task: broken promise: the task that was to set it has ended or was not started")

// ErrDeadlock is what Get returns of a promise that stays unset because all tasks wait,
// for promises or for tasks that do. Find out which task was to set it and what that one
// waits for.
var ErrDeadlock = errors.New("task: deadlock: all tasks wait, so nobody is left to set the promise")

// A PanicError is the panic of a task, which its Finish or Sync panics with again.
type PanicError struct {
	Value  any    // what the task has panicked with
	Stack  []byte // of the task, as debug.Stack formats it
	Others int    // how many tasks of the scope have panicked besides
}

// Error returns the value and the stack.
func (e *PanicError) Error() string {
	others := ""
	if e.Others > 0 {
		others = fmt.Sprintf(" (and %d more of its tasks panicked)", e.Others)
	}
	return fmt.Sprintf("task: a task panicked: %v%s\n\n%s", e.Value, others, e.Stack)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// newPanicError returns the error for a recovered value. It must be called while the
// task's stack is as it was.
func newPanicError(v any) *PanicError {
	if e, ok := v.(*PanicError); ok {
		return e // of an inner Finish
	}
	return &PanicError{Value: v, Stack: debug.Stack()}
}

// broken returns the error of the promises that a task leaves behind that panicked.
func broken(p *PanicError) error { return fmt.Errorf("%w: %w", ErrBroken, p) }
