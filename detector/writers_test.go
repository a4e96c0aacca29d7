package detector

import "testing"

// lengthOf counts the records of a history.
func lengthOf(e *Engine, s side) (n int) {
	for ; s.h != 0; n++ {
		_, _, s = e.first(s)
	}
	return n
}

// A counter that many tasks race on costs no more for each of them, and atomic
// stores that nothing orders are all kept.
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
		// Who comes after all but the first still races, where nothing told of it.
		e.Acquire(m, heap+520)
		e.Access(m, heap, 8, Read, 2, 2, 0)
		if k == AtomicWrite && len(*got) != 1 {
			t.Errorf("%d reports of a read beside an atomic write, want 1", len(*got))
		}
		e.Close()
	}
}

// Readers and writers that take turns under a lock leave a history that does not
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
