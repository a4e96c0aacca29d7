package parallel

import (
	"sync"
	"sync/atomic"
	"testing"
)

// lent makes an execution in which a child writes a word, at site 2, while its parent holds the lock
// under which another task has written the word at site 1.
func lent(e *Engine, m *Task, lock uintptr) (child *Task) {
	a := e.Fork(m, 0, 1)
	e.Lock(a, lock, false)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Unlock(a, lock, false)
	e.End(a)
	m.LockPC = 7
	e.Lock(m, lock, false)
	c := e.Fork(m, 0, 2)
	c.Name = 9
	e.Access(c, heap, 8, Write, 2, 2, 0)
	return c
}

const handed = heap + 1<<14 + 512

// A suspended report is made at the end of the section. It describes the access as it was, also if
// the tasks have ended and sweeps have passed.
func TestSuspendedReport(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	c := lent(e, m, handed)
	if len(*got) != 0 {
		t.Fatalf("%d reports while the lock is held", len(*got))
	}
	e.End(c)
	for range 3 {
		e.Sweep()
	}
	e.Unlock(m, handed, false)
	if len(*got) != 1 {
		t.Fatalf("%d reports at the end of the section", len(*got))
	}
	r := (*got)[0]
	if !r.Predicted || r.Cur.Site != 2 || r.Cur.Name != 9 || r.Prev.Site != 1 {
		t.Errorf("%+v", r)
	}
	if l, ok := e.LockOf(r.Prev.Locks, 0); !ok || l.Addr != handed {
		t.Errorf("the earlier access holds %v", l)
	}
	if n := e.suspensions.Used(); n != 0 {
		t.Errorf("%d suspended reports are left", n)
	}
	if c = lent(e, m, handed); e.suspensions.Used() != 0 {
		t.Error("a pair that was reported is suspended")
	}
}

// The unlock of the task to which the lock was handed over rules the report out, for this section.
func TestSuspendedReportDropped(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	c := lent(e, m, handed)
	for range 100 { // steps of one task need one suspended report
		e.Release(c, heap+1024)
		e.Access(c, heap, 8, Write, 2, 2, 0)
	}
	if n := e.suspensions.Used(); n != 1 {
		t.Errorf("%d suspended reports", n)
	}
	e.Unlock(c, handed, false)
	if n := e.suspensions.Used(); n != 0 || len(*got) != 0 {
		t.Errorf("%d suspended reports, %d reports", n, len(*got))
	}
	lent(e, m, handed)
	if e.Unlock(m, handed, false); len(*got) != 1 {
		t.Errorf("%d reports of a section that does not end behind the access", len(*got))
	}
}

// A lock that is freed while it is held never ends its section.
func TestSuspendedReportOfFreedLock(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	lent(e, m, handed)
	e.Alloc(handed, 8)
	e.Sweep()
	if n := e.suspensions.Used(); n != 0 || len(*got) != 0 {
		t.Errorf("%d suspended reports, %d reports", n, len(*got))
	}
}

// Readers end their holds at the same time, each after its access. The last one must not settle the reports
// of those that ended theirs before.
func TestReadersUnlockTogether(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	for i := range 10000 {
		word, site := heap+uintptr(i%1024)*8, uintptr(2*i)
		a := e.Fork(m, 0, 1)
		e.Lock(a, handed, false)
		e.Access(a, word, 8, Write, site+1, 1, 0)
		e.Unlock(a, handed, false)
		e.End(a)
		var begin atomic.Bool
		var all sync.WaitGroup
		for k := range uintptr(4) {
			p := e.Fork(m, 0, 1)
			e.Lock(p, handed, true)
			c := e.Fork(p, 0, 2)
			c.Host = 1 + k
			e.End(p)
			e.Access(c, word, 8, Read, site+2, 2, 0)
			all.Go(func() {
				for !begin.Load() {
				}
				e.Unlock(c, handed, true)
				e.End(c)
			})
		}
		begin.Store(true)
		all.Wait()
	}
	if len(*got) != 0 {
		t.Errorf("%d reports", len(*got))
	}
}

// More readers than a shareTable has places for, and more sections than a report waits for.
func TestManyReaders(t *testing.T) {
	for _, n := range []int{1, maxShares, maxShares + 1, 3 * maxShares} {
		for _, inside := range []bool{true, false} {
			e, m := newEngine(t, Options{})
			got := collect(e)
			a := e.Fork(m, 0, 1)
			e.Lock(a, handed, false)
			e.Access(a, heap, 8, Write, 1, 1, 0)
			e.Unlock(a, handed, false)
			var children []*Task
			for range n {
				p := e.Fork(m, 0, 1)
				e.Lock(p, handed, true)
				c := e.Fork(p, 0, 2)
				if inside {
					e.Access(c, heap, 8, Read, 2, 2, 0)
				}
				children = append(children, c)
				e.End(p)
			}
			for _, c := range children {
				e.Unlock(c, handed, true)
				if !inside {
					e.Access(c, heap, 8, Read, 2, 2, 0)
				}
			}
			if wrong := len(*got) != 0; wrong == inside {
				t.Errorf("%d readers, accesses inside: %v, %d reports", n, inside, len(*got))
			}
		}
	}
}
