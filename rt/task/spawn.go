package task

// Spawn starts a task that the next Sync waits for, as in Cilk. If t has no scope open
// for spawned tasks, Spawn opens one; it is the innermost scope until Sync closes it,
// so tasks that Async starts in between belong to it, too. The end of the function that
// a task, or a Finish, runs has a Sync built in.
func (t *Task) Spawn(body func(t *Task), outputs ...Output) {
	t.check("Spawn")
	if s := t.scope; s == t.base || !s.spawned {
		t.open(s.ctx, s.family).spawned = true
	}
	t.start(&Task{body: body}, outputs)
}

// Sync waits until all tasks have ended that were spawned since the last Sync, and all
// that these have started. It may stand anywhere in the function, in a branch or a loop.
// It does nothing if none was spawned. If tasks have panicked it panics with a
// [*PanicError] of the first one.
//
// A function that is called, and not spawned, is a part of its caller: its Sync waits for
// what the caller has spawned as well, and its end has no Sync built in. Call it by
// t.Finish where that matters.
func (t *Task) Sync() {
	t.check("Sync")
	s := t.scope
	if s == t.base || !s.spawned {
		return // s is the parent's, or a Finish
	}
	t.close(s)
	if s.failure != nil {
		panic(s.failure)
	}
}
