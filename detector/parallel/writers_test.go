package parallel

import "testing"

// lengthOf counts the records of a history.
func lengthOf(e *Engine, s half) (n int) {
	for ; s.h != 0; n++ {
		_, _, s = e.first(s)
	}
	return n
}

// A counter on which many tasks race costs each of them the same. Unordered atomic stores
// are all kept.
func TestManyWriters(t *testing.T) {
	for _, k := range []Kind{Write, AtomicWrite} {
		e, m := newEngine(t, Options{})
		got := collect(e)
		const tasks = 1000
		first := e.Fork(m, 0, 1)
		e.Access(first, heap, 8, k, 1, 1, 0)
		e.Release(first, heap+512)
		for range tasks {
			a := e.Fork(m, 0, 1)
			e.Access(a, heap, 8, k, 1, 1, 0)
			e.ReleaseMerge(a, heap+520)
			e.End(a)
		}
		n := lengthOf(e, e.block(e.blockAt(heap >> blockShift)).runs[0].writes())
		if k == Write && (n > 2*writersKept || len(*got) != 1) || k == AtomicWrite && n != tasks+1 {
			t.Errorf("kind %d: %d writes are kept, %d reports", k, n, len(*got))
		}
		// A task ordered only after the first writer still races.
		e.Acquire(m, heap+520)
		e.Access(m, heap, 8, Read, 2, 2, 0)
		if k == AtomicWrite && len(*got) != 1 {
			t.Errorf("%d reports of a read beside an atomic write, want 1", len(*got))
		}
		e.Close()
	}
}

// Readers and writers that alternate under a lock leave a history whose size does not
// grow with their turns.
func TestTurnsUnderRWLock(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	got := collect(e)
	const lock = heap + 512
	var tasks [16]*Task
	for i := range tasks {
		tasks[i] = e.Fork(m, 0, 1)
	}
	section := func(a *Task, shared bool, k Kind) {
		e.Lock(a, lock, shared)
		e.Access(a, heap, 8, k, 1, uintptr(1+k), 0)
		e.Unlock(a, lock, shared)
	}
	longest := 0
	for turn := range 4000 {
		section(tasks[turn*7%16], true, Read)
		if turn%9 == 8 {
			section(tasks[turn*5%16], false, Write)
		}
		b := e.block(e.blockAt(heap >> blockShift))
		longest = max(longest, lengthOf(e, b.runs[0].reads()))
	}
	if longest > 4*len(tasks) || len(*got) > 0 {
		t.Errorf("%d readers in a history of %d tasks, %d reports", longest, len(tasks), len(*got))
	}
}

// If a task writes under a new lock each time, its last write subsumes the others: a task
// that holds that lock is ordered after it, and a task that does not is predicted to race
// with it.
func TestManyLocks(t *testing.T) {
	const lock = heap + 4096
	for _, with := range []uintptr{21, 92} {
		e, m := newEngine(t, Options{})
		got := collect(e)
		a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 1)
		under := func(x *Task, l uintptr, k Kind) {
			e.Lock(x, lock+8*l, false)
			e.Access(x, heap+8*(l/90), 8, k, l, l, 0)
			e.Unlock(x, lock+8*l, false)
		}
		for i := range uintptr(1000) {
			under(a, (i+2)%20, Write)
		}
		under(a, 21, Write)
		b0 := e.block(e.blockAt(heap >> blockShift))
		if n := lengthOf(e, b0.runs[0].writes()); n != 1 {
			t.Errorf("%d writes are kept", n)
		}
		under(a, 91, Read) // a new lock through which b learns of all of them in happens-before
		under(b, 91, Read)
		e.Lock(b, lock+8*with, false)
		e.Access(b, heap, 8, Read, 2, 2, 0)
		e.Unlock(b, lock+8*with, false)
		if (len(*got) == 1 && (*got)[0].Predicted) != (with == 92) || len(*got) > 1 {
			t.Errorf("under lock %d: %d reports", with, len(*got))
		}
		e.Close()
	}
}
