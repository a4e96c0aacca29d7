package task

import "runtime"

// tasksPerProcessor is the number of tasks that For makes for each processor, so that
// chunks with unequal work balance out.
const tasksPerProcessor = 4

// For runs body for each i from 0 to n-1 and waits for all tasks started in it. The
// iterations may run in parallel, in any order: each task runs a chunk of neighbouring
// iterations one after the other, and each processor gets a few chunks. So For is cheap
// for many small iterations.
//
// Iterations of one chunk are ordered, so a detector cannot find a race between them. In
// an instrumented build a loop of up to 16,384 iterations makes a task for each, and a
// longer one makes that many chunks. [Task.ForAll] makes a task for each iteration in any
// build.
//
// When the scope's context is cancelled no more iterations begin, and For returns the
// same error as [Finish].
func (t *Task) For(n int, body func(t *Task, i int)) error {
	chunks := loopTasks
	if chunks == 0 {
		chunks = tasksPerProcessor * runtime.GOMAXPROCS(0)
	}
	return t.loop(n, chunks, body)
}

// ForAll runs body for each i from 0 to n-1, each in its own task, and waits for all
// tasks started in it. Iterations may wait for each other with promises. An iteration
// costs as much as an Async. Context and error are as for [Task.For].
func (t *Task) ForAll(n int, body func(t *Task, i int)) error {
	return t.loop(n, n, body)
}

// loop runs n iterations in at most the given number of tasks.
func (t *Task) loop(n, chunks int, body func(t *Task, i int)) error {
	return t.Finish(func() {
		chunks = min(chunks, n)
		next := 0
		for c := range chunks {
			lo, hi := next, next+(n-next)/(chunks-c)
			next = hi
			t.Async(func(t *Task) {
				for i := lo; i < hi && !t.base.stopped(); i++ {
					body(t, i)
					t.closeTo(t.base)
				}
			})
		}
	})
}
