package lockset

import (
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
)

func TestTable(t *testing.T) {
	tab := NewTable()
	x := func(obj uint64) Lock { return Lock{Obj: obj} }
	s := func(obj uint64) Lock { return Lock{Obj: obj, Shared: true} }
	for _, c := range []struct {
		a, b             []Lock
		protects, covers bool
	}{
		{nil, nil, false, true},
		{nil, []Lock{x(1)}, false, true},
		{[]Lock{x(1)}, nil, false, false},
		{[]Lock{x(1)}, []Lock{x(2)}, false, false},
		{[]Lock{x(1), x(3)}, []Lock{x(2), x(3)}, true, false},
		{[]Lock{x(3)}, []Lock{x(3), x(2)}, true, true},
		{[]Lock{s(1)}, []Lock{s(1)}, false, true},
		{[]Lock{s(1)}, []Lock{x(1)}, true, true},
		{[]Lock{x(1)}, []Lock{s(1)}, true, false},
		{[]Lock{s(1), x(1)}, []Lock{s(1)}, true, false}, // held in both modes
	} {
		a, b := tab.Of(c.a), tab.Of(c.b)
		if tab.Protects(a, b) != c.protects || tab.Protects(b, a) != c.protects {
			t.Errorf("%v and %v: protects is not %v", c.a, c.b, c.protects)
		}
		if tab.Covers(a, b) != c.covers {
			t.Errorf("%v and %v: covers is not %v", c.a, c.b, c.covers)
		}
	}
}

// A task may hold more than 64 locks and release them in any order.
func TestHeld(t *testing.T) {
	h := NewHeld()
	r := rand.New(rand.NewPCG(3, 4))
	var model []Lock
	for range 5000 {
		if len(model) < 100 && r.IntN(5) < 3 {
			l := Lock{uint64(r.IntN(200)), r.IntN(2) == 0}
			model = append(model, l)
			h.Event(&event.Event{Op: event.Lock, Task: 2, Obj: l.Obj, Shared: l.Shared})
		} else if n := len(model); n > 0 {
			i := r.IntN(n)
			l := model[i]
			model = append(model[:i], model[i+1:]...)
			h.Event(&event.Event{Op: event.Unlock, Task: 2, Obj: l.Obj, Shared: l.Shared})
		}
		if h.Of(2) != h.Table.Of(model) {
			t.Fatalf("set %v, want %v", h.Locks(h.Of(2)), model)
		}
	}
	if h.Of(7) != 0 || h.Foreign != 0 {
		t.Errorf("a task that took nothing holds %v; %d foreign unlocks", h.Of(7), h.Foreign)
	}
}

func TestMoreAndForeignUnlock(t *testing.T) {
	h := NewHeld()
	h.Event(&event.Event{Op: event.Lock, Task: 1, Obj: 8})
	s := h.With(1, []uint64{24, 16 | 1, event.Isolation})
	if s != h.Table.Of([]Lock{{Obj: 8}, {Obj: 24}, {16, true}, {Obj: event.Isolation}}) || len(h.Locks(h.Of(1))) != 1 {
		t.Errorf("with more locks: %v; held: %v", h.Locks(s), h.Locks(h.Of(1)))
	}
	h.Event(&event.Event{Op: event.Unlock, Task: 2, Obj: 8})
	if h.Of(1) != 0 || h.Foreign != 1 {
		t.Errorf("task 1 holds %v after task 2's unlock, %d foreign", h.Of(1), h.Foreign)
	}
}
