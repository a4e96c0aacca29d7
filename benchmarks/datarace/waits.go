package datarace

import (
	"sync"

	"taskinstr/benchmarks/model"
)

// waits forks a task that increments x and a task that changes y. The second task
// depends on the first and subtracts x from y if dependent is set; otherwise it
// decrements y. Main gets the first task's promise before it reads x. It gets the second
// task's promise before it reads y only if both is set.
func waits(dependent, both bool) func() {
	return func() {
		x, y := 0, 2
		var wg sync.WaitGroup
		first := future(&wg, func() { x++ })
		second := future(&wg, func() {
			if dependent {
				first.Get()
				y -= x
			} else {
				y--
			}
		})
		first.Get()
		use(x)
		if both {
			second.Get()
		}
		use(y)
		wg.Wait()
	}
}

// waitsModel is the model of waits.
func waitsModel(dependent, both bool) func(t *model.Task, v Vars) {
	return func(t *model.Task, v Vars) {
		x, y := v("x"), v("y")
		t.Write(x)
		t.Write(y)
		t.Finish(func() {
			first := t.Future(func(t *model.Task) { t.Update(x) })
			second := t.Future(func(t *model.Task) {
				if dependent {
					t.Get(first)
					t.Read(x)
				}
				t.Update(y)
			})
			t.Get(first)
			t.Read(x)
			if both {
				t.Get(second)
			}
			t.Read(y)
		})
	}
}

var partialWait = Program{
	Number: 131, Name: "taskdep4-omp45",
	Doc:  "main waits for the first of two tasks and reads what both write",
	Racy: []string{"y"},
	Run:  waits(false, false), Model: waitsModel(false, false),
}

var fullWait = Program{
	Number: 132, Name: "taskdep4-omp45",
	Doc: "main waits for both",
	Run: waits(false, true), Model: waitsModel(false, true),
}

var twoWaits = Program{
	Number: 133, Name: "taskdep5-omp45",
	Doc: "main waits for a task and for one that depends on it",
	Run: waits(true, true), Model: waitsModel(true, true),
}

var oneWait = Program{
	Number: 134, Name: "taskdep5-omp45",
	Doc:  "main waits for the first only and reads what the second writes",
	Racy: []string{"y"},
	Run:  waits(true, false), Model: waitsModel(true, false),
}
