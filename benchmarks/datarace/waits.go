package datarace

import (
	"sync"

	"taskinstr/benchmarks/drdp/promise"
	"taskinstr/benchmarks/model"
)

// counters forks a task that increments x and one that decrements y; main gets one
// promise or both before it reads x and y.
func counters(both bool) func() {
	return func() {
		x, y := 0, 2
		var wg sync.WaitGroup
		first, second := promise.NewDone(), promise.NewDone()
		wg.Go(func() {
			x++
			first.Set()
		})
		wg.Go(func() {
			y--
			second.Set()
		})
		first.Get()
		if both {
			second.Get()
		}
		use(x)
		use(y)
		wg.Wait()
	}
}

func countersModel(both bool) func(t *model.Task, v Vars) {
	return func(t *model.Task, v Vars) {
		x, y := v("x"), v("y")
		t.Write(x)
		t.Write(y)
		first, second := t.Promise(), t.Promise()
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Update(x)
				t.Set(first)
			})
			t.Async(func(t *model.Task) {
				t.Update(y)
				t.Set(second)
			})
			t.Get(first)
			if both {
				t.Get(second)
			}
			t.Read(x)
			t.Read(y)
		})
	}
}

var partialWait = Program{
	Number: 131, Name: "taskdep4-omp45",
	Doc:  "main waits for the first of two tasks and reads what both write",
	Racy: []string{"y"},
	Run:  counters(false), Model: countersModel(false),
}

var fullWait = Program{
	Number: 132, Name: "taskdep4-omp45",
	Doc: "main waits for both",
	Run: counters(true), Model: countersModel(true),
}

// chain forks a task that increments x and one that depends on it and subtracts x
// from y.
func chain(both bool) func() {
	return func() {
		x, y := 0, 2
		var wg sync.WaitGroup
		first, second := promise.NewDone(), promise.NewDone()
		wg.Go(func() {
			x++
			first.Set()
		})
		wg.Go(func() {
			first.Get()
			y -= x
			second.Set()
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

func chainModel(both bool) func(t *model.Task, v Vars) {
	return func(t *model.Task, v Vars) {
		x, y := v("x"), v("y")
		t.Write(x)
		t.Write(y)
		first, second := t.Promise(), t.Promise()
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Update(x)
				t.Set(first)
			})
			t.Async(func(t *model.Task) {
				t.Get(first)
				t.Read(x)
				t.Update(y)
				t.Set(second)
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

var twoWaits = Program{
	Number: 133, Name: "taskdep5-omp45",
	Doc: "main waits for a task and for one that depends on it",
	Run: chain(true), Model: chainModel(true),
}

var oneWait = Program{
	Number: 134, Name: "taskdep5-omp45",
	Doc:  "main waits for the first only and reads what the second writes",
	Racy: []string{"y"},
	Run:  chain(false), Model: chainModel(false),
}
