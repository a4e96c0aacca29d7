package parallel

import "testing"

// Acquired knows an object that the task has not visited by what the task knows of its release.
func TestAcquired(t *testing.T) {
	e, m := newEngine(t, Options{})
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	const x, y, z, none = heap + 1<<15, heap + 1<<15 + 64, heap + 1<<15 + 128, heap + 1<<15 + 192
	ask := func(when string, addr uintptr, want bool) {
		t.Helper()
		if got := e.Acquired(b, addr); got != want {
			t.Errorf("%s: Acquired is %v", when, got)
		}
	}
	ask("no object near", x, true)
	e.Release(a, x)
	e.Release(a, y)
	ask("a release", x, false)
	ask("another word", none, true)
	e.Acquire(b, y)
	ask("an earlier release by a known task", x, true)
	e.Release(a, x)
	ask("a later one", x, false)
	e.Release(a, z)
	e.Acquire(b, z)
	e.ReleaseMerge(b, x)
	ask("its own release of all it knows", x, true)
	e.ReleaseMerge(a, x)
	ask("releases of two tasks that do not follow each other", x, false)
	e.Acquire(b, x)
	ask("the same, acquired", x, true)
}

// The clocks of the two orders share the pages that are equal in both.
func TestClocksUnite(t *testing.T) {
	e, m := newEngine(t, Options{})
	for range 2 * pageSlots {
		e.Fork(m, 0, 1)
	}
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	const lock, word, x = heap + 1<<15, heap, heap + 1<<15 + 64
	for range 3 {
		for _, s := range []*Task{a, b} {
			e.Lock(s, lock, false)
			if s == b && s.clocks.weak == s.clocks.hb {
				t.Error("a lock orders accesses in the order of predictions")
			}
			e.Access(s, word, 8, Write, 1, 1, 0) // conflicts with the other task's section
			e.Unlock(s, lock, false)
		}
		e.Release(b, x)
		e.Acquire(a, x)
		if a.clocks.weak != a.clocks.hb || b.clocks.weak != b.clocks.hb {
			t.Errorf("clocks that are equal are stored twice: %v, %v", a.clocks, b.clocks)
		}
	}
}
