package detector

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
	c := e.Fork(b, s3, 0x30)
	c.Name = 20
	e.Lock(a, heap+512, false)
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
		Ended: true, ForkPC: 0x10, ForkStack: s, BranchPC: 0x10, BranchStack: s}); p != want {
		t.Errorf("previous %+v\nwant %+v", p, want)
	}
	if want := (Side{Kind: Read, Addr: heap + 8, Size: 4, Site: 6, PC: 0x106, Stack: s, Task: 4, Name: 20,
		ForkPC: 0x30, ForkStack: s3, BranchPC: 0x20, BranchStack: s1}); r.Cur != want {
		t.Errorf("current %+v\nwant %+v", r.Cur, want)
	}
	seen := map[uintptr]bool{}
	for i := uint32(0); ; i++ {
		addr, shared, ok := e.LockOf(locks, i)
		if !ok {
			break
		}
		seen[addr] = shared
	}
	if len(seen) != 2 || seen[heap+512] || !seen[heap+520] {
		t.Errorf("locks %v", seen)
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
	e.Lock(b, heap+520, false) // teaches nothing
	e.Unlock(b, heap+520, false)
	e.Access(b, heap, 8, Write, 2, 2, 0)
	if len(*got) != 1 || !(*got)[0].Predicted || (*got)[0].OrderLock != heap+512 {
		t.Fatalf("%+v", *got)
	}
}

// A value handed over under a mutex is no predicted race, unless all apparent
// races are asked for.
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

// A racy loop makes one report, and costs no more than another.
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

// Where ancestors are forgotten, the branch from the nearest one that is known
// is named.
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

	// Of the frames, a sweep keeps those that a record or a task names.
	a := e.Fork(m, y, 1)
	for i := uintptr(0); i < 100; i++ {
		e.PushFrame(m, x, 100+i)
	}
	z := e.PushFrame(m, x, 7)
	e.Access(m, heap, 8, Write, 1, 1, z)
	e.Sweep()
	if n := e.frames.used(); n != 3 {
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
