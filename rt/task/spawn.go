package task

// Spawn starts a task for which the next Sync waits, as in Cilk. If t has no open scope
// for spawned tasks, Spawn opens one. That scope is the innermost one until Sync closes
// it, so tasks started by Async in between belong to it too. The function of a task, and
// the body of a Finish, end with an implicit Sync.
func (t *Task) Spawn(body func(t *Task), outputs ...Output) {
	t.check("Spawn")
	if s := t.scope; s == t.base || !s.spawned {
		t.open(s.ctx, s.family).spawned = true
	}
	t.start(&Task{body: body}, outputs)
}

// Sync waits until all tasks spawned since the last Sync have ended, with all tasks that
// these have started. It may be anywhere in the function, also in a branch or a loop. It
// does nothing if no task was spawned. If tasks have panicked it panics with a
// [*PanicError] for the first panic.
//
// A function that is called, and not spawned, is a part of its caller. Its Sync also
// waits for tasks that the caller has spawned, and it does not end with an implicit Sync.
// To avoid this, call it inside a t.Finish.
func (t *Task) Sync() {
	t.check("Sync")
	s := t.scope
	if s == t.base || !s.spawned {
		return // s is the parent's scope, or the scope of a Finish
	}
	t.close(s)
	if s.failure != nil {
		panic(s.failure)
	}
}
