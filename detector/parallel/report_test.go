package parallel

import "testing"

func collect(e *Engine) *[]*Report {
	var all []*Report
	OnReport(e, func(r *Report) { all = append(all, r) })
	return &all
}

func TestReport(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	m.Name = 1
	s1, s3 := e.PushFrame(m, 0, 0x1000), e.PushFrame(m, 0, 0x3000)
	s := e.PushFrame(m, s1, 0x2000)
	a := e.Fork(m, s, 0x10)
	a.Name = 18
	b := e.Fork(m, s1, 0x20)
	b.Name = 19
	c := e.Fork(b, s3, 0x30)
	c.Name = 20
	a.LockPC = 0x201
	e.Lock(a, heap+512, false)
	a.LockPC = 0x202
	e.Lock(a, heap+520, true)
	e.Access(a, heap, 16, Write, 5, 0x105, s)
	e.Unlock(a, heap+512, false)
	e.Unlock(a, heap+520, true)
	e.End(a)
	e.Access(c, heap+8, 4, Read, 6, 0x106, s)
	if len(*got) != 1 {
		t.Fatalf("%d reports", len(*got))
	}
	r := (*got)[0]
	if r.Predicted || r.AncestorTask != 1 || r.AncestorName != 1 || !r.AncestorMain {
		t.Errorf("%+v", r)
	}
	p := r.Prev
	locks := p.Locks
	p.Locks = 0
	if want := (Side{Kind: Write, Addr: heap + 8, Size: 4, Site: 5, PC: 0x105, Stack: s, Task: 2, Name: 18,
		Ended: true, ForkPC: 0x10, ForkStack: s, BranchPC: 0x10, BranchStack: s, BranchTask: 2, BranchName: 18}); p != want {
		t.Errorf("previous %+v\nwant %+v", p, want)
	}
	if want := (Side{Kind: Read, Addr: heap + 8, Size: 4, Site: 6, PC: 0x106, Stack: s, Task: 4, Name: 20,
		ForkPC: 0x30, ForkStack: s3, BranchPC: 0x20, BranchStack: s1, BranchTask: 3, BranchName: 19}); r.Cur != want {
		t.Errorf("current %+v\nwant %+v", r.Cur, want)
	}
	for i, want := range []HeldLock{{Addr: heap + 520, Shared: true, PC: 0x202}, {Addr: heap + 512, PC: 0x201}} {
		if l, ok := e.LockOf(locks, uint32(i)); !ok || l != want {
			t.Errorf("lock %d: %+v, want %+v", i, l, want)
		}
	}
	if _, ok := e.LockOf(locks, 2); ok {
		t.Error("a third lock")
	}
}

func TestPredictedNamesLock(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Lock(a, heap+512, false)
	e.Unlock(a, heap+512, false)
	e.Lock(b, heap+512, false)
	e.Access(b, heap, 8, Write, 2, 2, 0)
	e.Unlock(b, heap+512, false)
	if len(*got) != 1 || !(*got)[0].Predicted || (*got)[0].OrderLock != heap+512 {
		t.Fatalf("%+v", *got)
	}
}

// Predictions of one pair of places are reported once for all callers. A report that the host withholds counts for
// its own callers alone.
func TestWithheld(t *testing.T) {
	for _, x := range []struct{ withhold, reports int }{{0, 1}, {1, 2}, {6, 3}} {
		e, m := newEngine(t, Options{})
		var asked int
		OnNews(e, func(r *Report) bool {
			asked++
			return r.Predicted && asked > x.withhold
		})
		a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
		for i := range uintptr(6) {
			from, addr := e.PushFrame(m, 0, 0x100+i%3), heap+8*i
			e.Access(a, addr, 8, Write, 1, 1, from)
			e.Lock(a, heap+512, false)
			e.Unlock(a, heap+512, false)
			e.Lock(b, heap+512, false)
			e.Access(b, addr, 8, Write, 2, 2, from)
			e.Unlock(b, heap+512, false)
		}
		if asked != x.reports {
			t.Errorf("%d withheld: %d reports, want %d", x.withhold, asked, x.reports)
		}
	}
}

// Neither access is made under the lock.
func TestPredictedNamesLockPassed(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	for _, c := range []*Task{a, b} {
		e.Lock(c, heap+512, false)
		e.Unlock(c, heap+512, false)
	}
	e.Lock(b, heap+520, false) // a lock edge without news
	e.Unlock(b, heap+520, false)
	e.Access(b, heap, 8, Write, 2, 2, 0)
	if len(*got) != 1 || !(*got)[0].Predicted || (*got)[0].OrderLock != heap+512 {
		t.Fatalf("%+v", *got)
	}
}

// The report names the lock that ordered the accesses, also if the tasks took other locks
// before and after. It is no direct one if another task has passed the order on.
func TestPredictedNamesOrder(t *testing.T) {
	first, last := uintptr(heap+512), uintptr(heap+520)
	use := func(e *Engine, t *Task, lock, pc uintptr) {
		t.LockPC = pc
		e.Lock(t, lock, false)
		e.Unlock(t, lock, false)
	}
	for _, c := range []struct {
		passed bool // a third task passes the order on
		lock   uintptr
		pc     uintptr
	}{{false, first, 0x12}, {true, last, 0x14}} {
		e, m := newEngine(t, Options{})
		got := collect(e)
		a, b, third := e.Fork(m, 0, 1), e.Fork(m, 0, 2), e.Fork(m, 0, 3)
		e.Lock(a, heap+528, false) // held at the earlier access, and by no other task
		e.Access(a, heap, 8, Write, 1, 1, 0)
		e.Unlock(a, heap+528, false)
		use(e, a, first, 0x11)
		if c.passed {
			use(e, third, first, 0x12)
		} else {
			use(e, b, first, 0x12)
		}
		use(e, third, last, 0x13)
		use(e, b, last, 0x14)
		e.Access(b, heap, 8, Write, 2, 2, 0)
		if len(*got) != 1 {
			t.Fatalf("%d reports", len(*got))
		}
		if r := (*got)[0]; r.OrderLock != c.lock || r.OrderPC != c.pc || r.OrderDirect == c.passed {
			t.Errorf("passed on %v: lock %#x taken at %#x, direct %v", c.passed, r.OrderLock, r.OrderPC, r.OrderDirect)
		}
	}
}

// A value handed over under a mutex is no predicted race, except with Options.All.
func TestHandOver(t *testing.T) {
	for _, o := range []Options{{}, {All: true}, {NoPredict: true}} {
		e, m := newEngine(t, o)
		a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
		e.Access(a, heap, 8, Write, 1, 1, 0) // the value
		e.Lock(a, heap+512, false)
		e.Access(a, heap+64, 8, Write, 2, 2, 0) // the queue
		e.Unlock(a, heap+512, false)
		e.Lock(b, heap+512, false)
		e.Access(b, heap+64, 8, Read, 3, 3, 0)
		e.Unlock(b, heap+512, false)
		e.Access(b, heap, 8, Write, 4, 4, 0)
		want := uint32(0)
		if o.All {
			want = 1
		}
		if e.races != 0 || e.predicted != want {
			t.Errorf("%+v: %d races, %d predicted", o, e.races, e.predicted)
		}
	}
}

// A racy loop makes one report and costs no more than another loop.
func TestReportedOnce(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	for i := uintptr(0); i < 1000; i++ {
		e.Access(a, heap+i*8, 8, Write, 1, 1, 0)
	}
	for round := 0; round < 3; round++ {
		for i := uintptr(0); i < 1000; i++ {
			e.Access(b, heap+i*8, 8, Write, 2, 2, 0)
			e.Access(a, heap+i*8, 8, Write, 1, 1, 0)
		}
		e.Release(a, heap+65536)
		e.Release(b, heap+65536+8)
	}
	if len(*got) != 1 {
		t.Errorf("%d reports", len(*got))
	}
	e.Access(a, heap, 8, Read, 3, 3, 0)
	if len(*got) != 2 {
		t.Errorf("%d reports, want one of another pair", len(*got))
	}
}

// If ancestors are forgotten, the report names the branch from the nearest known one.
func TestAncestorAfterSweep(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	a := e.Fork(m, 0, 0x10)
	b := e.Fork(a, 0, 0x20)
	c := e.Fork(b, 0, 0x30)
	e.End(a)
	e.End(b)
	e.Sweep()
	d := e.Fork(m, 0, 0x40)
	e.Access(c, heap, 8, Write, 1, 1, 0)
	e.Access(d, heap, 8, Write, 2, 2, 0)
	if len(*got) != 1 {
		t.Fatalf("%d reports", len(*got))
	}
	r := (*got)[0]
	if !r.AncestorMain || r.Prev.BranchPC != 0x10 || r.Prev.ForkPC != 0x30 || r.Cur.BranchPC != 0x40 {
		t.Errorf("%+v", r)
	}
}

func TestPushFrame(t *testing.T) {
	e, m := newEngine(t, Options{})
	x := e.PushFrame(m, 0, 5)
	y := e.PushFrame(m, x, 5)
	if x == y || e.PushFrame(m, 0, 5) != x || e.PushFrame(m, x, 5) != y {
		t.Errorf("ids %d, %d", x, y)
	}
	if p, pc := e.Frame(y); p != x || pc != 5 {
		t.Errorf("frame %d is %d, %d", y, p, pc)
	}
	if p, pc := e.Frame(0); p != 0 || pc != 0 {
		t.Errorf("the empty stack is %d, %d", p, pc)
	}

	// A sweep keeps the frames that a record or a task names.
	a := e.Fork(m, y, 1)
	for i := uintptr(0); i < 100; i++ {
		e.PushFrame(m, x, 100+i)
	}
	z := e.PushFrame(m, x, 7)
	e.Access(m, heap, 8, Write, 1, 1, z)
	e.Sweep()
	if n := e.contexts.Used(); n != 3 {
		t.Errorf("%d frames after a sweep, want 3", n)
	}
	if p, pc := e.Frame(z); p != x || pc != 7 {
		t.Errorf("frame %d is %d, %d after a sweep", z, p, pc)
	}
	e.Access(a, heap, 8, Write, 2, 2, 0)
}

// A pair of sites is reported once, and once more after ReportAgain.
func TestReportAgain(t *testing.T) {
	e, m := newEngine(t, Options{})
	got := collect(e)
	race := func() {
		a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
		e.Access(a, heap, 8, Write, 1, 1, 0)
		e.Access(b, heap, 8, Write, 2, 2, 0)
		e.Alloc(heap, 8)
		e.End(a)
		e.End(b)
	}
	for i, want := range []int{1, 1, 2, 2} {
		if i == 2 {
			e.ReportAgain()
		}
		race()
		if len(*got) != want {
			t.Errorf("round %d: %d reports, want %d", i, len(*got), want)
		}
	}
}

// Known returns the places of accesses with the locks held there, and none that a sweep
// has freed.
func TestKnown(t *testing.T) {
	e, m := newEngine(t, Options{})
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	known := func() map[uintptr]uintptr {
		held := map[uintptr]uintptr{}
		for i := uint32(1); ; i++ {
			s, ok, more := e.Known(i)
			if !more {
				return held
			}
			if ok {
				l, _ := e.LockOf(s.Locks, 0)
				held[s.Site] = l.Addr
			}
		}
	}
	e.Lock(a, heap+512, false)
	e.Access(a, heap, 8, Write, 11, 1, 0)
	e.Unlock(a, heap+512, false)
	e.Access(b, heap+64, 8, Write, 12, 2, 0)
	if got := known(); len(got) != 2 || got[11] != heap+512 || got[12] != 0 {
		t.Fatalf("%#x", got)
	}
	e.Free(heap, 8)
	e.Sweep()
	if got := known(); len(got) != 1 || got[12] != 0 {
		t.Errorf("behind a sweep: %#x", got)
	}
	e.Access(a, heap+128, 8, Write, 13, 3, 0)
	if got := known(); len(got) != 2 || got[13] != 0 {
		t.Errorf("recorded behind a sweep: %#x", got)
	}
}
