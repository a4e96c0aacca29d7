package parallel

import "testing"

const (
	used     = heap + 1<<15 + 1
	usedLock = heap + 1<<16
)

// useBetween makes an execution in which a task writes a word and uses a thing in a critical section, and a
// later one uses it in a section and reads the word. It returns the number of reports.
func useBetween(t *testing.T, first, second Kind, shared [2]bool, between func(e *Engine)) int {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Lock(a, usedLock, shared[0])
	e.Order(a, used, first)
	e.Unlock(a, usedLock, shared[0])
	between(e)
	e.Lock(b, usedLock, shared[1])
	e.Order(b, used, second)
	e.Unlock(b, usedLock, shared[1])
	e.Access(b, heap, 8, Read, 2, 2, 0)
	return len(*got)
}

func TestUsesOrderSections(t *testing.T) {
	nothing := func(*Engine) {}
	for _, c := range []struct {
		name          string
		first, second Kind
		shared        [2]bool
		between       func(*Engine)
		reports       int
	}{
		{"a send, and a receive that finds nothing", AtomicWrite, Read, [2]bool{}, nothing, 0},
		{"the other way", Read, AtomicWrite, [2]bool{}, nothing, 0},
		{"two sends", AtomicWrite, AtomicWrite, [2]bool{}, nothing, 1},
		{"two that find nothing", Read, Read, [2]bool{}, nothing, 1},
		{"a reader of the lock", AtomicWrite, Read, [2]bool{false, true}, nothing, 0},
		{"two readers of the lock", AtomicWrite, Read, [2]bool{true, true}, nothing, 1},
		{"after a sweep", AtomicWrite, Read, [2]bool{}, func(e *Engine) { e.Sweep() }, 0},
		{"another thing at the same address", AtomicWrite, Read, [2]bool{}, func(e *Engine) { e.Alloc(used-1, 16) }, 1},
	} {
		if n := useBetween(t, c.first, c.second, c.shared, c.between); n != c.reports {
			t.Errorf("%s: %d reports, want %d", c.name, n, c.reports)
		}
	}
}

// A thing that is used under many locks costs each of them two uses of a task, of which the first stays in case that another task ends the
// section of the second. They go with the thing, and when nothing can conflict
// with them any more.
func TestUsesUnderManyLocks(t *testing.T) {
	e, m := newEngine(t, Options{})
	a := e.Fork(m, 0, 0)
	const locks = 1000
	round := func(c *Task) {
		for i := range uintptr(locks) {
			e.Lock(c, usedLock, false)
			e.Lock(c, usedLock+64+16*i, false)
			e.Order(c, used, AtomicWrite)
			e.Unlock(c, usedLock+64+16*i, false)
			e.Unlock(c, usedLock, false)
		}
	}
	for range 3 {
		round(a)
	}
	if n := e.uses.Used(); n != 2*(locks+1) {
		t.Errorf("%d uses of one task under %d locks", n, locks+1)
	}
	if e.Sweep(); e.uses.Used() != 2*(locks+1) {
		t.Errorf("%d uses after a sweep", e.uses.Used())
	}
	round(m) // m has used it a thousand times under the first lock, once under the others
	if n := e.uses.Used(); n != 3*locks+4 {
		t.Errorf("%d uses of two tasks under %d locks", n, locks+1)
	}
	e.Alloc(usedLock+64, 16*locks/2)
	if n := e.uses.Used(); n != 3*locks/2+4 {
		t.Errorf("%d uses when half of the locks are gone", n)
	}
	e.Release(a, heap)
	e.End(a)
	e.Acquire(m, heap)
	if e.Sweep(); e.uses.Used() != 0 {
		t.Errorf("%d uses in sections that all tasks follow", e.uses.Used())
	}
	round(m)
	e.Free(used-1, 16)
	if e.Sweep(); e.uses.Used() != 0 {
		t.Errorf("%d uses of a freed thing", e.uses.Used())
	}
}

// Each of many things that are used under one lock is found among few others, and all are gone with the lock.
func TestUsesOfManyThings(t *testing.T) {
	e, m := newEngine(t, Options{})
	a := e.Fork(m, 0, 0)
	const things = 20_000
	for range 2 {
		for i := range uintptr(things) {
			e.Lock(a, usedLock, false)
			e.Order(a, heap+1<<20+16*i, Write)
			e.Unlock(a, usedLock, false)
		}
	}
	n, longest := 0, 0
	for h := range uintptr(useBuckets) {
		length := 0
		for i := *e.useHeads.At32(h); i != 0; i = e.use(i).same {
			length++
		}
		n, longest = n+length, max(longest, length)
	}
	if n != 2*things || n != int(e.uses.Used()) || longest > 20 {
		t.Errorf("%d uses of %d things, %d in use, at most %d in a bucket", n, things, e.uses.Used(), longest)
	}
	if e.Alloc(usedLock, 8); e.uses.Used() != 0 {
		t.Errorf("%d uses under a lock that is gone", e.uses.Used())
	}
}
