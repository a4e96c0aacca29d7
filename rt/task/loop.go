package task

import "runtime"

// tasksPerProcessor is how many tasks For makes for each processor, so that chunks of
// unequal work even out.
const tasksPerProcessor = 4

// For runs body for each i from 0 to n-1 and waits for all that was started in it. The
// iterations may run in parallel, in any order: chunks of neighbours run one after the
// other in a task, a few chunks for each processor. So For is cheap for many small
// iterations.
//
// Iterations of one chunk are ordered, hence a race of two neighbours cannot be seen. In
// an instrumented build loops of up to 16,384 iterations make each a task, and longer
// ones make that many chunks. [Task.ForAll] makes each a task in any build.
//
// When the scope's context is cancelled no more iterations begin, and For returns the
// error as [Finish] does.
func (t *Task) For(n int, body func(t *Task, i int)) error {
	chunks := loopTasks
	if chunks == 0 {
		chunks = tasksPerProcessor * runtime.GOMAXPROCS(0)
	}
	return t.loop(n, chunks, body)
}

// ForAll runs body for each i from 0 to n-1, each in a task of its own, and waits for
// all that was started in it. Iterations may wait for each other by promises. An
// iteration costs as much as Async. Context and error are those of [Task.For].
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
