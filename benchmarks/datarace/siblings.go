package datarace

import (
	"slices"
	"sync"

	"taskinstr/benchmarks/drdp/promise"
	"taskinstr/benchmarks/model"
)

var missing = Program{
	Number: 27, Name: "taskdependmissing",
	Doc:  "two tasks write a variable, none depends on the other",
	Racy: []string{"i"},
	Run: func() {
		var i int
		var wg sync.WaitGroup
		wg.Go(func() { i = 1 })
		wg.Go(func() { i = 2 })
		wg.Wait()
		use(i)
	},
	Model: func(t *model.Task, v Vars) {
		i := v("i")
		t.Finish(func() {
			t.Async(func(t *model.Task) { t.Write(i) })
			t.Async(func(t *model.Task) { t.Write(i) })
		})
		t.Read(i)
	},
}

// overwrites forks a task that writes i and a task that depends on it and writes i
// again. The dependent task is forked first, and has to wait, if reversed is set.
func overwrites(reversed bool) func() {
	return func() {
		var i int
		var wg sync.WaitGroup
		first := promise.NewDone()
		tasks := []func(){
			func() {
				i = 1
				first.Set()
			},
			func() {
				first.Get()
				i = 2
			},
		}
		if reversed {
			slices.Reverse(tasks)
		}
		for _, task := range tasks {
			wg.Go(task)
		}
		wg.Wait()
		use(i)
	}
}

// overwritesModel is the model of overwrites.
func overwritesModel(reversed bool) func(t *model.Task, v Vars) {
	return func(t *model.Task, v Vars) {
		i, first := v("i"), t.Promise()
		tasks := []func(*model.Task){
			func(t *model.Task) {
				t.Write(i)
				t.Set(first)
			},
			func(t *model.Task) {
				t.Get(first)
				t.Write(i)
			},
		}
		if reversed {
			slices.Reverse(tasks)
		}
		t.Finish(func() {
			for _, task := range tasks {
				t.Async(task)
			}
		})
		t.Read(i)
	}
}

var flow = Program{
	Number: 72, Name: "taskdep1",
	Doc: "a task writes what the task before it wrote",
	Run: overwrites(false), Model: overwritesModel(false),
}

var output = Program{
	Number: 78, Name: "taskdep2",
	Doc: "the same with the later task forked first, so that it has to wait",
	Run: overwrites(true), Model: overwritesModel(true),
}

var fanOut = Program{
	Number: 79, Name: "taskdep3",
	Doc: "two tasks read what one wrote",
	Run: func() {
		var i, j, k int
		var wg sync.WaitGroup
		written := future(&wg, func() { i = 1 })
		wg.Go(func() {
			written.Get()
			j = i
		})
		wg.Go(func() {
			written.Get()
			k = i
		})
		wg.Wait()
		use(j + k)
	},
	Model: func(t *model.Task, v Vars) {
		i, j, k := v("i"), v("j"), v("k")
		t.Finish(func() {
			written := t.Future(func(t *model.Task) { t.Write(i) })
			for _, copied := range []model.Var{j, k} {
				t.Async(func(t *model.Task) {
					t.Get(written)
					t.Read(i)
					t.Write(copied)
				})
			}
		})
		t.Read(j)
		t.Read(k)
	},
}
