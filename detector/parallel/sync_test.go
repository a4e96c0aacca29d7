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

// A store releases in place of the stores before it. A load belongs to the release that it acquires.
func TestStores(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b, c := e.Fork(m, 0, 0), e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	const word = heap + 512
	if e.BeginLoad(c, word) || e.EndUpdate(c) {
		t.Error("a load of a word without stores holds its object")
	}
	for i, s := range []*Task{a, b} {
		e.Access(s, heap+uintptr(i)*8, 8, Write, 1, 1, 0)
		e.BeginStore(s, word)
		if !e.EndUpdate(s) || e.EndUpdate(s) {
			t.Error("a store does not end once")
		}
	}
	if e.Acquired(c, word) {
		t.Error("a task has acquired what it has not loaded")
	}
	if !e.BeginLoad(c, word) || !e.EndUpdate(c) {
		t.Error("a load of a stored word does not hold its object")
	}
	if !e.Acquired(c, word) {
		t.Error("a task does not know that it has acquired")
	}
	if e.Access(c, heap+8, 8, Read, 2, 2, 0); len(*got) != 0 {
		t.Error("a load is not ordered after the last store")
	}
	if e.Access(c, heap, 8, Read, 2, 2, 0); len(*got) != 1 {
		t.Error("a load is ordered after a store before the last one")
	}
}
