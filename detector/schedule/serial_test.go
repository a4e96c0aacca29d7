package schedule

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func serial() *machine {
	m := newMachine()
	m.strategy = depthFirst(&m.ts, 0)
	return m
}

func (m *machine) run(t *testing.T, f func(*model), want string) {
	t.Helper()
	m.start(0, f)
	m.loop()
	m.ran(t, want)
}

// ran fails unless a run has printed what is wanted and ended all tasks.
func (m *machine) ran(t *testing.T, want string) {
	t.Helper()
	if got := strings.TrimSpace(m.log.String()); got != want {
		t.Errorf("ran\n%s\nwant\n%s", got, want)
	}
	if len(m.tasks) > 0 {
		t.Errorf("%d tasks are left", len(m.tasks))
	}
}

func TestSerialIsDepthFirst(t *testing.T) {
	serial().run(t, func(x *model) {
		for i := range 2 {
			x.fork(func(x *model) {
				x.printf("a%d", i)
				x.fork(func(x *model) { x.printf("b%d", i) })
				x.printf("c%d", i)
			})
			x.printf("d%d", i)
		}
	}, "a0 b0 c0 d0 a1 b1 c1 d1")
}

// If a task blocks, its parent continues. Once the task is woken, it runs as soon as the
// running task ends, before the parent of the running task.
func TestSerialWoken(t *testing.T) {
	serial().run(t, func(x *model) {
		var blocked [2]*model
		for i := range 2 {
			x.fork(func(x *model) {
				blocked[i] = x
				x.block()
				x.printf("woken%d", i)
			})
		}
		x.printf("forks")
		x.fork(func(x *model) {
			x.m.wake(blocked[1], Woken)
			x.m.wake(blocked[0], Woken)
			x.printf("ends")
		})
		x.printf("main")
	}, "forks ends woken0 woken1 main")
}

func TestSerialYield(t *testing.T) {
	serial().run(t, func(x *model) {
		x.fork(func(x *model) {
			x.printf("1")
			x.yield()
			x.printf("4")
			x.yield()
			x.printf("6")
		})
		x.printf("2")
		x.fork(func(x *model) {
			x.printf("3")
			x.yield()
			x.printf("5")
		})
		x.yield()
		x.printf("main")
	}, "1 2 3 4 5 main 6")
}

// Two tasks that wake each other for ever do not keep a third task from running.
func TestSerialIsFair(t *testing.T) {
	stop := false
	turns := 0
	serial().run(t, func(x *model) {
		var a, b *model
		ping := func(me, other **model) func(*model) {
			return func(x *model) {
				*me = x
				for !stop {
					turns++
					if *other != nil && *other != x && !x.m.ts.IsReady((*other).id) {
						x.m.wake(*other, Woken)
					}
					if !stop {
						x.block()
					}
				}
				if o := *other; o != nil && !o.over && !x.m.ts.IsReady(o.id) {
					x.m.wake(o, Woken)
				}
			}
		}
		x.fork(ping(&a, &b))
		x.fork(ping(&b, &a))
		stop = true
		x.printf("stopped")
		if !x.m.ts.IsReady(a.id) && !a.over {
			x.m.wake(a, Woken)
		}
	}, "stopped")
	if turns < fairAfter {
		t.Errorf("%d turns: the two did not play", turns)
	}
}

// The list of living tasks agrees with the order defined by the tree.
func TestOrder(t *testing.T) {
	var ts Tasks
	ts.Init()
	r := rand.New(rand.NewPCG(1, 2))
	want := []ID{ts.Fork(0, 0)}
	for step := range 200_000 {
		i := r.IntN(len(want))
		if len(want) > 1 && (step > 150_000 || r.IntN(3) == 0) {
			if want[i] != want[len(want)-1] {
				ts.End(want[i])
				want = append(want[:i], want[i+1:]...)
			}
			continue
		}
		if step%2 == 0 {
			i = len(want) - 1 // many children of one task exhaust the labels
		}
		c := ts.Fork(want[i], 0)
		want = append(want[:i], append([]ID{c}, want[i:]...)...)
	}
	if int(ts.Living()) != len(want) {
		t.Fatalf("%d live, want %d", ts.Living(), len(want))
	}
	x := ts.First()
	for i, w := range want {
		if x != w {
			t.Fatalf("place %d has task %d, want %d", i, x, w)
		}
		next := ts.After(x)
		if next != 0 && !ts.precedes(x, next) {
			t.Fatalf("place %d: labels do not grow", i)
		}
		x = next
	}
}

// The heap with removals agrees with sorting.
func TestHeap(t *testing.T) {
	var ts Tasks
	ts.Init()
	main := ts.Fork(0, 0)
	var ids []ID
	for range 500 {
		ids = append(ids, ts.Fork(main, 0))
	}
	r := rand.New(rand.NewPCG(3, 4))
	var h heap
	in := map[ID]bool{}
	for range 100_000 {
		x := ids[r.IntN(len(ids))]
		switch {
		case in[x]:
			h.remove(&ts, x)
			delete(in, x)
		case r.IntN(3) > 0:
			h.push(&ts, x)
			in[x] = true
		default:
			want := ID(0)
			for _, id := range ids {
				if in[id] {
					want = id // IDs are in depth-first order
					break
				}
			}
			if got := h.pop(&ts); got != want {
				t.Fatalf("pop is %d, want %d", got, want)
			}
			delete(in, want)
		}
	}
}

// A chain of tasks, each of which makes the next, and many children of one task occupy no
// memory once they have ended.
func TestMemory(t *testing.T) {
	var ts Tasks
	ts.Init()
	main := ts.Fork(0, 0)
	x := ts.Fork(main, 0)
	for range 1_000_000 {
		y := ts.Fork(x, 0)
		ts.End(x)
		x = y
		ts.End(ts.Fork(main, 0))
	}
	if ts.n > 3*maxPath {
		t.Errorf("%d entries are in use or were", ts.n)
	}
}
