package parallel

import "testing"

// A task that has used up its steps continues as before.
func TestRenew(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	id := a.id
	a.step, a.endSteps, e.slotAt(a.slot).step = maxStep-2, maxStep, maxStep
	for i := 0; i < 4; i++ {
		e.Release(a, heap+512)
	}
	if a.id == id || a.step > 2000 {
		t.Fatalf("task %d is still at step %d", a.id, a.step)
	}
	e.Access(a, heap, 8, Write, 2, 2, 0)
	e.Access(a, heap+64, 8, Write, 2, 2, 0)
	if len(*got) != 0 {
		t.Errorf("it races with itself")
	}
	e.Release(a, heap+512)
	e.Acquire(b, heap+512)
	e.Access(b, heap, 128, Write, 3, 3, 0)
	if len(*got) != 0 {
		t.Errorf("its release does not order what it did")
	}
	e.Access(a, heap+8, 8, Write, 4, 4, 0)
	if len(*got) != 1 || (*got)[0].Cur.Task != 2 {
		t.Errorf("%d reports", len(*got))
	}
	e.Sweep()
	e.Access(a, heap+72, 8, Write, 5, 5, 0)
	if len(*got) != 2 {
		t.Errorf("%d reports after a sweep", len(*got))
	}
}

// The filter expires at each step. If the generations wrap around it is cleared.
func TestFilterGenerations(t *testing.T) {
	e, m := newEngine(t, Options{})
	for i := uintptr(0); i < 2*filterLimit; i++ {
		e.Probe(m, heap+8*i, 8, Write)
		e.Access(m, heap+8*i, 8, Write, 1, 1, 0)
	}
	e.Access(m, heap, 8, Write, 1, 1, 0)
	set := func() bool {
		return *m.filterEntry(heap) == m.key|heap|8<<addrBits|1<<63
	}
	if !set() {
		t.Fatal("an access is not entered")
	}
	for i := 0; i < 2*maxGeneration; i++ {
		e.Release(m, heap+512)
		if set() {
			t.Fatalf("the filter still knows the access after %d releases", i+1)
		}
		if m.key&(1<<keyShift-1) != 0 || m.key>>63 != 0 || m.key == 0 {
			t.Fatalf("key %#x", m.key)
		}
	}
}

func TestAcquireAll(t *testing.T) {
	e, m := newEngine(t, Options{})
	f := e.Fork(nil, 0, 1)
	e.SetBackground(f)
	a := e.Fork(m, 0, 2)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Access(m, heap+8, 8, Write, 1, 1, 0)
	e.Sweep() // m and a do not know of each other
	b := e.Fork(m, 0, 2)
	e.Access(b, heap+16, 8, Write, 1, 1, 0)
	e.End(b)
	e.SetForeground(f)
	e.AcquireAll(f)
	e.Access(f, heap, 24, Write, 2, 2, 0)
	if e.races != 0 {
		t.Errorf("%d races", e.races)
	}
	e.Release(a, heap+512)
	e.Access(a, heap+64, 8, Write, 3, 3, 0)
	e.Access(f, heap+64, 8, Write, 4, 4, 0)
	if e.races != 1 {
		t.Errorf("%d races, want one with what came later", e.races)
	}
}

// A task that knows another task through AcquireAll does not know the later acquires of the
// other task.
func TestAcquireAllEndsSteps(t *testing.T) {
	e, m := newEngine(t, Options{})
	f := e.Fork(m, 0, 1)
	x, y, v := e.Fork(m, 0, 2), e.Fork(m, 0, 3), e.Fork(m, 0, 4)
	const fToV, yToX, xToV, yToM = heap + 512, heap + 520, heap + 528, heap + 536
	e.AcquireAll(f)
	e.Release(y, yToM)
	e.Acquire(m, yToM)
	e.Release(f, fToV)
	e.Acquire(v, fToV)
	e.Access(y, heap, 8, Write, 1, 1, 0)
	e.Release(y, yToX)
	e.Acquire(x, yToX)
	e.Release(x, xToV)
	e.Acquire(v, xToV)
	e.Access(v, heap, 8, Write, 2, 2, 0)
	if e.races != 0 {
		t.Error("what was handed on is a race")
	}
}

// A task holds many locks at once.
func TestManyHolds(t *testing.T) {
	e, m := newEngine(t, Options{})
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	const n = 100
	for i := uintptr(0); i < n; i++ {
		e.Lock(a, heap+512+i*8, false)
	}
	e.Access(a, heap, 8, Write, 1, 1, 0)
	for i := uintptr(0); i < n; i++ {
		e.Unlock(a, heap+512+i*37%n*8, false)
	}
	if a.nHolds != 0 || a.moreHolds != 0 || e.holds.Used() != 0 {
		t.Errorf("%d locks still held", a.nHolds)
	}
	e.Lock(b, heap+512+57*8, false)
	e.Access(b, heap, 8, Write, 2, 2, 0)
	if e.races+e.predicted != 0 {
		t.Errorf("%d races, %d predicted under a common lock", e.races, e.predicted)
	}
}

// Each of many tasks waits for the one before, and the main task waits for the last. A
// query for each of them must not follow the whole chain.
func TestChainOfJoins(t *testing.T) {
	e, m := newEngine(t, Options{})
	const n = 200_000
	var last *Task
	for i := uintptr(0); i < n; i++ {
		c := e.Fork(m, 0, 0)
		if last != nil {
			e.Release(last, heap+1<<30)
			e.End(last)
			e.Acquire(c, heap+1<<30)
		}
		e.Access(c, heap+i*8, 8, Write, 1, 1, 0)
		last = c
	}
	e.Release(last, heap+1<<30)
	e.Acquire(m, heap+1<<30)
	x := e.Fork(m, 0, 0) // knows everything that m knows
	y := e.Fork(nil, 0, 0)
	for i := uintptr(0); i < n; i++ {
		e.Access(m, heap+i*8, 8, Read, 2, 2, 0)
		e.Access(x, heap+i*8, 8, Read, 2, 2, 0)
	}
	if e.races != 0 {
		t.Errorf("%d races", e.races)
	}
	e.Access(y, heap+n*4, 8, Read, 3, 3, 0)
	if e.races != 1 {
		t.Errorf("%d races, want that of a stranger", e.races)
	}
}
