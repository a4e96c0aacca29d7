package structure

import (
	"slices"

	"taskinstr/detector/event"
)

// idBase is the first number of scopes and promises that a Finder adds. It exceeds all
// addresses, and the numbers of package rt/task.
const idBase = 1 << 52

// A Plan lists the events to be added to a trace, by the number of an event of the trace.
type Plan struct {
	before map[int64][]event.Event // added before an event
	behind map[int64][]event.Event
	final  map[int64]uint64 // by the number of a Done that ends its task: the scope of the task
	silent map[uint32]bool  // the tasks without any operation
	splits map[uint32]split
	origin map[uint32]uint32 // from each task made by a split to the task of the trace
}

// Task returns the task of the trace to which a task of the structure belongs.
func (p *Plan) Task(i uint32) uint32 {
	if o, ok := p.origin[i]; ok {
		return o
	}
	return i
}

// A Finder finds the structure of a trace.
type Finder struct {
	// Own reports whether an access is package testing's own; nil means that none is. See
	// Harness.
	Own func(*event.Event) bool

	plan    Plan
	now     int64
	next    uint64 // the latest number of a scope or promise
	tasks   map[uint32]*task
	groups  event.Objects[group] // by the address of the WaitGroup
	chans   event.Objects[channel]
	closed  []*channel // channels whose memory has a new owner
	last    uint32     // the highest number of a task
	started []uint32
}

// A task is the Finder's knowledge about a task.
type task struct {
	parent uint32
	fork   int64 // number of the Fork; -1 for main
	active bool
	done   *done    // the task's latest event, if it is a Done
	sent   lastSend // the task's latest event, if it is a message
	busy   []int64  // its forks, and the begins and ends of its scopes
}

// A group is one round of a WaitGroup: the operations since the last Wait.
type group struct {
	dones []*done
	waits []wait // the waits of this round
	last  wait   // the first Wait of the previous round
	round int
}

// A done is one Done.
type done struct {
	at    int64
	task  uint32
	final bool // the Done is the last event of its task
}

type wait struct {
	at   int64
	task uint32
}

// NewFinder returns a finder for an empty trace.
func NewFinder() *Finder {
	return &Finder{
		plan: Plan{
			before: map[int64][]event.Event{},
			behind: map[int64][]event.Event{},
			final:  map[int64]uint64{},
			silent: map[uint32]bool{},
			splits: map[uint32]split{},
			origin: map[uint32]uint32{},
		},
		next:  idBase,
		tasks: map[uint32]*task{0: {fork: -1, active: true}},
	}
}

func (f *Finder) id() uint64 {
	f.next++
	return f.next
}

func (f *Finder) task(i uint32) *task {
	t := f.tasks[i]
	if t == nil {
		t = &task{fork: -1}
		f.tasks[i] = t
	}
	return t
}

// Event records the next event of the trace.
func (f *Finder) Event(e *event.Event) {
	defer func() { f.now++ }()
	f.last = max(f.last, e.Task, e.Other)
	switch e.Op {
	case event.Alloc, event.Free:
		f.groups.Forget(e.Addr, e.Size, f.close)
		f.chans.Forget(e.Addr, e.Size, func(c *channel) { f.closed = append(f.closed, c) })
		return
	case event.End:
		t := f.task(e.Task)
		if t.done != nil {
			t.done.final = true
		}
		if t.sent.c != nil {
			t.sent.c.ops[t.sent.i].final = true
		}
		return
	}
	t := f.task(e.Task)
	sent := t.sent
	t.active, t.done = true, nil
	if sent.c != nil && e.Op == event.Access && f.Own != nil && f.Own(e) {
		return
	}
	t.sent = lastSend{}
	switch {
	case e.Op == event.FinishBegin || e.Op == event.FinishEnd:
		t.busy = append(t.busy, f.now)
	case e.Op == event.Fork:
		c := f.task(e.Other)
		c.fork, c.parent = f.now, e.Task
		if e.Shared {
			c.fork = -1
		}
		f.started = append(f.started, e.Other)
		t.busy = append(t.busy, f.now)
	case e.Addr != 0 && e.Op.Raw():
		f.channel(e, t, sent)
	case e.Use == event.UseWaitGroup && e.Op == event.ReleaseMerge:
		g := f.groups.Make(e.Obj)
		if len(g.waits) > 0 {
			f.close(g)
		}
		t.done = &done{at: f.now, task: e.Task}
		g.dones = append(g.dones, t.done)
	case e.Use == event.UseWaitGroup && e.Op == event.Acquire:
		t.busy = append(t.busy, f.now)
		if g := f.groups.At(e.Obj); g != nil && len(g.dones) > 0 {
			g.waits = append(g.waits, wait{f.now, e.Task})
		}
	}
}

// Plan ends the trace and returns the plan for it.
func (f *Finder) Plan() *Plan {
	for g := range f.groups.All() {
		f.close(g)
	}
	// The scope of a call lies within a WaitGroup's scope that begins at the same fork,
	// so the Finder adds it later.
	f.channels(slices.AppendSeq(f.closed, f.chans.All()))
	for _, i := range f.started {
		if !f.tasks[i].active {
			f.plan.silent[i] = true
		}
	}
	return &f.plan
}

func (p *Plan) add(m map[int64][]event.Event, at int64, e event.Event) { m[at] = append(m[at], e) }
