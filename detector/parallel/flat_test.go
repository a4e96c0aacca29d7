package parallel

import (
	"flag"
	"testing"
)

var tasks = flag.Int("tasks", 600_000, "tasks forked by the tests of flat memory, and messages sent in thousands/10")

// flat checks that the memory committed after a third of the work is nearly the memory
// committed at the end.
type flat struct {
	t     *testing.T
	e     *Engine
	n     int
	third uint64
}

func (f *flat) at(i int) {
	sweepIfNeeded(f.e)
	if i == f.n/3 {
		var s Stats
		f.e.Stats(&s)
		f.third = s.Committed
	}
}

func (f *flat) done() {
	f.t.Helper()
	var s Stats
	f.e.Stats(&s)
	f.t.Logf("%d rounds: %.1f MiB after a third, %.1f MiB at the end; %+v", f.n, float64(f.third)/(1<<20), float64(s.Committed)/(1<<20), s)
	if s.Committed > f.third+f.third/4 {
		f.t.Errorf("memory grows")
	}
}

// forkJoin forks and joins n tasks, 64 of them live at a time. Each accesses memory of
// its own and some memory that all share under a lock.
func forkJoin(t *testing.T, e *Engine, m *Task, n int) {
	f := &flat{t: t, e: e, n: n}
	const wg, mu, counter = heap, heap + 64, heap + 128
	var alive [64]*Task
	for i := 0; i < n; i++ {
		f.at(i)
		k := i % len(alive)
		if c := alive[k]; c != nil {
			e.Lock(c, mu, false)
			e.Access(c, counter, 8, Read, 3, 3, 0)
			e.Access(c, counter, 8, Write, 4, 4, 0)
			e.Unlock(c, mu, false)
			e.Access(c, heap+4096+uintptr(i%20000)*64, 64, Write, 2, 2, 0)
			e.ReleaseMerge(c, wg)
			e.End(c)
			e.Acquire(m, wg)
		}
		e.Access(m, heap+4096+uintptr(i%20000)*64, 8, Write, 1, 1, 0)
		alive[k] = e.Fork(m, 0, 0)
	}
	f.done()
}

func TestFlatForkJoin(t *testing.T) {
	e, m := newEngine(t, Options{})
	forkJoin(t, e, m, *tasks)
}

// A task that lives for the whole run and never synchronizes keeps all accesses that are
// possibly concurrent with it.
func TestFlatForkJoinBesideBackground(t *testing.T) {
	e, m := newEngine(t, Options{})
	b := e.Fork(m, 0, 0)
	forkJoin(t, e, m, *tasks)
	e.Access(b, heap+4096, 8, Write, 9, 9, 0)
	if e.races == 0 {
		t.Error("the background task's race is not found")
	}
}

// Each task forks the next and ends.
func TestFlatRelay(t *testing.T) {
	e, m := newEngine(t, Options{})
	f := &flat{t: t, e: e, n: *tasks}
	c := e.Fork(m, 0, 0)
	for i := 0; i < f.n; i++ {
		f.at(i)
		e.Access(c, heap+uintptr(i%1000)*8, 8, Write, 1, 1, 0)
		d := e.Fork(c, 0, 0)
		e.End(c)
		c = d
	}
	f.done()
	if e.races != 0 {
		t.Error("a relay races")
	}
}

// Each task sends a result to the main task before it is joined, and another result to
// its neighbour.
func TestFlatResults(t *testing.T) {
	e, m := newEngine(t, Options{})
	b := e.Fork(m, 0, 0)
	f := &flat{t: t, e: e, n: *tasks}
	var alive [64]*Task
	for i := 0; i < f.n; i++ {
		f.at(i)
		k := i % len(alive)
		if c := alive[k]; c != nil {
			e.ReleaseAcquire(c, heap+uintptr(k%8)*8)
			e.ReleaseAcquire(alive[(k+1)%64], heap+uintptr(k%8)*8)
			e.ReleaseAcquire(m, heap+uintptr(k%8)*8)
			e.Access(c, heap+4096+uintptr(i%1000)*8, 8, Write, 1, 1, 0)
			e.ReleaseMerge(c, heap+2048)
			e.End(c)
			e.Acquire(m, heap+2048)
		}
		alive[k] = e.Fork(m, 0, 0)
	}
	f.done()
	e.End(b)
	if e.races != 0 {
		t.Error("joined tasks race")
	}
}

// Eight workers pass messages in a circle for the whole run.
func TestFlatMessages(t *testing.T) {
	e, m := newEngine(t, Options{})
	var ws [8]*Task
	for i := range ws {
		ws[i] = e.Fork(m, 0, 0)
	}
	f := &flat{t: t, e: e, n: *tasks}
	for i := 0; i < f.n; i++ {
		f.at(i)
		x, y := ws[i%8], ws[i*3%8]
		e.Access(x, heap+4096+uintptr(i%16)*8, 8, Write, 1, 1, 0)
		e.ReleaseAcquire(x, heap+uintptr(i%16)*8)
		e.ReleaseAcquire(y, heap+uintptr(i%16)*8)
		e.Access(y, heap+4096+uintptr(i%16)*8, 8, Read, 2, 2, 0)
		e.ReleaseAcquire(y, heap+uintptr(i%16)*8)
		e.ReleaseAcquire(x, heap+uintptr(i%16)*8)
	}
	f.done()
}

// Many live tasks contend for a mutex.
func TestManyTasks(t *testing.T) {
	e, m := newEngine(t, Options{})
	n := min(*tasks, 100_000, int(e.bodies.Limit)/2) // see mem.Share
	ts := make([]*Task, n)
	for i := range ts {
		ts[i] = e.Fork(m, 0, 0)
	}
	for round := 0; round < 2; round++ {
		for i, c := range ts {
			e.Lock(c, heap, false)
			e.Access(c, heap+64, 8, Write, 1, 1, 0)
			e.Unlock(c, heap, false)
			e.Access(c, heap+4096+uintptr(i)*8, 8, Write, 2, 2, 0)
			sweepIfNeeded(e)
		}
	}
	var s Stats
	e.Stats(&s)
	t.Logf("%d tasks alive: %.1f MiB, %d B each; %+v", n, float64(s.Committed)/(1<<20), s.Committed/uint64(n), s)
	for _, c := range ts {
		e.ReleaseMerge(c, heap+8)
		e.End(c)
	}
	e.Acquire(m, heap+8)
	e.Access(m, heap+4096, uintptr(n)*8, Write, 3, 3, 0)
	e.Access(m, heap+64, 8, Write, 3, 3, 0)
	if e.races+e.predicted != 0 {
		t.Errorf("%d races, %d predicted", e.races, e.predicted)
	}
}
