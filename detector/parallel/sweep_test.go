package parallel

import (
	"math/rand/v2"
	"testing"
)

// A sweep forgets an access that all tasks follow but those that await a release.
func TestAwaits(t *testing.T) {
	for _, awaits := range []bool{false, true} {
		e, m := newEngine(t, Options{})
		w, a := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
		e.Access(w, heap+8, 8, Write, 1, 1, 0)
		e.Access(a, heap, 8, Write, 1, 1, 0)
		e.Release(a, heap+64)
		e.End(a)
		e.Acquire(m, heap+64)
		w.Awaits = awaits
		e.Sweep()
		if n := e.tasks.Used(); (n == 2) != awaits {
			t.Errorf("awaits %v: %d tasks are known after the sweep", awaits, n)
		}
		e.Access(m, heap, 8, Write, 2, 2, 0)
		e.Release(m, heap+64)
		e.Acquire(w, heap+64)
		e.Access(w, heap, 8, Write, 3, 3, 0)
		if e.races != 0 {
			t.Errorf("awaits %v: %d races in order", awaits, e.races)
		}
		if e.Access(m, heap+8, 8, Write, 2, 2, 0); e.races != 1 {
			t.Errorf("awaits %v: the access of the task that waits races with none", awaits)
		}
		e.Close()
	}
}

// What a sweep calls passed precedes each live task, and nothing else does.
func TestPassed(t *testing.T) {
	const tasks, locks = 150, 40
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		e, m := newEngine(t, Options{})
		live := []*Task{m}
		passed, left := 0, 0
		for range 4000 {
			k := r.IntN(len(live))
			u := live[k]
			switch r.IntN(12) {
			case 0:
				if len(live) < tasks {
					live = append(live, e.Fork(u, 0, 0))
				}
			case 1:
				if k > 0 && u.nHolds == 0 && len(live) > tasks/2 {
					e.Release(u, heap+1<<16)
					e.End(u)
					live[k] = live[len(live)-1]
					live = live[:len(live)-1]
				}
			case 2, 3, 4:
				e.Access(u, heap+8*uintptr(r.IntN(1000)), 8, Kind(r.IntN(2)), 1, 1, 0)
			case 5:
				if l := heap + 1<<17 + 64*uintptr(k); u.nHolds == 0 {
					e.Lock(u, l, false)
				}
			case 6:
				if u.nHolds != 0 {
					e.Unlock(u, e.holdAt(u, 0).addr, false)
				}
			case 7, 8:
				e.Release(u, heap+1<<16+64*uintptr(r.IntN(locks)))
			default:
				e.Acquire(u, heap+1<<16+64*uintptr(r.IntN(locks)))
			}
		}
		for _, u := range live {
			u.Awaits = r.IntN(8) == 0
		}
		s := sweep{e: e}
		s.pass()
		for i := uint32(1); i < e.records.Next; i++ {
			p := e.record(i)
			if p.task == 0 || p.task >= e.tasks.Next || p.step == 0 {
				continue
			}
			want := true
			for _, u := range live {
				want = want && (u.Awaits || e.beforeWeak(u, p.task, p.step) && e.endedBefore(u, p))
			}
			if got := s.forgettable(p); got != want {
				t.Fatalf("seed %d: task %d, step %d passed: %v, want %v", seed, p.task, p.step, got, want)
			}
			if want {
				passed++
			} else {
				left++
			}
		}
		if passed == 0 || left == 0 {
			t.Errorf("seed %d: %d passed, %d left", seed, passed, left)
		}
		e.Close()
	}
}
