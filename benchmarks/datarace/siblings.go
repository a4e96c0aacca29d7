package datarace

import (
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

var flow = Program{
	Number: 72, Name: "taskdep1",
	Doc: "a task writes what the task before it wrote",
	Run: func() {
		var i int
		var wg sync.WaitGroup
		first := promise.NewDone()
		wg.Go(func() {
			i = 1
			first.Set()
		})
		wg.Go(func() {
			first.Get()
			i = 2
		})
		wg.Wait()
		use(i)
	},
	Model: func(t *model.Task, v Vars) {
		i, first := v("i"), t.Promise()
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Write(i)
				t.Set(first)
			})
			t.Async(func(t *model.Task) {
				t.Get(first)
				t.Write(i)
			})
		})
		t.Read(i)
	},
}

var output = Program{
	Number: 78, Name: "taskdep2",
	Doc: "the same with the later task forked first, so that it has to wait",
	Run: func() {
		var i int
		var wg sync.WaitGroup
		first := promise.NewDone()
		wg.Go(func() {
			first.Get()
			i = 2
		})
		wg.Go(func() {
			i = 1
			first.Set()
		})
		wg.Wait()
		use(i)
	},
	Model: func(t *model.Task, v Vars) {
		i, first := v("i"), t.Promise()
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Get(first)
				t.Write(i)
			})
			t.Async(func(t *model.Task) {
				t.Write(i)
				t.Set(first)
			})
		})
		t.Read(i)
	},
}

var fanOut = Program{
	Number: 79, Name: "taskdep3",
	Doc: "two tasks read what one wrote",
	Run: func() {
		var i, j, k int
		var wg sync.WaitGroup
		written := promise.NewDone()
		wg.Go(func() {
			i = 1
			written.Set()
		})
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
		i, j, k, written := v("i"), v("j"), v("k"), t.Promise()
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Write(i)
				t.Set(written)
			})
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

var sink int

// use keeps a result from being optimized away.
func use(v int) { sink += v }
