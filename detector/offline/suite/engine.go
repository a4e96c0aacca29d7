package suite

import (
	"taskinstr/detector/event"
	"taskinstr/detector/parallel"
	"taskinstr/detector/theorem"
)

// Engine is the detector of package parallel, which instrumented programs run on
// line, applied to the events of a trace.
var Engine = event.Spec{
	Name:    "engine",
	Doc:     "the parallel engine of instrumented programs, for all synchronization of Go",
	Source:  "detector/parallel/doc.go",
	Model:   event.Finish | event.Escaping | event.Promises | event.Isolated | event.Locks | event.RawOrder,
	Theorem: theorem.SameChoices,
	Options: []event.Option{
		{Name: "predicted", Doc: "warn: races that only the order of locks hid; all: every race that structure does not order; off: none", Values: []string{"warn", "all", "off"}},
	},
	New: newEngine,
}

// An engine passes the events of a trace to a parallel.Engine. It uses the places and
// stacks of the trace as sites and calling contexts.
//
// On line, a task that runs alone makes no checks. Here every access is checked: a trace
// may have tasks that no event precedes, which is known only at its end. Filters need not
// be cleared when memory gets a new owner, because only instrumented code reads filters.
type engine struct {
	e       *parallel.Engine
	config  event.Config
	tasks   map[uint32]*parallel.Task
	ended   map[uint32]bool
	numbers []uint32          // maps the engine's task numbers, which begin with 1, to tasks of the trace
	objects map[uint64]uint64 // the addresses of scopes and promises
	next    uint64
	stacks  map[uint32]uint32 // calling contexts of the engine; its next sweep invalidates them
}

// objectBase is the first address of scopes and promises. No heap reaches it.
const objectBase = 1 << 46

func newEngine(c event.Config) (event.Detector, error) {
	o := parallel.Options{NoPredict: c.Option["predicted"] == "off", All: c.Option["predicted"] == "all"}
	d := &engine{
		e:       new(parallel.Engine),
		config:  c,
		tasks:   map[uint32]*parallel.Task{},
		ended:   map[uint32]bool{},
		numbers: []uint32{0, 0},
		objects: map[uint64]uint64{},
		next:    objectBase,
		stacks:  map[uint32]uint32{},
	}
	d.tasks[0] = d.e.Init(o)
	d.e.KeepHistory()
	parallel.OnReport(d.e, d.report)
	return d, nil
}

func (d *engine) report(r *parallel.Report) {
	tier := event.TierRace
	if r.Predicted {
		tier = event.TierPredicted
	}
	d.config.Report(event.Race{Tier: tier, First: d.party(&r.Prev), Second: d.party(&r.Cur), Addr: uint64(r.Cur.Addr), Size: uint64(r.Cur.Size)})
}

func (d *engine) party(s *parallel.Side) event.Party {
	_, stack := d.e.Frame(s.Stack)
	return event.Party{Task: d.numbers[s.Task], Kind: event.Kind(s.Kind), Site: uint32(s.Site) - 1, Stack: uint32(stack)}
}

func (d *engine) task(i uint32) *parallel.Task {
	if t := d.tasks[i]; t != nil {
		return t
	}
	d.fork(nil, i)
	return d.tasks[i]
}

func (d *engine) fork(parent *parallel.Task, child uint32) {
	d.tasks[child] = d.e.Fork(parent, 0, 0)
	d.numbers = append(d.numbers, child)
}

// object returns the address that represents a scope or promise.
func (d *engine) object(obj uint64) uintptr {
	a, ok := d.objects[obj]
	if !ok {
		a = d.next
		d.next += 8
		d.objects[obj] = a
	}
	return uintptr(a)
}

func (d *engine) Event(e *event.Event) {
	switch e.Op {
	case event.Alloc:
		d.e.Alloc(uintptr(e.Addr), uintptr(e.Size))
		return
	case event.Free:
		d.e.Free(uintptr(e.Addr), uintptr(e.Size))
		return
	}
	if d.ended[e.Task] {
		return
	}
	t := d.task(e.Task)
	obj := uintptr(e.Obj)
	switch e.Op {
	case event.Fork:
		if e.Shared {
			t = nil // the parent is not known
		}
		d.fork(t, e.Other)
	case event.End:
		if e.Obj != 0 {
			d.e.ReleaseMerge(t, d.object(e.Obj))
		}
		d.e.End(t)
		delete(d.tasks, e.Task)
		d.ended[e.Task] = true
	case event.FinishEnd:
		d.e.Acquire(t, d.object(e.Obj))
		delete(d.objects, e.Obj) // another scope may reuse the number
	case event.Set:
		delete(d.objects, e.Obj)
		d.e.Release(t, d.object(e.Obj))
	case event.Get:
		d.e.Acquire(t, d.object(e.Obj))
	case event.Lock:
		t.Quiet = e.Taken
		d.e.Lock(t, lockAddr(obj), e.Shared)
	case event.Unlock:
		d.e.Unlock(t, lockAddr(obj), e.Shared)
	case event.Access:
		d.access(t, e)
	case event.Acquire:
		if obj == 0 {
			d.e.AcquireAll(t)
		} else {
			d.e.Acquire(t, obj)
		}
	case event.Release:
		d.e.Release(t, obj)
	case event.ReleaseMerge:
		d.e.ReleaseMerge(t, obj)
	case event.ReleaseAcquire:
		d.e.ReleaseAcquire(t, obj)
	case event.Meet:
		if !d.ended[e.Other] {
			d.e.Meet(t, d.task(e.Other))
		}
	}
}

// lockAddr moves locks that are numbers, such as event.Isolation, out of memory.
func lockAddr(obj uintptr) uintptr {
	const firstAddress = 1 << 12
	if obj < firstAddress {
		return objectBase<<1 + obj*8
	}
	return obj
}

func (d *engine) access(t *parallel.Task, e *event.Event) {
	addr, n, k := uintptr(e.Addr), uintptr(e.Size), parallel.Kind(e.Kind)
	if n == 0 {
		return
	}
	p := d.e.Probe(t, addr, n, k)
	if p == parallel.Covered {
		return
	}
	// To the engine, 0 means that there is no site.
	site, pc := uintptr(e.Site)+1, uintptr(e.Site)+1
	stack, ok := d.stacks[e.Stack]
	if !ok {
		stack = d.e.PushFrame(t, 0, uintptr(e.Stack))
		d.stacks[e.Stack] = stack
	}
	if p != parallel.Open || !d.e.Quick(t, addr, n, k, site, pc, stack) {
		d.e.Access(t, addr, n, k, site, pc, stack)
	}
	if d.e.NeedSweep() {
		d.e.Sweep()
		clear(d.stacks)
	}
}

// Memory returns the number of bytes that the engine has allocated outside of Go's heap.
func (d *engine) Memory() uint64 {
	var s parallel.Stats
	d.e.Stats(&s)
	return s.Committed
}

func (d *engine) Close() []event.Counter {
	var s parallel.Stats
	d.e.Stats(&s)
	parallel.OnReport(d.e, func(*parallel.Report) {})
	d.e.Close()
	return []event.Counter{
		{Name: "records", Value: int64(s.Records)},
		{Name: "lists", Value: int64(s.Lists)},
		{Name: "clocks", Value: int64(s.Clocks)},
		{Name: "sweeps", Value: int64(s.Sweeps)},
	}
}
