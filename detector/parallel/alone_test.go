package parallel

import "testing"

func TestAlone(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	want := func(when string, alone bool) {
		t.Helper()
		if e.Alone(m) != alone {
			t.Errorf("%s: alone is %v", when, !alone)
		}
	}
	const done, other = heap + 512, heap + 520
	want("at first", true)

	a := e.Fork(m, 0, 1)
	want("beside a child", false)
	e.End(a)
	want("after a child that did nothing", true)

	a = e.Fork(m, 0, 1)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.ReleaseMerge(a, done)
	e.Acquire(m, done)
	want("before the end of a child that was waited for", false)
	e.End(a)
	want("after it", true)

	a = e.Fork(m, 0, 1)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.ReleaseMerge(a, done)
	e.End(a)
	want("before it is waited for", false)
	e.Acquire(m, done)
	want("when it has been", true)

	// The grandchild is joined by a child that no task has joined.
	a = e.Fork(m, 0, 1)
	b := e.Fork(a, 0, 2)
	e.Access(b, heap, 8, Write, 1, 1, 0)
	e.ReleaseMerge(b, other)
	e.End(b)
	e.Acquire(a, other)
	e.End(a)
	want("with what a child was waiting for", false)
	e.Access(m, heap, 8, Write, 2, 2, 0)
	if e.races != 1 {
		t.Errorf("%d races, want 1", e.races)
	}

	e, m = newEngine(t, Options{})
	a = e.Fork(m, 0, 1)
	e.ReleaseMerge(a, done)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.End(a)
	e.Acquire(m, done)
	want("with an access behind the release", false)

	e, m = newEngine(t, Options{})
	e.Lock(m, heap+600, false)
	want("in a critical section", false)
	e.Unlock(m, heap+600, false)
	want("after it", true)
	f := e.Fork(m, 0, 3)
	e.SetBackground(f)
	want("beside the host's own", true)
	e.SetForeground(f)
	want("when that one is like others", false)

	e, m = newEngine(t, Options{})
	e.KeepHistory()
	e.KeepHistory()
	want("before what may be ordered after less", false)
}

// If a task that is alone forks, the next phase gets an empty shadow. If it is not alone,
// nothing is forgotten.
func TestPhasesBeginEmpty(t *testing.T) {
	const sync = heap + 5*blockBytes
	for _, joined := range []bool{true, false} {
		e, m := newEngine(t, Options{})
		got := collect(e)
		a := e.Fork(m, 0, 0)
		for i := uintptr(0); i < 4*maxRuns; i++ { // cells
			e.Access(a, heap+16*i, 8, Write, 1, 1, 0)
		}
		e.Access(a, heap+blockBytes, 8, Write, 1, 1, 0) // runs
		if joined {
			e.Release(a, sync)
		}
		e.End(a)
		e.Acquire(m, sync)
		b := e.Fork(m, 0, 0)
		for _, addr := range []uintptr{heap, heap + blockBytes} {
			k := e.block(e.blockAt(addr >> blockShift))
			if empty := k.n == 0 && k.page == 0; empty != joined {
				t.Errorf("joined %v: the block is empty: %v", joined, empty)
			}
			e.Access(b, addr, 8, Write, 2, 2, 0)
		}
		if (len(*got) == 0) != joined {
			t.Errorf("joined %v: %d reports", joined, len(*got))
		}
		e.Access(m, heap, 8, Write, 3, 3, 0)
		if n := len(*got); n == 0 || (*got)[n-1].Cur.Site != 3 {
			t.Errorf("joined %v: no race in the second phase", joined)
		}
		e.Close()
	}
}

// A task that has lent its place does not count until it acquires.
func TestLend(t *testing.T) {
	const signal, signal2 = heap + 512, heap + 520
	e, m := newEngine(t, Options{})
	defer e.Close()
	got := collect(e)
	a := e.Fork(m, 0, 1)
	e.Lend(m)
	b := e.Fork(a, 0, 2)
	if e.Lend(a); !e.Alone(b) {
		t.Error("the child of two that lent their places is not alone")
	}
	e.Release(b, signal)
	e.Acquire(a, signal)
	if e.Alone(a) || e.Alone(b) {
		t.Error("alone beside a child that goes on")
	}
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Access(b, heap, 8, Write, 2, 2, 0)
	if len(*got) != 1 {
		t.Errorf("%d races, want 1", len(*got))
	}
	e.Release(b, signal2)
	e.End(b)
	e.Acquire(a, signal2)
	if !e.Alone(a) {
		t.Error("not alone, though the child ended and was waited for")
	}
	e.ReleaseAcquire(a, signal)
	e.End(a)
	e.ReleaseAcquire(m, signal)
	if !e.Alone(m) {
		t.Error("the main task is not alone after all")
	}
	c := e.Fork(m, 0, 3)
	e.Lend(m)
	e.Meet(c, m)
	if e.Alone(c) || e.Alone(m) {
		t.Error("alone beside one that was met")
	}
}
