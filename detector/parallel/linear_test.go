package parallel

import (
	"testing"
	"time"
)

// crowds lists the ways in which many tasks meet at one object or word.
var crowds = []struct {
	name string
	turn func(e *Engine, m, t *Task, i int)
}{
	// Tasks access the word of a mutex while they hold it, and also release inside the
	// critical section.
	{"a mutex's word under the mutex", func(e *Engine, m, t *Task, i int) {
		e.Lock(t, heap, false)
		e.ReleaseMerge(t, heap+64)
		e.Access(t, heap, 1, AtomicWrite, 0, 1, 0)
		e.Unlock(t, heap, false)
	}},
	{"a channel that one task receives from", func(e *Engine, m, t *Task, i int) {
		slot := heap + uintptr(i%16)*8
		e.ReleaseAcquire(t, slot)
		e.ReleaseAcquire(m, slot)
	}},
	{"a mutex and an atomic word in turns", func(e *Engine, m, t *Task, i int) {
		e.Lock(t, heap, false)
		e.Unlock(t, heap, false)
		e.Acquire(t, heap+64)
		e.ReleaseMerge(t, heap+64)
	}},
	{"a word that all read and one writes, under a lock", func(e *Engine, m, t *Task, i int) {
		e.Lock(t, heap, true)
		e.Access(t, heap+128, 8, Read, 1, 1, 0)
		e.Unlock(t, heap, true)
		if i%16 == 0 {
			e.Lock(m, heap, false)
			e.Access(m, heap+128, 8, Write, 2, 2, 0)
			e.Unlock(m, heap, false)
		}
	}},
}

// crowdTime returns the processor time of a turn of one of n tasks. It takes the least of
// several tries, because the machine may do other work.
func crowdTime(t *testing.T, n int, turn func(e *Engine, m, t *Task, i int)) time.Duration {
	const rounds = 6
	least := time.Duration(1 << 62)
	for range 3 {
		e, m := newEngine(t, Options{})
		ts := make([]*Task, n)
		for i := range ts {
			ts[i] = e.Fork(m, 0, 0)
		}
		from := processorTime()
		for range rounds {
			for i, x := range ts {
				turn(e, m, x, i)
				sweepIfNeeded(e)
			}
		}
		least = min(least, (processorTime()-from)/time.Duration(rounds*n))
		e.Close()
	}
	return least
}

// The cost of a task's work does not grow with the number of other tasks, apart from the
// memory that they take.
func TestCrowd(t *testing.T) {
	const few, many = 2 * maxSlots, 16 * maxSlots
	for _, c := range crowds {
		x, y := crowdTime(t, few, c.turn), crowdTime(t, many, c.turn)
		t.Logf("%s: %v among %d, %v among %d", c.name, x, few, y, many)
		if y > 4*x {
			t.Errorf("%s: a turn takes %v among %d tasks and %v among %d", c.name, x, few, y, many)
		}
	}
}
