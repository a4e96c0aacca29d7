package detector

import (
	"testing"
	"time"
)

// crowds are the ways in which many tasks meet at one object or word.
var crowds = []struct {
	name string
	turn func(e *Engine, t *Task, i int)
}{
	// The word of a mutex is accessed under it, where a task also releases in the
	// critical section.
	{"a mutex's word under the mutex", func(e *Engine, t *Task, i int) {
		e.Lock(t, heap, false)
		e.ReleaseMerge(t, heap+64)
		e.Access(t, heap, 1, AtomicWrite, 0, 1, 0)
		e.Unlock(t, heap, false)
	}},
}

// crowdTime is the least time that a turn of one of n tasks took, of a few tries since
// the machine may do other work.
func crowdTime(t *testing.T, n int, turn func(*Engine, *Task, int)) time.Duration {
	least := time.Duration(1 << 62)
	for range 8 {
		e, m := newEngine(t, Options{})
		ts := make([]*Task, n)
		for i := range ts {
			ts[i] = e.Fork(m, 0, 0)
		}
		from := time.Now()
		for range 2 {
			for i, x := range ts {
				turn(e, x, i)
				sweepIfNeeded(e)
			}
		}
		least = min(least, time.Since(from)/time.Duration(2*n))
		e.Close()
	}
	return least
}

// What a task does costs the same among many others as among few.
func TestCrowd(t *testing.T) {
	for _, c := range crowds {
		few, many := crowdTime(t, 256, c.turn), crowdTime(t, 8192, c.turn)
		t.Logf("%s: %v among 256, %v among 8192", c.name, few, many)
		if many > 16*few {
			t.Errorf("%s: a turn takes %v among 256 tasks and %v among 8192", c.name, few, many)
		}
	}
}
