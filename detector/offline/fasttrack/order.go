package fasttrack

import "taskinstr/detector/event"

// order maintains the happens-before order.
type order struct {
	tasks    []task
	slots    uint32    // the number of slots in use or free
	free     []retired // the slots of ended tasks
	scopes   map[uint64]*scope
	promises map[uint64]clock
	objects  event.Objects[object]
	reused   int64
}

type task struct {
	clock clock
	slot  uint32
	now   uint32 // the clock's component for slot
}

// retired is the slot of an ended task, with its last number.
type retired struct{ slot, last uint32 }

// A scope holds the clocks and slots of its ended tasks.
type scope struct {
	clock merged
	slots []retired // not reusable before the scope's FinishEnd
}

// An object is a lock or the object of raw events, by address.
type object struct {
	clock  merged
	shared merged // the clocks at the ends of shared holds
}

// slotTries is the number of free slots that a fork examines, the latest first.
const slotTries = 8

func newOrder() *order {
	o := &order{scopes: map[uint64]*scope{}, promises: map[uint64]clock{}}
	o.begin(0, clock{})
	return o
}

// begin starts a task whose first event follows the events in before.
func (o *order) begin(id uint32, before clock) {
	for int(id) >= len(o.tasks) {
		o.tasks = append(o.tasks, task{})
	}
	t := &o.tasks[id]
	for i := len(o.free) - 1; i >= 0 && i >= len(o.free)-slotTries; i-- {
		if f := o.free[i]; before.get(f.slot) >= f.last {
			o.free = append(o.free[:i], o.free[i+1:]...)
			o.reused++
			*t = task{before.with(f.slot, f.last+1), f.slot, f.last + 1}
			return
		}
	}
	*t = task{before.with(o.slots, 1), o.slots, 1}
	o.slots++
}

// tick begins a new epoch, which is in no other clock.
func (t *task) tick() {
	t.now++
	t.clock = t.clock.with(t.slot, t.now)
}

// event records an event that may establish an order.
func (o *order) event(e *event.Event) {
	if e.Op == event.Alloc || e.Op == event.Free {
		o.objects.Forget(e.Addr, e.Size, nil)
		return
	}
	t := &o.tasks[e.Task]
	switch e.Op {
	case event.Fork:
		before := t.clock
		t.tick()
		o.begin(e.Other, before)
	case event.End:
		last := retired{t.slot, t.now}
		if e.Obj != 0 {
			s := o.scopes[e.Obj]
			if s == nil {
				s = new(scope)
				o.scopes[e.Obj] = s
			}
			s.clock.add(t.clock)
			s.slots = append(s.slots, last)
		} else {
			o.free = append(o.free, last)
		}
		t.clock = clock{}
	case event.FinishEnd:
		if s := o.scopes[e.Obj]; s != nil {
			t.clock = t.clock.join(s.clock.clock())
			o.free = append(o.free, s.slots...)
			delete(o.scopes, e.Obj)
		}
	case event.Set:
		o.promises[e.Obj] = t.clock
		t.tick()
	case event.Get:
		t.clock = t.clock.join(o.promises[e.Obj])
	case event.Lock:
		x := o.objects.Make(e.Obj)
		t.clock = t.clock.join(x.clock.clock())
		if !e.Shared {
			t.clock = t.clock.join(x.shared.clock())
		}
	case event.Unlock:
		x := o.objects.Make(e.Obj)
		if e.Shared {
			x.shared.add(t.clock)
		} else {
			x.clock.add(t.clock)
		}
		t.tick()
	case event.Acquire:
		t.clock = t.clock.join(o.objects.Make(e.Obj).clock.clock())
	case event.Release:
		o.objects.Make(e.Obj).clock.set(t.clock)
		t.tick()
	case event.ReleaseMerge:
		o.objects.Make(e.Obj).clock.add(t.clock)
		t.tick()
	case event.ReleaseAcquire:
		x := o.objects.Make(e.Obj)
		before := x.clock.clock()
		x.clock.set(t.clock)
		t.tick()
		t.clock = t.clock.join(before)
	case event.Meet:
		u := &o.tasks[e.Other]
		both := t.clock.join(u.clock)
		t.clock, u.clock = both, both
		t.tick()
		u.tick()
	}
}
