package task

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrBroken is the error of Get for a promise that stays unset because the task that was
// to set it has ended, or was not started.
var ErrBroken = errors.New("task: broken promise: the task that was to set it has ended or was not started")

// ErrDeadlock is the error of Get for a promise that stays unset because all tasks wait,
// for promises or for tasks that do. Find out which task was to set the promise and why
// that task waits.
var ErrDeadlock = errors.New("task: deadlock: all tasks wait, so nobody is left to set the promise")

// A PanicError is the panic of a task. The task's Finish or Sync panics with it.
type PanicError struct {
	Value  any    // value of the panic
	Stack  []byte // stack of the task, as debug.Stack formats it
	Others int    // number of other tasks of the scope that have panicked
}

// Error returns the value and the stack as text.
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
// stack of the panic is intact.
func newPanicError(v any) *PanicError {
	if e, ok := v.(*PanicError); ok {
		return e // from an inner Finish
	}
	return &PanicError{Value: v, Stack: debug.Stack()}
}

// broken returns the error for promises left unset by a task that panicked.
func broken(p *PanicError) error { return fmt.Errorf("%w: %w", ErrBroken, p) }
