package task_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"taskinstr/rt/task"
)

// finish runs body as the root of a family, and fails the test if that takes too long.
func finish(t *testing.T, body func(*task.Task)) (err error, panicked any) {
	t.Helper()
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		err = task.Finish(t.Context(), body)
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		buf := make([]byte, 1<<16)
		t.Fatalf("Finish hangs:\n%s", buf[:runtime.Stack(buf, true)])
	}
	return err, panicked
}

// mustFinish is finish for a body that succeeds.
func mustFinish(t *testing.T, body func(*task.Task)) {
	t.Helper()
	if err, p := finish(t, body); err != nil || p != nil {
		t.Fatalf("error %v, panic %v", err, p)
	}
}

// A task may end before its children. Finish still waits for them.
func TestFinishWaitsForGrandchildren(t *testing.T) {
	var ended atomic.Int32
	mustFinish(t, func(t0 *task.Task) {
		t0.Finish(func() {
			t0.Async(func(t1 *task.Task) {
				t1.Async(func(t2 *task.Task) {
					time.Sleep(5 * time.Millisecond)
					t2.Async(func(*task.Task) { time.Sleep(5 * time.Millisecond); ended.Add(1) })
				})
			})
		})
		if ended.Load() != 1 {
			t.Error("the inner Finish has not waited")
		}
	})
}

// An inner Finish does not wait for the tasks of the scope around it.
func TestFinishLeavesOuterTasksAlone(t *testing.T) {
	mustFinish(t, func(t0 *task.Task) {
		hold := make(chan bool)
		t0.Async(func(*task.Task) { <-hold })
		t0.Finish(func() { t0.Async(func(*task.Task) {}) })
		close(hold)
	})
}

func TestManyTasks(t *testing.T) {
	const depth = 14
	var leaves atomic.Int64
	var grow func(t *task.Task, depth int)
	grow = func(t *task.Task, depth int) {
		if depth == 0 {
			leaves.Add(1)
			return
		}
		t.Async(func(t *task.Task) { grow(t, depth-1) })
		t.Async(func(t *task.Task) { grow(t, depth-1) })
	}
	mustFinish(t, func(t *task.Task) { grow(t, depth) })
	if got := leaves.Load(); got != 1<<depth {
		t.Errorf("%d leaves", got)
	}
}

// The function of a spawned task ends with an implicit Sync.
func TestSpawnSyncsAtTheEnd(t *testing.T) {
	var order []string
	mustFinish(t, func(t *task.Task) {
		t.Spawn(func(t *task.Task) {
			t.Spawn(func(*task.Task) {
				time.Sleep(5 * time.Millisecond)
				order = append(order, "grandchild")
			})
		})
		t.Sync()
		order = append(order, "after")
	})
	if !slices.Equal(order, []string{"grandchild", "after"}) {
		t.Error(order)
	}
}

// A Sync of a child waits for the child's own tasks, not for the parent's.
func TestSyncIsTheFunctionsOwn(t *testing.T) {
	mustFinish(t, func(t *task.Task) {
		hold := make(chan bool)
		t.Spawn(func(*task.Task) { <-hold })
		t.Spawn(func(t *task.Task) {
			t.Sync()
			t.Spawn(func(*task.Task) {})
			t.Sync()
			close(hold)
		})
		t.Sync()
	})
}

// A Sync inside of a Finish does not wait for tasks spawned around it.
func TestSyncInFinish(t *testing.T) {
	mustFinish(t, func(t *task.Task) {
		hold := make(chan bool)
		t.Spawn(func(*task.Task) { <-hold })
		t.Finish(func() { t.Sync() })
		close(hold)
	})
}

// A conditional Sync waits for all tasks spawned since the last one.
func TestConditionalSync(t *testing.T) {
	var done [8]bool
	mustFinish(t, func(t0 *task.Task) {
		for i := range done {
			t0.Spawn(func(*task.Task) { done[i] = true })
			if i%3 == 2 {
				t0.Sync()
				if slices.Contains(done[:i+1], false) {
					t.Errorf("behind Sync %d: %v", i, done)
				}
			}
		}
	})
	if slices.Contains(done[:], false) {
		t.Errorf("at the end: %v", done)
	}
}

func TestIsolatedExcludes(t *testing.T) {
	n := 0
	mustFinish(t, func(t *task.Task) {
		t.ForAll(500, func(t *task.Task, i int) {
			t.Isolated(func() {
				t.Isolated(func() { n++ })
			})
		})
	})
	if n != 500 {
		t.Error(n)
	}
}

// A section that panics admits others.
func TestIsolatedPanics(t *testing.T) {
	mustFinish(t, func(t *task.Task) {
		func() {
			defer func() { recover() }()
			t.Isolated(func() { panic("x") })
		}()
		t.Async(func(t *task.Task) { t.Isolated(func() {}) })
	})
}

func TestLoops(t *testing.T) {
	for _, loop := range []struct {
		name string
		run  func(*task.Task, int, func(*task.Task, int)) error
	}{
		{"For", (*task.Task).For},
		{"ForAll", (*task.Task).ForAll},
	} {
		for _, n := range []int{-1, 0, 1, 2, 7, 63, 1000} {
			seen := make([]int, max(n, 0))
			mustFinish(t, func(t *task.Task) {
				loop.run(t, n, func(t *task.Task, i int) {
					t.Spawn(func(*task.Task) { seen[i]++ })
				})
			})
			for i, times := range seen {
				if times != 1 {
					t.Errorf("%s(%d): iteration %d ran %d times", loop.name, n, i, times)
				}
			}
		}
	}
}

// A task spawned by an iteration has ended when the next iteration of the chunk begins.
func TestForSyncsEachIteration(t *testing.T) {
	var mu sync.Mutex
	last := make(map[*task.Task]*bool) // whether the iteration's task has run, by chunk
	mustFinish(t, func(t0 *task.Task) {
		t0.For(1000, func(t1 *task.Task, i int) {
			ran := new(bool)
			mu.Lock()
			before := last[t1]
			last[t1] = ran
			mu.Unlock()
			if before != nil && !*before {
				t.Errorf("iteration %d begins before the last one's task has ended", i)
			}
			t1.Spawn(func(*task.Task) { *ran = true })
		})
	})
}

func TestFutures(t *testing.T) {
	sentinel := errors.New("sentinel")
	mustFinish(t, func(t0 *task.Task) {
		f := task.NewFuture(t0, func(t1 *task.Task) (int, error) {
			time.Sleep(time.Millisecond)
			return 5, sentinel
		})
		for range 3 {
			t0.Async(func(t1 *task.Task) {
				if v, err := f.Get(t1); v != 5 || err != sentinel {
					t.Errorf("got %v, %v", v, err)
				}
			})
		}
	})
}

// A chain of promises is set in the least convenient order.
func TestPromises(t *testing.T) {
	const n = 200
	last := 0
	mustFinish(t, func(t0 *task.Task) {
		p := make([]*task.Promise[int], n+1)
		for i := range p {
			p[i] = task.NewPromise[int](t0)
		}
		for i := range n {
			t0.Async(func(t1 *task.Task) {
				v, err := p[i].Get(t1)
				if err != nil {
					t.Error(err)
				}
				p[i+1].Set(t1, v+1)
			}, p[i+1])
		}
		p[0].Set(t0, 0)
		last, _ = p[n].Get(t0)
	})
	if last != n {
		t.Error(last)
	}
}

// A promise is broken when the task that was to set it ends, in each way that it can end.
func TestBrokenPromises(t *testing.T) {
	for _, end := range []struct {
		name string
		body func(*task.Task)
	}{
		{"return", func(*task.Task) {}},
		{"panic", func(*task.Task) { panic("boom") }},
		{"goexit", func(*task.Task) { runtime.Goexit() }},
	} {
		t.Run(end.name, func(t *testing.T) {
			hold := make(chan bool)
			_, p := finish(t, func(t0 *task.Task) {
				p := task.NewPromise[int](t0)
				f := task.NewFuture(t0, func(t1 *task.Task) (int, error) {
					end.body(t1)
					return 1, nil
				})
				t0.Async(func(*task.Task) { <-hold }) // one task stays active
				t0.Async(end.body, p)
				_, err := p.Get(t0)
				if !errors.Is(err, task.ErrBroken) {
					t.Errorf("promise: %v", err)
				}
				if v, err := f.Get(t0); end.name != "return" && !errors.Is(err, task.ErrBroken) || end.name == "return" && v != 1 {
					t.Errorf("future: %v, %v", v, err)
				}
				var failure *task.PanicError
				if errors.As(err, &failure) != (end.name == "panic") {
					t.Errorf("promise: %v", err)
				}
				close(hold)
			})
			if (p != nil) != (end.name == "panic") {
				t.Errorf("panic %v", p)
			}
		})
	}
}

// A task may pass a promise that it has undertaken to set on to another task.
func TestOutputPassedOn(t *testing.T) {
	mustFinish(t, func(t0 *task.Task) {
		p := task.NewPromise[string](t0)
		t0.Async(func(t1 *task.Task) {
			t1.Async(func(t2 *task.Task) {
				time.Sleep(2 * time.Millisecond)
				p.Set(t2, "set")
			}, p)
		}, p)
		if v, err := p.Get(t0); v != "set" || err != nil {
			t.Errorf("%q, %v", v, err)
		}
	})
}

func TestDeadlocks(t *testing.T) {
	for _, test := range []struct {
		name string
		body func(*task.Task) error
	}{
		{"nobody else", func(t *task.Task) error {
			_, err := task.NewPromise[int](t).Get(t)
			return err
		}},
		{"each waits for the other", func(t *task.Task) error {
			p, q := task.NewPromise[int](t), task.NewPromise[int](t)
			t.Async(func(t *task.Task) { p.Get(t); q.Set(t, 1) }, q)
			_, err := q.Get(t)
			return err // both fail, although the other task then sets q
		}},
		{"a task of the scope waits for what comes behind it", func(t *task.Task) (err error) {
			p := task.NewPromise[int](t)
			t.Finish(func() { t.Async(func(t *task.Task) { _, err = p.Get(t) }) })
			p.Set(t, 1)
			return err
		}},
		{"a child of one that waits in Sync", func(t *task.Task) (err error) {
			p := task.NewPromise[int](t)
			t.Spawn(func(t *task.Task) { _, err = p.Get(t) })
			t.Sync()
			return err
		}},
		{"with a context", func(t *task.Task) (err error) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			t.FinishContext(ctx, func() { _, err = task.NewPromise[int](t).Get(t) })
			return err
		}},
		{"its own future", func(t *task.Task) error {
			var f *task.Future[int]
			ready := make(chan bool)
			f = task.NewFuture(t, func(t *task.Task) (int, error) {
				<-ready
				return f.Get(t)
			})
			close(ready)
			_, err := f.Get(t)
			return err
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 20 {
				var got error
				mustFinish(t, func(t *task.Task) { got = test.body(t) })
				if !errors.Is(got, task.ErrDeadlock) {
					t.Fatalf("got %v", got)
				}
			}
		})
	}
}

// Tasks that end and wait at the same time are no deadlock.
func TestNoFalseDeadlock(t *testing.T) {
	for range 300 {
		mustFinish(t, func(t0 *task.Task) {
			p := make([]*task.Promise[int], 8)
			for i := range p {
				p[i] = task.NewPromise[int](t0)
			}
			for i := range p {
				t0.Async(func(t1 *task.Task) {
					t1.Finish(func() {
						t1.Async(func(t2 *task.Task) {
							if i > 0 {
								if _, err := p[i-1].Get(t2); err != nil {
									t.Error(err)
								}
							}
							t2.Finish(func() { t2.Async(func(t3 *task.Task) { p[i].Set(t3, i) }) })
						})
					})
				})
			}
			if _, err := p[7].Get(t0); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestMisuse(t *testing.T) {
	for _, test := range []struct {
		name, want string
		body       func(*task.Task)
	}{
		{"second Set", "second Set", func(t *task.Task) {
			p := task.NewPromise[int](t)
			p.Set(t, 1)
			p.Set(t, 2)
		}},
		{"Set behind break", "undertaken", func(t *task.Task) {
			p := task.NewPromise[int](t)
			t.Finish(func() { t.Async(func(*task.Task) {}, p) })
			p.Set(t, 2)
		}},
		{"Set of another's output", "undertaken", func(t *task.Task) {
			p := task.NewPromise[int](t)
			t.Async(func(t *task.Task) { p.Set(t, 1) }, p)
			p.Set(t, 2)
		}},
		{"output of two", "another task has undertaken", func(t *task.Task) {
			p := task.NewPromise[int](t)
			t.Async(func(t *task.Task) { p.Set(t, 1) }, p)
			t.Async(func(t *task.Task) {}, p)
		}},
		{"zero promise", "NewPromise has not made", func(t *task.Task) { new(task.Promise[int]).Get(t) }},
		{"another family", "another family", func(t *task.Task) {
			p := task.NewPromise[int](t)
			task.Finish(t.Context(), func(t *task.Task) { p.Set(t, 1) })
		}},
		{"nil context", "nil context", func(t *task.Task) { t.FinishContext(nil, func() {}) }},
		{"Async in Isolated", "Async in an Isolated section", func(t *task.Task) {
			t.Isolated(func() { t.Async(func(*task.Task) {}) })
		}},
		{"Finish in Isolated", "Finish in an Isolated section", func(t *task.Task) {
			t.Isolated(func() { t.Finish(func() {}) })
		}},
		{"Spawn in Isolated", "Spawn in an Isolated section", func(t *task.Task) {
			t.Isolated(func() { t.Spawn(func(*task.Task) {}) })
		}},
		{"Get in Isolated", "Get in an Isolated section", func(t *task.Task) {
			p := task.NewPromise[int](t)
			t.Isolated(func() {
				p.Set(t, 1) // that is allowed
				p.Get(t)
			})
		}},
		{"For in Isolated", "Finish in an Isolated section", func(t *task.Task) {
			t.Isolated(func() { t.For(1, func(*task.Task, int) {}) })
		}},
		{"ended task", "has ended", func(t *task.Task) {
			var old *task.Task
			t.Finish(func() { t.Async(func(t *task.Task) { old = t }) })
			old.Async(func(*task.Task) {})
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, p := finish(t, test.body)
			text, ok := p.(string)
			if !ok || !strings.HasPrefix(text, "task: ") || !strings.Contains(text, test.want) {
				t.Errorf("panic %v", p)
			}
		})
	}
}

func TestPanics(t *testing.T) {
	sentinel := errors.New("sentinel")
	var ran atomic.Bool
	_, p := finish(t, func(t *task.Task) {
		t.Finish(func() {
			t.Async(func(*task.Task) { time.Sleep(2 * time.Millisecond); ran.Store(true) })
			t.Async(func(*task.Task) { blowUp(sentinel) })
		})
	})
	failure, ok := p.(*task.PanicError)
	if !ok || failure.Value != error(sentinel) || !errors.Is(failure, sentinel) || failure.Others != 0 {
		t.Fatalf("panic %v", p)
	}
	if !strings.Contains(string(failure.Stack), "task_test.blowUp(") || !strings.Contains(failure.Error(), "sentinel") {
		t.Errorf("the error does not show where the task panicked:\n%v", failure)
	}
	if !ran.Load() {
		t.Error("Finish has not waited for the other task")
	}
}

func blowUp(err error) { panic(err) }

func TestPanicsAreCounted(t *testing.T) {
	for _, test := range []struct {
		name string
		body func(*task.Task)
	}{
		{"siblings", func(t *task.Task) { t.ForAll(10, func(*task.Task, int) { panic(1) }) }},
		{"spawned", func(t *task.Task) {
			for range 10 {
				t.Spawn(func(*task.Task) { panic(1) })
			}
		}},
		{"below each other", func(t *task.Task) {
			for range 5 {
				t.Async(func(t *task.Task) {
					t.Spawn(func(*task.Task) { panic(1) })
					panic(1)
				})
			}
		}},
		{"the body, too", func(t *task.Task) {
			for range 9 {
				t.Async(func(*task.Task) { panic(1) })
			}
			panic(1)
		}},
	} {
		_, p := finish(t, test.body)
		failure, ok := p.(*task.PanicError)
		if !ok || failure.Value != 1 || failure.Others != 9 {
			t.Errorf("%s: %v", test.name, p)
		}
	}
}

// A panic of the body continues unchanged, after the tasks.
func TestPanicOfTheBody(t *testing.T) {
	var ended atomic.Bool
	_, p := finish(t, func(t *task.Task) {
		t.Async(func(*task.Task) { time.Sleep(2 * time.Millisecond); ended.Store(true) })
		panic("body")
	})
	if p != "body" || !ended.Load() {
		t.Errorf("panic %v, the task has ended: %v", p, ended.Load())
	}
}

func TestSyncPanics(t *testing.T) {
	mustFinish(t, func(t0 *task.Task) {
		defer func() {
			if p, ok := recover().(*task.PanicError); !ok || p.Value != "x" {
				t.Errorf("panic %v", p)
			}
		}()
		t0.Spawn(func(*task.Task) { panic("x") })
		t0.Sync()
		t.Error("Sync has returned")
	})
}

// The body may end by runtime.Goexit, as in a test that fails.
func TestGoexit(t *testing.T) {
	var ended bool
	done := make(chan bool)
	go func() {
		defer close(done)
		task.Finish(context.Background(), func(t *task.Task) {
			t.Async(func(*task.Task) { ended = true; runtime.Goexit() })
			runtime.Goexit()
		})
		t.Error("Finish has returned")
	}()
	<-done
	if !ended {
		t.Error("Finish has not waited")
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	err := task.Finish(ctx, func(t0 *task.Task) {
		never, late := task.NewPromise[int](t0), task.NewPromise[int](t0)
		hold, gaveUp := make(chan bool), make(chan bool)
		t0.Async(func(*task.Task) { <-hold }) // one task stays active
		t0.Async(func(t1 *task.Task) {
			if _, err := never.Get(t1); !errors.Is(err, context.Canceled) {
				t.Errorf("Get: %v", err)
			}
			close(gaveUp)
		})
		time.Sleep(time.Millisecond)
		cancel()
		<-gaveUp
		t0.Async(func(*task.Task) { t.Error("Async started a task") }, late)
		f := task.NewFuture(t0, func(*task.Task) (int, error) { t.Error("NewFuture started a task"); return 0, nil })
		t0.Spawn(func(*task.Task) { t.Error("Spawn started a task") })
		t0.For(5, func(*task.Task, int) { t.Error("For ran an iteration") })
		for _, get := range []func(*task.Task) (int, error){late.Get, f.Get} {
			if _, err := get(t0); !errors.Is(err, task.ErrBroken) || !errors.Is(err, context.Canceled) {
				t.Errorf("a promise of a task that was not started: %v", err)
			}
		}
		never.Set(t0, 1)
		if v, err := never.Get(t0); v != 1 || err != nil {
			t.Errorf("a promise that is set: %v, %v", v, err)
		}
		close(hold)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Finish: %v", err)
	}
}

// A context that ends a wait must leave the family's count of active tasks correct.
func TestTimeoutsAndSets(t *testing.T) {
	for range 200 {
		mustFinish(t, func(t0 *task.Task) {
			p := task.NewPromise[int](t0)
			ctx, cancel := context.WithCancel(t0.Context())
			t0.FinishContext(ctx, func() {
				for range 4 {
					t0.Async(func(t1 *task.Task) {
						if _, err := p.Get(t1); err != nil && !errors.Is(err, context.Canceled) {
							t.Error(err)
						}
					})
				}
				t0.Async(func(t1 *task.Task) { p.Set(t1, 1) })
				go cancel()
			})
			cancel()
			q := task.NewPromise[int](t0)
			t0.Finish(func() {
				t0.Async(func(t1 *task.Task) {
					if _, err := q.Get(t1); !errors.Is(err, task.ErrDeadlock) {
						t.Errorf("want a deadlock, got %v", err)
					}
				})
			})
		})
	}
}
