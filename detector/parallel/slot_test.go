package parallel

import "testing"

// Tasks that their parent joins have their slot one after the other.
func TestSlotsInTurn(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	for i := range 10_000 {
		c := e.Fork(m, 0, 0)
		e.Access(c, heap+uintptr(i%64)*8, 8, Write, 1, 1, 0)
		e.Release(c, heap+4096)
		e.End(c)
		e.Acquire(m, heap+4096)
	}
	if e.nslots > 4 || e.inexact != 0 || e.races != 0 {
		t.Errorf("%d slots, %d inexact, %d races", e.nslots, e.inexact, e.races)
	}
}

// A task that nobody joins keeps its slot until no access of it is left. As long as there are slots,
// a race with it is found however long ago it has ended.
func TestSlotsLeftBehind(t *testing.T) {
	const slots = 64
	e, m := newEngine(t, Options{Slots: slots})
	defer e.Close()
	leave := func(n int, at uintptr) {
		for i := range n {
			c := e.Fork(m, 0, 0)
			e.Access(c, at+uintptr(i)*8, 8, Write, 1, 1, 0)
			e.End(c)
		}
	}
	leave(slots-2, heap)
	if e.inexact != 0 {
		t.Fatalf("%d inexact while there are slots", e.inexact)
	}
	e.Sweep()
	e.Access(m, heap, 8, Write, 2, 2, 0)
	if e.races != 1 {
		t.Fatalf("%d races, want 1", e.races)
	}
	for i := range 20 {
		e.Alloc(heap, slots*8)
		e.Sweep()
		leave(slots-2, heap)
		if e.inexact != 0 {
			t.Fatalf("%d inexact after %d rounds whose memory was freed", e.inexact, i)
		}
	}
	leave(slots, heap+8192)
	if e.inexact == 0 || !e.NeedSweep() {
		t.Errorf("%d inexact, sweep due %v, with more tasks left behind than slots", e.inexact, e.NeedSweep())
	}
}

// Sweeps for the sake of slots become rare while they make none exact, and frequent again once they do.
func TestSlotsInVain(t *testing.T) {
	const slots, n, message = 64, 20_000, heap + 1<<20
	e, m := newEngine(t, Options{Slots: slots})
	defer e.Close()
	w := e.Fork(m, 0, 0)
	sweeps := 0
	for i := range n {
		c := e.Fork(m, 0, 0)
		e.Access(c, heap+uintptr(i)*8, 8, Write, 1, 1, 0)
		e.Release(c, message)
		e.End(c)
		e.Acquire(w, message) // m alone knows nothing of c
		if e.NeedSweep() {
			e.Sweep()
			sweeps++
		}
	}
	if sweeps > 12 || sweeps == 0 {
		t.Errorf("%d sweeps in vain for %d tasks", sweeps, n)
	}
	e.Alloc(heap, n*8)
	e.slotsDue = slots
	if e.Sweep(); e.slotsNext != slots/2 {
		t.Errorf("the next sweep is due after %d slots, want %d, since this one has made all exact", e.slotsNext, slots/2)
	}
}

// Sweeps for the sake of slots become rare while live tasks have them and a sweep takes long.
func TestSlotsOfLiveTasks(t *testing.T) {
	const slots, words = 64, 1 << 16
	e, m := newEngine(t, Options{Slots: slots})
	defer e.Close()
	var live []*Task
	for i := range uintptr(2 * slots) {
		c := e.Fork(m, 0, 0)
		for j := i; j < words; j += 2 * slots {
			e.Access(c, heap+16*j, 8, Write, 1, 1, 0)
		}
		live = append(live, c)
	}
	e.Sweep()
	if e.slotsNext < 2*slots {
		t.Errorf("the next sweep is due after %d slots", e.slotsNext)
	}
	for _, c := range live {
		e.End(c)
	}
	e.Alloc(heap, 16*words)
	e.slotsDue = slots
	if e.Sweep(); e.slotsNext != slots/2 {
		t.Errorf("the next sweep is due after %d slots, want %d, since tasks have ended", e.slotsNext, slots/2)
	}
}

// Tasks that nobody can follow do not use up the slots, however many they are. Each later access of another task races with theirs.
func TestUnfollowed(t *testing.T) {
	const slots, n, message = 64, 10_000, heap + 1<<20
	e, m := newEngine(t, Options{Slots: slots, Repeat: true})
	defer e.Close()
	w := e.Fork(m, 0, 0)
	for i := range uintptr(n) {
		c := e.Fork(m, 0, 0)
		e.Release(c, message)
		e.Access(c, heap+i*8, 8, Write, 1, 1, 0)
		e.End(c)
		e.Acquire(m, message)
		if e.NeedSweep() {
			e.Sweep()
		}
	}
	if e.inexact != 0 {
		t.Errorf("%d tasks have their slots inexactly", e.inexact)
	}
	e.Sweep()
	if e.End(w); e.Alone(m) {
		t.Error("a task is alone that does not follow all others")
	}
	for i := range uintptr(n) {
		e.Access(m, heap+i*8, 8, Read, 2, 2, 0)
	}
	if e.races != n {
		t.Errorf("%d races, want %d", e.races, n)
	}
	e.AcquireAll(m)
	if e.Sweep(); e.records.Used() != 0 {
		t.Errorf("%d records are left of accesses that the only task follows", e.records.Used())
	}
}

// Sweeps keep accesses of tasks that nobody can follow, also if the others have slots of later pages.
func TestUnfollowedByLaterPages(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	c := e.Fork(m, 0, 0)
	e.Access(c, heap, 8, Write, 1, 1, 0)
	var w *Task
	for range pageSlots {
		w = e.Fork(m, 0, 0)
		w.Awaits = true
	}
	w.Awaits, m.Awaits = false, true
	e.End(c)
	for range 3 {
		e.Sweep()
	}
	if e.Access(w, heap, 8, Write, 2, 2, 0); e.races != 1 {
		t.Errorf("%d races, want 1", e.races)
	}
}

// A task that is named by more than accesses after its last release keeps its slot.
func TestFollowed(t *testing.T) {
	const message, lock, thing = heap + 1<<13, heap + 1<<14, heap + 1<<15
	for _, x := range []struct {
		what  string
		races uint32
		run   func(e *Engine, m, w *Task)
	}{
		{"an access before the last release", 0, func(e *Engine, m, w *Task) {
			c := e.Fork(m, 0, 0)
			e.Access(c, heap, 8, Write, 1, 1, 0)
			e.Release(c, message)
			e.Access(c, heap+8, 8, Write, 1, 1, 0)
			e.End(c)
			e.Sweep()
			e.Acquire(m, message)
			e.Access(m, heap, 8, Write, 2, 2, 0)
		}},
		{"a section that a later one must follow", 0, func(e *Engine, m, w *Task) {
			c := e.Fork(m, 0, 0)
			e.Access(w, heap, 8, Write, 1, 1, 0)
			e.Release(w, message)
			e.Acquire(c, message)
			e.Lock(c, lock, false)
			e.Order(c, thing, Write)
			e.Unlock(c, lock, false)
			e.Access(c, heap+8, 8, Write, 1, 1, 0)
			e.End(c)
			e.Sweep()
			e.Lock(m, lock, false)
			e.Order(m, thing, Write)
			e.Access(m, heap, 8, Write, 2, 2, 0)
		}},
		{"a suspended report", 0, func(e *Engine, m, w *Task) {
			c := lent(e, m, lock)
			e.Release(c, message)
			e.Acquire(w, message)
			e.Access(w, heap, 8, Write, 3, 3, 0)
			e.Access(c, heap+8, 8, Write, 1, 1, 0)
			e.End(c)
			e.Sweep()
			e.Unlock(w, lock, false)
		}},
		{"AcquireAll before the sweep", 0, func(e *Engine, m, w *Task) {
			c := e.Fork(m, 0, 0)
			e.Access(c, heap, 8, Write, 1, 1, 0)
			e.End(c)
			e.AcquireAll(m)
			e.Sweep()
			e.Access(m, heap, 8, Write, 2, 2, 0)
		}},
		{"AcquireAll after the sweep, and another task later", 1, func(e *Engine, m, w *Task) {
			for _, k := range []struct{ at, races uintptr }{{heap, 0}, {heap + 8, 1}} {
				c := e.Fork(m, 0, 0)
				e.Access(c, k.at, 8, Write, 1, 1, 0)
				e.End(c)
				e.Sweep()
				if k.races == 0 {
					e.AcquireAll(m)
				}
				e.Access(m, k.at, 8, Write, 2, 2, 0)
			}
		}},
	} {
		e, m := newEngine(t, Options{Repeat: true})
		got := collect(e)
		w := e.Fork(m, 0, 0)
		if x.run(e, m, w); e.races != x.races || len(*got) != int(x.races) {
			t.Errorf("%s: %d races, want %d; %d reports", x.what, e.races, x.races, len(*got))
		}
		e.Close()
	}
}

// A task that is forked and ends does not count as joined by a task that knows only the steps of
// another one in the same slot.
func TestSlotAlone(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	if !e.Alone(m) {
		t.Fatal("the main task is not alone at first")
	}
	a := e.Fork(m, 0, 0)
	e.Access(a, heap, 8, Write, 1, 1, 0)
	e.Release(a, heap+64)
	e.Access(a, heap+8, 8, Write, 1, 1, 0)
	if e.End(a); e.Alone(m) {
		t.Error("alone before it knows anything of the other task")
	}
	if e.Acquire(m, heap+64); e.Alone(m) {
		t.Error("alone, although an access came after the release")
	}
	e.Access(m, heap+8, 8, Read, 2, 2, 0)
	if e.races != 1 {
		t.Errorf("%d races, want 1", e.races)
	}
}

// A task takes as many steps as it likes, also if others have had steps of its slot meanwhile.
func TestMoreSteps(t *testing.T) {
	e, m := newEngine(t, Options{Slots: 1})
	defer e.Close()
	a, b := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	if a.slot != b.slot || e.inexact != 2 {
		t.Fatalf("slots %d and %d, %d inexact", a.slot, b.slot, e.inexact)
	}
	seen := map[uint32]*Task{}
	for i := range 20 * stepBlock {
		for _, x := range []*Task{m, a, b} {
			if y := seen[x.step]; y != nil {
				t.Fatalf("step %d twice, after %d rounds", x.step, i)
			}
			seen[x.step] = x
			e.Release(x, heap)
		}
	}
}

// Once tasks share slots nothing is predicted, so a lock orders accesses like any other release and acquire.
func TestPredictionsEnd(t *testing.T) {
	e, m := newEngine(t, Options{Slots: 4})
	got := collect(e)
	a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
	const lock = heap + 1<<15
	turn := func() {
		for i, s := range []*Task{a, b} {
			e.Lock(s, lock, false)
			e.Access(s, heap+8*uintptr(i), 8, Write, 1, 1, 0)
			e.Unlock(s, lock, false)
		}
	}
	turn()
	if b.weak == b.hb {
		t.Error("a lock orders accesses in the order of predictions")
	}
	for range 4 {
		e.Fork(m, 0, 3)
	}
	if e.inexact == 0 {
		t.Fatal("no slot is shared")
	}
	turn()
	if a.weak != a.hb || b.weak != b.hb {
		t.Error("the order of predictions is kept")
	}
	turn()
	if b.set != 0 {
		t.Error("a lockset is kept")
	}
	e.Access(b, heap+512, 8, Write, 1, 1, 0)
	e.Access(a, heap+512, 8, Write, 2, 2, 0)
	if len(*got) != 1 || (*got)[0].Predicted {
		t.Errorf("reports %v, want one race", *got)
	}
}

// A task that takes a slot need not follow the releases of former tasks that a sweep has forgotten.
func TestSlotsOfReleases(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	const lock, message = heap + 1<<15, heap + 1<<14
	a := e.Fork(m, 0, 1)
	b := e.Fork(a, 0, 2)
	e.Lock(b, lock, false) // for good, so that b is not forgotten
	e.Release(b, message)
	e.Acquire(m, message)
	e.End(b)
	c := e.Fork(a, 0, 3)
	e.Release(m, message+64)
	e.Access(c, heap, 8, Read, 1, 1, 0)
	e.Acquire(c, message+64)
	d := e.Fork(c, 0, 4) // in the slot of b
	e.Release(d, message+128)
	e.End(d)
	e.Sweep()
	f := e.Fork(m, 0, 5) // in the slot of b and d
	if f.slot != d.slot {
		t.Fatalf("slots %d and %d, want the same", d.slot, f.slot)
	}
	e.Meet(f, m)
	e.Acquire(m, message+128)
	if e.Access(m, heap, 8, Write, 2, 2, 0); e.races != 0 {
		t.Error("a release is not followed by the acquire")
	}
}

// While ended tasks have left accesses only outside of critical sections, later ones may share their slots, and predictions go on. Else sweeps make
// locks order, the locks of few such accesses first.
func TestPredictionsGoOn(t *testing.T) {
	const slots, lock = 34, heap + 1<<15
	for _, x := range []struct {
		what      string
		lock      func(i uintptr) uintptr // of the i-th ended task, 0: none
		sweeps    bool
		predicted bool
	}{
		{"no locks", func(i uintptr) uintptr { return 0 }, false, true},
		{"a lock each", func(i uintptr) uintptr { return lock + 64*(1+i) }, true, true},
		{"a lock each, without sweeps", func(i uintptr) uintptr { return lock + 64*(1+i) }, false, false},
		{"another lock", func(i uintptr) uintptr { return lock + 64 }, true, true},
		{"the lock", func(i uintptr) uintptr { return lock }, true, false},
	} {
		e, m := newEngine(t, Options{Slots: slots})
		got := collect(e)
		a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
		for i := range uintptr(8 * slots) {
			c, l := e.Fork(m, 0, 3), x.lock(i)
			if l != 0 {
				e.Lock(c, l, false)
			}
			e.Access(c, heap+4096+8*i, 8, Read, 1, 1, 0)
			if l != 0 {
				e.Unlock(c, l, false)
			}
			if e.End(c); x.sweeps && e.NeedSweep() {
				e.Sweep()
			}
		}
		if e.inexact == 0 {
			t.Fatalf("%s: all slots are exact", x.what)
		}
		e.Access(a, heap, 8, Write, 1, 1, 0)
		e.Lock(a, lock, false)
		e.Access(a, heap+8, 8, Write, 1, 1, 0)
		e.Unlock(a, lock, false)
		e.Lock(b, lock, false)
		e.Access(b, heap+16, 8, Write, 1, 1, 0)
		e.Unlock(b, lock, false)
		e.Access(b, heap, 8, Write, 2, 2, 0)
		if predicted := len(*got) == 1 && (*got)[0].Predicted; predicted != x.predicted {
			t.Errorf("%s: predicted %v, %d reports", x.what, predicted, len(*got))
		}
		e.Close()
	}
}

// A lock that a sweep makes order orders the sections that follow, and that last, after all that are past. So it does no harm
// that an access in one of these seems to be ordered, since its task's slot has gone to others.
func TestRelaxedLock(t *testing.T) {
	const slots, lock, message = 34, heap + 1<<15, heap + 1<<14
	for _, when := range []string{"before", "after", "known"} {
		e, m := newEngine(t, Options{Slots: slots})
		got := collect(e)
		a, b, u := e.Fork(m, 0, 1), e.Fork(m, 0, 2), e.Fork(m, 0, 3)
		e.Access(a, heap, 8, Write, 1, 1, 0)
		c := e.Fork(a, 0, 4) // leaves an access in a section, behind a's access
		left, step := c.slot, c.step
		e.Lock(c, lock, false)
		e.Access(c, heap+8, 8, Write, 1, 1, 0)
		e.Unlock(c, lock, false)
		e.End(c)
		switch when {
		case "before": // b is in a section when the lock begins to order
			e.Lock(b, lock, false)
		case "known": // b knows of the last section, but not of c's
			e.Lock(u, lock, false)
			e.Unlock(u, lock, false)
			e.Release(u, message)
			e.Acquire(b, message)
		}
		for i := range uintptr(4 * slots) {
			d := e.Fork(m, 0, 5)
			e.Lock(d, lock+64*(1+i), false)
			e.Access(d, heap+4096+8*i, 8, Read, 1, 1, 0)
			e.Unlock(d, lock+64*(1+i), false)
			e.ReleaseMerge(d, message+64)
			if e.End(d); e.NeedSweep() {
				e.Sweep()
			}
		}
		e.Acquire(b, message+64)
		if e.stepIn(b.weak, left) <= step {
			t.Fatalf("%s: b knows no step of the slot of the access", when)
		}
		if when != "before" {
			e.Lock(b, lock, false)
		}
		e.Access(b, heap+8, 8, Write, 2, 2, 0)
		e.Access(b, heap, 8, Write, 2, 2, 0)
		e.Unlock(b, lock, false)
		if e.inexact == 0 || e.unsound != 0 || len(*got) != 0 {
			t.Errorf("%s: %d inexact, unsound %d, reports %+v", when, e.inexact, e.unsound, *got)
		}
		e.Close()
	}
}
