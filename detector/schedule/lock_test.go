package schedule

import (
	"bytes"
	"testing"
)

// A task that could have had a lock waits when another task takes it, and is ready again
// when the lock is released. A TryLock does not wait, and readers share. The record
// contains the choices and the number of trace events.
func TestLocks(t *testing.T) {
	var ts Tasks
	var s Serial
	var l Locks
	ts.Init()
	s.Init(&ts)
	l.Init(&ts)
	const a, b = 0x1000, 0x2000
	main := ts.Fork(0, 1)
	s.Fork(main)
	wants := func(addr uintptr, shared, try bool) ID {
		x := ts.Fork(main, 2)
		s.Fork(x)
		w := WantTake
		if shared {
			w |= WantShared
		}
		if try {
			w |= WantTry
		}
		l.Want(x, addr, w)
		s.Ready(x, Locking)
		return x
	}
	first, second, other, try := wants(a, false, false), wants(a, false, false), wants(b, false, false), wants(a, false, true)
	var r Recorder
	var text bytes.Buffer
	writers.Store(&r, func(b []byte) { text.Write(b) })
	r.Init(&ts, "dfs", 0, PointsLocks, "", false, 0)
	r.Number(&l)

	if got := s.Next(); got != first {
		t.Fatalf("task %d runs first, want %d", got, first)
	}
	r.Events(12)
	r.Late()
	r.Section(first)
	if !l.Wanted(first) || l.Wanted(main) {
		t.Errorf("before it takes the lock, the first task wants one: %v; main: %v", l.Wanted(first), l.Wanted(main))
	}
	if l.Forget(first); l.Wanted(first) {
		t.Error("the first task still wants the lock that it takes")
	}
	l.Taken(a, false)
	lost := 0
	for x := ts.First(); x != 0; x = ts.After(x) {
		if l.Lost(x) {
			lost++
			s.Withdraw(x)
			l.Wait(x)
		}
	}
	if lost != 1 || !l.Waits(second) {
		t.Errorf("%d tasks lose the lock; the second waits: %v", lost, l.Waits(second))
	}
	if got := s.Next(); got != other {
		t.Errorf("task %d runs while the lock is held, want %d", got, other)
	}
	r.Section(other)
	l.Forget(other)
	l.Given(a, false)
	if !l.Free(second) {
		t.Error("the lock was given up and is not free")
	}
	s.Ready(second, Locking)
	if got := s.Next(); got != second {
		t.Errorf("task %d runs when the lock is free, want %d", got, second)
	}
	l.Forget(second)
	l.Taken(a, true)
	if l.Lost(try) || l.Lost(wants(a, true, false)) || !l.Lost(wants(a, false, false)) {
		t.Error("with a reader inside, writers alone lose the lock")
	}
	r.Close()
	const want = "taskinstr schedule 1\nstrategy dfs\nseed 0\npoints locks\n# event 12\n# late\n" +
		"main.1 | main.1:1 main.2:1 main.3:2 main.4:1\nmain.3 | main.2:1! main.3:2 main.4:1\n"
	if text.String() != want {
		t.Errorf("recorded\n%swant\n%s", &text, want)
	}
}
