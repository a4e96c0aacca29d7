package structure

import (
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/structure/dpst"
	"taskinstr/detector/trace"
)

// A Mapper forwards the events of a trace together with the events that a plan adds.
type Mapper struct {
	plan     *Plan
	emit     func(*event.Event)
	now      int64
	tree     *dpst.Builder
	ended    map[uint32]bool
	forks    map[uint32]event.Event // by running task: the place of its fork
	orphans  map[uint32]bool        // tasks without a parent and, so far, without an access
	holders  map[uint64]map[uint32]bool
	once     event.Objects[uint64]      // promises of Once objects, by the address of their flag
	fresh    uint64                     // counts the promises that the Mapper makes
	promises map[uint64]uint64          // from a promise of the trace to its number in the output, once it is set
	left     event.Objects[[]dpst.Node] // by address: the steps that have released there
	uses     map[uint64]event.Use       // operations of lock events, by place and stack
	visible  map[uint64]bool            // by place and stack: whether the stack has code of the program
}

// Mapper returns a mapper that calls emit for each event. The event is valid until emit
// returns.
func (p *Plan) Mapper(emit func(*event.Event)) *Mapper {
	return &Mapper{
		plan: p, emit: emit,
		tree:     dpst.NewBuilder(),
		ended:    map[uint32]bool{},
		forks:    map[uint32]event.Event{},
		orphans:  map[uint32]bool{},
		holders:  map[uint64]map[uint32]bool{},
		promises: map[uint64]uint64{},
		uses:     map[uint64]event.Use{},
		visible:  map[uint64]bool{},
	}
}

func (m *Mapper) put(e *event.Event) {
	m.tree.Event(e)
	m.emit(e)
}

// Event maps the next event of the trace.
func (m *Mapper) Event(s *trace.Symbols, e *event.Event) {
	at := m.now
	m.now++
	if e.Op == event.Alloc || e.Op == event.Free {
		m.once.Forget(e.Addr, e.Size, nil)
		m.left.Forget(e.Addr, e.Size, nil)
		m.emit(e)
		return
	}
	if len(m.plan.splits) > 0 {
		e = m.renamed(at, e)
	}
	if m.ended[e.Task] || m.plan.silent[e.Task] {
		return
	}
	m.added(s, e, m.plan.before[at], at)
	switch e.Op {
	case event.Fork:
		if m.plan.silent[e.Other] {
			break
		}
		m.forks[e.Other] = *e
		if e.Shared {
			m.orphans[e.Other] = true
		}
		m.put(e)
	case event.End:
		m.end(e.Task, e.Obj)
	case event.Lock, event.Unlock:
		m.lock(s, e)
	case event.Access:
		if m.orphans[e.Task] {
			delete(m.orphans, e.Task)
			m.outside(s, &event.Event{Task: e.Task, Site: e.Site, Stack: e.Stack}, event.UseTimer)
		}
		m.put(e)
	case event.Outside:
		m.outside(s, e, e.Use)
	case event.Set, event.Get:
		m.promise(e)
	default:
		m.put(e)
		if e.Addr == 0 && e.Op.Raw() {
			m.raw(s, e)
		}
	}
	m.added(s, e, m.plan.behind[at], at)
	if scope, ok := m.plan.final[at]; ok {
		m.end(e.Task, scope)
	}
}

// promise forwards an event of a promise of package rt/task. A promise is numbered by its
// address; a later promise at the same address gets another number.
func (m *Mapper) promise(e *event.Event) {
	id, known := m.promises[e.Obj]
	if e.Op == event.Set {
		if known {
			m.fresh++
			id = idBase<<1 + m.fresh
		} else {
			id = e.Obj
		}
		m.promises[e.Obj] = id
	} else if !known {
		id = e.Obj
	}
	x := *e
	x.Obj = id
	m.put(&x)
}

// renamed returns an event with the task numbers of splits.
func (m *Mapper) renamed(at int64, e *event.Event) *event.Event {
	x := *e
	x.Task = m.part(at, e.Task)
	if e.Op == event.Meet {
		x.Other = m.part(at, e.Other)
	}
	return &x
}

// part returns the task of the structure to which an event of a task of the trace
// belongs.
func (m *Mapper) part(at int64, task uint32) uint32 {
	if s, ok := m.plan.splits[task]; ok && at >= s.at {
		return s.task
	}
	return task
}

// added emits the events that the plan adds for e, whose number is at.
func (m *Mapper) added(s *trace.Symbols, e *event.Event, list []event.Event, at int64) {
	for i := range list {
		x := list[i]
		x.Task = m.part(at, x.Task)
		if x.Op == event.Fork {
			m.forks[x.Other] = event.Event{Site: e.Site, Stack: e.Stack}
		}
		if m.ended[x.Task] {
			continue
		}
		x.Site, x.Stack = e.Site, e.Stack
		if x.Op == event.Outside {
			m.outside(s, &x, x.Use)
		} else {
			m.put(&x)
		}
	}
}

// end ends a task. The event names the place where the task was forked.
func (m *Mapper) end(task uint32, scope uint64) {
	m.ended[task] = true
	f := m.forks[task]
	delete(m.forks, task)
	m.put(&event.Event{Op: event.End, Task: task, Obj: scope, Site: f.Site, Stack: f.Stack})
}

// Close ends the tasks that still run.
func (m *Mapper) Close() {
	for task := range m.forks {
		m.end(task, 0)
	}
}

// outside emits an Outside event for synchronization that the structure leaves out. The
// operations of the runtime and of package testing for their own purposes do not count.
func (m *Mapper) outside(s *trace.Symbols, e *event.Event, use event.Use) {
	key := uint64(e.Site)<<32 | uint64(e.Stack)
	seen, ok := m.visible[key]
	if !ok {
		_, _, seen = s.UserCall(e.Site, e.Stack)
		seen = seen && !Harness(s, e.Site, e.Stack) || e.Site == 0 && e.Stack == 0
		m.visible[key] = seen
	}
	if seen {
		m.put(&event.Event{Op: event.Outside, Task: e.Task, Use: use, Site: e.Site, Stack: e.Stack, Obj: e.Obj})
	}
}

// raw decides whether an operation outside of WaitGroups and channels establishes an
// order that the structure lacks.
func (m *Mapper) raw(s *trace.Symbols, e *event.Event) {
	acquires := e.Op == event.Acquire || e.Op == event.ReleaseAcquire
	if e.Use == event.UseWaitGroup {
		return // see Finder
	}
	if e.Use == event.UseOnce {
		m.onceEvent(e, acquires)
		return
	}
	switch {
	case e.Op == event.Meet || e.Op == event.Acquire && e.Obj == 0:
		m.outside(s, e, e.Use)
		return
	case acquires && m.matters(e):
		m.outside(s, e, e.Use)
	}
	if e.Op == event.Acquire {
		return
	}
	step := m.tree.Step(e.Task)
	left := m.left.Make(e.Obj)
	if e.Op != event.ReleaseMerge {
		*left = (*left)[:0]
	}
	// A step that precedes this one is not needed any more.
	*left = slices.DeleteFunc(*left, func(n dpst.Node) bool { return n == step || !m.tree.Parallel(n, step) })
	*left = append(*left, step)
}

// matters reports whether a release at an address may be parallel to the next events of
// e's task.
func (m *Mapper) matters(e *event.Event) bool {
	left := m.left.At(e.Obj)
	if left == nil {
		return false
	}
	step := m.tree.Step(e.Task)
	return slices.ContainsFunc(*left, func(n dpst.Node) bool { return m.tree.Parallel(n, step) })
}

func (m *Mapper) onceEvent(e *event.Event, acquires bool) {
	p := m.once.At(e.Obj)
	switch {
	case acquires && p != nil:
		m.put(&event.Event{Op: event.Get, Task: e.Task, Obj: *p, Site: e.Site, Stack: e.Stack})
	case !acquires && p == nil:
		m.fresh++
		p = m.once.Make(e.Obj)
		*p = idBase<<1 + m.fresh
		m.put(&event.Event{Op: event.Set, Task: e.Task, Obj: *p, Site: e.Site, Stack: e.Stack})
	}
}

// lock forwards a lock operation, except the ones of Once: its promise is more precise.
func (m *Mapper) lock(s *trace.Symbols, e *event.Event) {
	key := uint64(e.Site)<<32 | uint64(e.Stack)
	use, ok := m.uses[key]
	if !ok && (e.Site != 0 || e.Stack != 0) {
		use = s.Use(e.Site, e.Stack)
		m.uses[key] = use
	}
	if use == event.UseOnce {
		return
	}
	h := m.holders[e.Obj]
	if e.Op == event.Lock {
		if use == event.UseCond {
			m.outside(s, e, use)
		}
		if h == nil {
			h = map[uint32]bool{}
			m.holders[e.Obj] = h
		}
		h[e.Task] = e.Shared
		m.put(e)
		return
	}
	if _, ok := h[e.Task]; ok {
		delete(h, e.Task)
		m.put(e)
		return
	}
	// Another task has taken the lock.
	m.outside(s, e, event.UseHandover)
	for task, shared := range h {
		delete(h, task)
		if !m.ended[task] {
			m.put(&event.Event{Op: event.Unlock, Task: task, Obj: e.Obj, Shared: shared, Site: e.Site, Stack: e.Stack})
		}
		break
	}
}
