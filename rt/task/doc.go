// Package task has structured tasks: goroutines that are started and waited for in
// nested scopes, so that the structure of a program says which of its steps can run in
// parallel. It works in any build, over plain goroutines. In a program that taskinstr
// instruments, the race detector knows that structure exactly.
//
//	err := task.Finish(ctx, func(t *task.Task) {
//		t.Async(func(t *task.Task) { left = sum(t, tree.left) })
//		right = sum(t, tree.right)
//	})
//
// # Terms
//
// A task is a function that runs in a goroutine of its own. Its [Task], the argument t
// above, stands for it in each operation: starting other tasks, waiting for them, getting
// promises. A function that a task runs uses the Task that it was given, which has the
// same name as the one outside as a rule and hides it.
//
// A scope is what tasks are waited for together. [Finish] and [Task.Finish] open a scope,
// run a function in it, and end it when all tasks have ended that were started in it,
// those that they have started, and so on. A task is started in the innermost open scope of
// its parent, and begins with that scope as its own. It may end before the tasks that it
// has started: such computations are called terminally strict.
//
// A family is all tasks below one call of the function [Finish].
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
// # What a function can rely on
//
// What a task does before it starts another comes before all that the other does. What
// tasks do comes before what follows the Finish or Sync that waits for them. What a task
// does before it sets a promise, or before it ends as a future, comes before what those do
// who have got the value. Isolated sections come one after the other, in any order.
// Nothing else is ordered: a detector that sees a race has seen one, whatever locks and
// channels this package works with.
//
// A program that uses scopes, futures and promises alone, and has no data race, computes
// the same from the same input in each schedule. Isolated sections, contexts that are
// cancelled and other means of package sync add choices.
//
// # Failure
//
// A panic of a task ends the task. When all tasks of its scope have ended, Finish (or Sync)
// panics with a [*PanicError]: the first panic, the stack of its task, and how many others
// there were. runtime.Goexit ends a task like a return.
//
// A cancelled context stops no task that runs. No more are started, waiting for promises
// ends with an error, and Finish returns one.
//
// A Get that cannot succeed fails. The package knows that of a promise that an ended task
// had undertaken to set (the outputs of [Task.Async], and futures) and when all tasks of
// the family wait for promises or for tasks that do. A task that waits elsewhere, on a
// channel or in a system call, counts as one that may yet set a promise.
//
// # Sources
//
// Async, finish and isolated are those of Habanero Java and X10, as in "Efficient data race
// detection for async-finish parallelism" (Raman, Zhao, Sarkar, Vechev, Yahav), section 2:
// in contrast to that language isolated sections may be nested. Spawn and sync are mapped
// as in its section 2.3, endFinish and beginFinish for each sync, with the difference that
// beginFinish comes with the first spawn and not at the entry of the function, so functions
// that spawn nothing cost nothing. Promises are those of "Dynamic determinacy race
// detection for task-parallel programs with promises" (section 2), futures promises that
// their task sets at its end. That a task undertakes to set a promise, and breaks it by
// ending, follows the ownership policy of Voss and Sarkar ("An ownership policy and
// deadlock detector for promises"); a promise without an owner, which that policy does not
// have, may be set by any task of the family.
//
// # Instrumented builds
//
// The package makes its events known to functions that do nothing in a plain build
// (events.go). taskinstr replaces them: finish begin and end, task begin and end, promise
// set and got, isolated begin and end, each with the scope or promise. What the package does
// in between is hidden from the detector. Go's own detector (go build -race) takes the
// package's counters for synchronization of the program: what it reports is a race, but it
// misses races between tasks of which one has ended before the other began.
package task
