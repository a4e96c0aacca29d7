package suite

import (
	"taskinstr/detector"
	"taskinstr/detector/event"
	"taskinstr/detector/theorem"
)

// Engine is the parallel detector of package detector, which instrumented programs run
// on line, told of one event after the other.
var Engine = event.Spec{
	Name:    "engine",
	Doc:     "the parallel engine of instrumented programs, on all that Go synchronizes with",
	Source:  "detector/doc.go",
	Model:   event.Finish | event.Escaping | event.Promises | event.Isolated | event.Locks | event.RawOrder,
	Theorem: theorem.SameChoices,
	Options: []event.Option{
		{Name: "predicted", Doc: "warn: races that only the order of locks hid; all: whatever structure does not order; off: none", Values: []string{"warn", "all", "off"}},
	},
	New: newEngine,
}

// An engine tells a detector.Engine the events of a trace. Places and stacks of the
// trace stand for its sites and calling contexts.
//
// Nothing is left out because a task is alone, as it is on line: a trace may have tasks
// that nothing precedes, and only its end tells. Filters need not forget when memory gets
// a new owner: instrumented code alone reads them.
type engine struct {
	e       *detector.Engine
	config  event.Config
	tasks   map[uint32]*detector.Task
	ended   map[uint32]bool
	numbers []uint32          // of tasks, by the engine's, which begin with 1
	objects map[uint64]uint64 // addresses that stand for scopes and promises
	next    uint64
	stacks  map[uint32]uint32 // contexts of the engine, good until it sweeps
}

// objectBase is where scopes and promises lie for the engine: no heap reaches that far.
const objectBase = 1 << 46

func newEngine(c event.Config) (event.Detector, error) {
	o := detector.Options{NoPredict: c.Option["predicted"] == "off", All: c.Option["predicted"] == "all"}
	d := &engine{
		e:       new(detector.Engine),
		config:  c,
		tasks:   map[uint32]*detector.Task{},
		ended:   map[uint32]bool{},
		numbers: []uint32{0, 0},
		objects: map[uint64]uint64{},
		next:    objectBase,
		stacks:  map[uint32]uint32{},
	}
	d.tasks[0] = d.e.Init(o)
	d.e.KeepHistory()
	detector.OnReport(d.e, d.report)
	return d, nil
}

func (d *engine) report(r *detector.Report) {
	tier := event.TierRace
	if r.Predicted {
		tier = event.TierPredicted
	}
	d.config.Report(event.Race{Tier: tier, First: d.party(&r.Prev), Second: d.party(&r.Cur), Addr: uint64(r.Cur.Addr), Size: uint64(r.Cur.Size)})
}

func (d *engine) party(s *detector.Side) event.Party {
	_, stack := d.e.Frame(s.Stack)
	return event.Party{Task: d.numbers[s.Task], Kind: event.Kind(s.Kind), Site: uint32(s.Site) - 1, Stack: uint32(stack)}
}

func (d *engine) task(i uint32) *detector.Task {
	if t := d.tasks[i]; t != nil {
		return t
	}
	d.fork(nil, i)
	return d.tasks[i]
}

func (d *engine) fork(parent *detector.Task, child uint32) {
	d.tasks[child] = d.e.Fork(parent, 0, 0)
	d.numbers = append(d.numbers, child)
}

// object returns the address that stands for a scope or promise.
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
			t = nil // no parent is known
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
		delete(d.objects, e.Obj) // the number may be used for another scope
	case event.Set:
		delete(d.objects, e.Obj)
		d.e.Release(t, d.object(e.Obj))
	case event.Get:
		d.e.Acquire(t, d.object(e.Obj))
	case event.Lock:
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

// lockAddr keeps the locks that are numbers, such as event.Isolation, apart from memory.
func lockAddr(obj uintptr) uintptr {
	const firstAddress = 1 << 12
	if obj < firstAddress {
		return objectBase<<1 + obj*8
	}
	return obj
}

func (d *engine) access(t *detector.Task, e *event.Event) {
	addr, n, k := uintptr(e.Addr), uintptr(e.Size), detector.Kind(e.Kind)
	if n == 0 {
		return
	}
	p := d.e.Probe(t, addr, n, k)
	if p == detector.Covered {
		return
	}
	// 0 means to the engine that there is no site.
	site, pc := uintptr(e.Site)+1, uintptr(e.Site)+1
	stack, ok := d.stacks[e.Stack]
	if !ok {
		stack = d.e.PushFrame(t, 0, uintptr(e.Stack))
		d.stacks[e.Stack] = stack
	}
	if p != detector.Open || !d.e.Quick(t, addr, n, k, site, pc, stack) {
		d.e.Access(t, addr, n, k, site, pc, stack)
	}
	if d.e.NeedSweep() {
		d.e.Sweep()
		clear(d.stacks)
	}
}

// Memory returns the bytes that the engine has taken outside of Go's heap.
func (d *engine) Memory() uint64 {
	var s detector.Stats
	d.e.Stats(&s)
	return s.Committed
}

func (d *engine) Close() []event.Counter {
	var s detector.Stats
	d.e.Stats(&s)
	detector.OnReport(d.e, func(*detector.Report) {})
	d.e.Close()
	return []event.Counter{
		{Name: "records", Value: int64(s.Records)},
		{Name: "lists", Value: int64(s.Lists)},
		{Name: "clocks", Value: int64(s.Clocks)},
		{Name: "sweeps", Value: int64(s.Sweeps)},
	}
}
