package datarace

import (
	"sync"

	"taskinstr/benchmarks/drdp/promise"
	"taskinstr/benchmarks/model"
)

// nested forks two tasks, the second of which depends on the first; each forks a
// task that increments a. A promise orders siblings only: the promise of the first outer
// task says nothing about its child, unless the outer task waits for the child.
func nested(wait bool) func() {
	return func() {
		var a int
		var wg sync.WaitGroup
		increment := func() {
			if inner := future(&wg, func() { a++ }); wait {
				inner.Get()
			}
		}
		first := future(&wg, increment)
		wg.Go(func() {
			first.Get()
			increment()
		})
		wg.Wait()
		use(a)
	}
}

// nestedModel is the model of nested.
func nestedModel(wait bool) func(t *model.Task, v Vars) {
	return func(t *model.Task, v Vars) {
		a := v("a")
		increment := func(t *model.Task) {
			if inner := t.Future(func(t *model.Task) { t.Update(a) }); wait {
				t.Get(inner)
			}
		}
		t.Finish(func() {
			first := t.Future(increment)
			t.Async(func(t *model.Task) {
				t.Get(first)
				increment(t)
			})
		})
		t.Read(a)
	}
}

var cousins = Program{
	Number: 173, Name: "non-sibling-taskdep",
	Doc:  "children of tasks that depend on each other do not",
	Racy: []string{"a"},
	Run:  nested(false), Model: nestedModel(false),
}

var cousinsWaited = Program{
	Number: 174, Name: "non-sibling-taskdep",
	Doc: "the tasks wait for their children",
	Run: nested(true), Model: nestedModel(true),
}

// threads is the number of outer tasks of strangers.
const threads = 4

var strangers = Program{
	Number: 175, Name: "non-sibling-taskdep2",
	Doc:  "tasks of different parents increment a variable; each parent gets the promise of its own task only",
	Racy: []string{"a"},
	Run: func() {
		var a int
		var wg sync.WaitGroup
		for range threads {
			wg.Go(func() { promise.Do(func() { a++ }).Get() })
		}
		wg.Wait()
		use(a)
	},
	Model: func(t *model.Task, v Vars) {
		a := v("a")
		t.Finish(func() {
			for range threads {
				t.Async(func(t *model.Task) {
					t.Get(t.Future(func(t *model.Task) { t.Update(a) }))
				})
			}
		})
		t.Read(a)
	},
}
