package report

import (
	"taskinstr/detector/event"
	"taskinstr/detector/trace"
)

// A Race is a race with the facts that a report adds to it.
type Race struct {
	event.Race
	By            []string // the detectors that found it, if there are several
	First, Second Side
	Ancestor      uint32 // the nearest common ancestor of both tasks; it may be one of them
}

// A Side is one access of a race.
type Side struct {
	event.Party
	Addr, Size uint64
	Locks      []Lock
	Ended      bool
	Fork       Origin
	Branch     Origin // where the ancestor forked the branch of the task tree that leads to the task; Task is 0 if the task is the ancestor
}

// An Origin is the place where a task was forked.
type Origin struct {
	Task        uint32
	Site, Stack uint32
}

// A Lock is a lock held at an access, with the place where it was taken.
type Lock struct {
	Addr        uint64
	Shared      bool
	Site, Stack uint32
}

type taskInfo struct {
	parent uint32
	orphan bool
	origin Origin
	locks  []Lock
	ended  bool
}

// A gatherer looks for the accesses of races.
type gatherer struct {
	tasks map[uint32]*taskInfo
	waits map[event.Party][]*Race
	seen  map[*Race]int // 1: the first access, 2: both
}

// Gather reads a trace and completes the races that were found in it. next returns the
// trace's events one by one, and nil at its end.
func Gather(races []event.Race, next func() *event.Event) []*Race {
	g := gatherer{
		tasks: map[uint32]*taskInfo{0: {}},
		waits: map[event.Party][]*Race{},
		seen:  map[*Race]int{},
	}
	var all []*Race
	for _, r := range races {
		x := &Race{Race: r, First: Side{Party: r.First, Addr: r.Addr, Size: r.Size}, Second: Side{Party: r.Second, Addr: r.Addr, Size: r.Size}}
		all = append(all, x)
		g.waits[r.First] = append(g.waits[r.First], x)
		if r.Second != r.First {
			g.waits[r.Second] = append(g.waits[r.Second], x)
		}
	}
	for e := next(); e != nil; e = next() {
		g.event(e)
	}
	for _, x := range all {
		g.origins(x)
	}
	return all
}

func (g *gatherer) task(i uint32) *taskInfo {
	t := g.tasks[i]
	if t == nil {
		t = &taskInfo{orphan: true}
		g.tasks[i] = t
	}
	return t
}

func (g *gatherer) event(e *event.Event) {
	switch e.Op {
	case event.Fork:
		g.tasks[e.Other] = &taskInfo{parent: e.Task, orphan: e.Shared, origin: Origin{e.Other, e.Site, e.Stack}}
	case event.End:
		g.task(e.Task).ended = true
	case event.Lock:
		t := g.task(e.Task)
		t.locks = append(t.locks, Lock{e.Obj, e.Shared, e.Site, e.Stack})
	case event.Unlock:
		t := g.task(e.Task)
		for i := len(t.locks) - 1; i >= 0; i-- {
			if t.locks[i].Addr == e.Obj {
				t.locks = append(t.locks[:i:i], t.locks[i+1:]...)
				break
			}
		}
	case event.Access, event.Possible:
		for _, x := range g.waits[e.Party()] {
			if e.Addr < x.Addr+x.Size && x.Addr < e.Addr+e.Size {
				g.found(x, e)
			}
		}
	}
}

// found records that e may be an access of x. Several events can match the first party:
// the last of them before a match of the second party counts. A detector that reads the
// trace in another order may report a race without such a pair of matches.
func (g *gatherer) found(x *Race, e *event.Event) {
	p := e.Party()
	locks := g.task(e.Task).locks
	if p == x.First.Party && g.seen[x] < 2 {
		x.First.Locks = locks
		g.seen[x] = max(g.seen[x], 1)
		if x.First.Party != x.Second.Party {
			return
		}
	}
	if p == x.Second.Party && g.seen[x] < 2 {
		x.Second.Locks = locks
		if g.seen[x] == 1 {
			g.seen[x] = 2
			x.First.Ended = g.task(x.First.Task).ended
		}
	}
}

// origins finds the places where the tasks of a race were forked, and their ancestor.
func (g *gatherer) origins(x *Race) {
	above := map[uint32]bool{}
	for t := x.First.Task; ; t = g.task(t).parent {
		above[t] = true
		if t == 0 || g.task(t).orphan {
			break
		}
	}
	x.Ancestor = 0
	for t := x.Second.Task; ; t = g.task(t).parent {
		if above[t] {
			x.Ancestor = t
			break
		}
		if t == 0 || g.task(t).orphan {
			break
		}
	}
	for _, s := range []*Side{&x.First, &x.Second} {
		s.Fork = g.task(s.Task).origin
		for t := s.Task; t != x.Ancestor && t != 0; t = g.task(t).parent {
			s.Branch = g.task(t).origin
			if g.task(t).orphan {
				break
			}
		}
	}
}

// Next adapts a reader to Gather. Damage ends the trace, as it did for the detectors.
func Next(r *trace.Reader) func() *event.Event {
	var e event.Event
	return func() *event.Event {
		if r.Next(&e) != nil {
			return nil
		}
		return &e
	}
}
