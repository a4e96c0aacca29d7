package task

// A Future is the result of a task: a promise that is set when the task ends.
type Future[T any] struct {
	promise
	value T
	err   error
}

// NewFuture starts a task like [Task.Async] and returns its future result.
func NewFuture[T any](t *Task, body func(t *Task) (T, error), outputs ...Output) *Future[T] {
	t.check("NewFuture")
	f := &Future[T]{promise: promise{family: t.scope.family}}
	c := &Task{result: &f.promise}
	c.body = func(t *Task) { f.value, f.err = body(t) }
	h := hide()
	f.owner.Store(c)
	show(h)
	t.start(c, outputs)
	return f
}

// Get waits until the task has ended, and returns the results of its function. Everything
// the task has done comes before the code of t after Get. Besides the function's own
// error Get returns the errors of [Promise.Get]. If the task has panicked, the error
// wraps the [*PanicError]; the task's Finish panics all the same.
func (f *Future[T]) Get(t *Task) (T, error) {
	if err := f.await(t); err != nil {
		var zero T
		return zero, err
	}
	return f.value, f.err
}
