// Package task provides structured tasks: goroutines that are started and awaited in
// nested scopes, so that the structure of a program determines which of its steps can run
// in parallel. It works in any build, on plain goroutines. In a program that taskinstr
// instruments, the race detector knows this structure exactly.
//
//	err := task.Finish(ctx, func(t *task.Task) {
//		t.Async(func(t *task.Task) { left = sum(t, tree.left) })
//		right = sum(t, tree.right)
//	})
//
// # Terms
//
// A task is a function that runs in its own goroutine. A [Task], the argument t above,
// represents the task in all its operations: starting other tasks, waiting for them,
// getting promises. The function of a task uses the Task passed to it. This parameter
// usually has the same name as the Task outside, and hides it.
//
// A scope is a set of tasks that are awaited together. [Finish] and [Task.Finish] open a
// scope, run a function in it, and end the scope when all tasks started in it have ended,
// with all tasks that these have started, and so on. A task is started in the innermost
// open scope of its parent and begins with that scope as its own. It may end before the
// tasks that it has started (terminally strict computation).
//
// A family is the set of all tasks below one call of the function [Finish].
//
// # Operations
//
//	Finish, Task.Finish, Task.FinishContext   a scope
//	Task.Async                                a task in the innermost scope
//	Task.Spawn, Task.Sync                     tasks as in Cilk
//	Task.For, Task.ForAll                     loops whose iterations run in parallel
//	Task.Isolated                             mutual exclusion of all such sections
//	NewFuture, Future.Get                     a task with a result
//	NewPromise, Promise.Set, Promise.Get      a value that some task sets, once
//
// # Order
//
// Everything a task does before it starts another task comes before everything the other
// does. Everything tasks do comes before the code behind the Finish or Sync that waits
// for them. Everything a task does before it sets a promise, or before it ends as a
// future, comes before the code of each task that has got the value. Isolated sections
// run one after the other, in any order. There is no other order: the locks and channels
// inside this package order nothing on which a program may rely, so a race that a
// detector reports is one.
//
// A program that only uses scopes, futures and promises and has no data race computes the
// same result from the same input in each schedule. Isolated sections, cancelled contexts
// and other means of synchronization add choices.
//
// # Failure
//
// A panic ends its task. When all tasks of the scope have ended, Finish (or Sync) panics
// with a [*PanicError]. It holds the first panic, the stack of its task, and the number
// of other panics. runtime.Goexit ends a task like a return.
//
// A cancelled context does not stop running tasks. No more tasks are started, waiting for
// a promise ends with an error, and Finish returns an error.
//
// A Get that can never succeed fails, as far as the package can tell. It can tell in two
// cases: a task has ended that had undertaken to set the promise (see the outputs of
// [Task.Async]; a future undertakes to set itself), or all tasks of the family wait for
// promises or for tasks that do. A task that waits for anything else, such as a channel
// or a system call, counts as one that may still set a promise.
//
// # Sources
//
// Async, finish and isolated follow Habanero Java and X10, as described in "Efficient
// data race detection for async-finish parallelism" (Raman, Zhao, Sarkar, Vechev, Yahav),
// section 2, except that isolated sections may be nested here. Spawn and sync are mapped
// as in section 2.3 of that paper, with an endFinish and a beginFinish for each sync.
// Here beginFinish happens at the first spawn and not at the entry of the function, so
// functions that spawn nothing cost nothing. Promises follow "Dynamic determinacy race
// detection for task-parallel programs with promises" (section 2); futures are promises
// that their task sets at its end. The rule that a task undertakes to set a promise, and
// breaks the promise if it ends without doing so, follows the ownership policy of Voss
// and Sarkar ("An ownership policy and deadlock detector for promises"). A promise
// without an owner, which that policy does not have, may be set by any task of the
// family.
//
// # Instrumented builds
//
// The package reports its events to functions that do nothing in a plain build
// (events.go). taskinstr replaces them. The events are the begin and end of a finish, of
// a task and of an isolated section, and the set and get of a promise, each with its
// scope or promise. All other synchronization inside the package is hidden from the
// detector. Go's own detector (go build -race) takes that synchronization for the
// program's. Its reports are correct, but it misses races between two tasks of which one
// has ended before the other began.
package task
