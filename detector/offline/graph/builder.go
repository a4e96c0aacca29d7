package graph

import (
	"fmt"
	"slices"

	"taskinstr/detector/event"
)

// A Builder builds the graph of an execution from its events, in any order that the
// execution could have had.
type Builder struct {
	g        *Graph
	tasks    []*task
	free     []*accumulator
	scopes   map[uint64]*scope // the open scopes, and 0, the scope of tasks for which no scope waits
	promises map[uint64]int32  // the node that ends with the Set
	locks    map[uint64]*lock
	err      error
}

type task struct {
	at    int32 // its last node, or the Async node that forked it; None: main at its beginning
	begun bool  // the task has a node of its own
	acc   *accumulator
	open  []uint64 // the scopes that it has opened
	outer uint64   // the scope to which it belongs
	held  []int32  // the sections in which it is, as indices
}

// node reports whether node at has not ended, so that it takes accesses.
func (t *task) node() bool { return t.acc != nil }

type scope struct {
	first int32   // the first Async node of the scope's own task
	ends  []int32 // the last nodes of tasks that have ended
}

// A lock remembers the nodes that precede its next section.
type lock struct {
	exclusive int32   // the last node of the last exclusive section
	shared    []int32 // the last nodes of the shared sections since
}

// NewBuilder returns a builder for an execution in which only main exists.
func NewBuilder() *Builder {
	b := &Builder{
		g:        new(Graph),
		scopes:   map[uint64]*scope{0: {first: None}},
		promises: map[uint64]int32{},
		locks:    map[uint64]*lock{},
	}
	b.task(0)
	return b
}

// Build returns the graph of a trace.
func Build(trace []event.Event) (*Graph, error) {
	b := NewBuilder()
	for i := range trace {
		b.Event(&trace[i])
	}
	return b.Graph()
}

func (b *Builder) task(id uint32) *task {
	for int(id) >= len(b.tasks) {
		b.tasks = append(b.tasks, nil)
	}
	if b.tasks[id] == nil {
		if id != 0 {
			b.g.Outside.Escaped++ // no event forked it
		}
		b.tasks[id] = &task{at: None}
	}
	return b.tasks[id]
}

// gone replaces each task that has ended.
var gone = new(task)

// hasEnded reports whether a task has ended. A recorder may record later events of it.
func (b *Builder) hasEnded(id uint32) bool { return int(id) < len(b.tasks) && b.tasks[id] == gone }

// Event adds one event.
func (b *Builder) Event(e *event.Event) {
	switch {
	case b.err != nil:
		return
	case e.Op == event.Alloc || e.Op == event.Free:
		b.g.names.rename(e.Addr, e.Addr+e.Size)
		return
	case b.hasEnded(e.Task):
		return
	}
	switch e.Op {
	case event.Access:
		b.access(e)
	case event.Fork:
		b.fork(e)
	case event.End:
		b.end(e)
	case event.FinishBegin:
		t := b.task(e.Task)
		t.open = append(t.open, e.Obj)
		b.scopes[e.Obj] = &scope{first: None}
	case event.FinishEnd:
		b.finishEnd(e)
	case event.Set:
		b.g.Outside.Promises++
		t := b.task(e.Task)
		if !t.begun {
			b.add(t, e, Other)
		}
		b.close(t)
		b.promises[e.Obj] = t.at
	case event.Get:
		b.g.Outside.Promises++
		t := b.task(e.Task)
		n := b.add(t, e, Other)
		if from, ok := b.promises[e.Obj]; ok {
			b.edge(from, n, Promise)
		}
	case event.Lock:
		b.lock(e)
	case event.Unlock:
		b.unlock(e)
	case event.Outside:
		b.g.Outside.Uses++
	}
	if max(len(b.g.Nodes), len(b.g.edges), len(b.g.intervals)) > maxNodes-8 {
		b.err = fmt.Errorf("graph: the execution has more than %d nodes, edges or intervals", maxNodes)
	}
}

// Node returns the last node of a running task. Right after an access, this is the node
// of the access.
func (b *Builder) Node(task uint32) int32 { return b.task(task).at }

// add appends a node to task t, which takes its accesses from now on.
func (b *Builder) add(t *task, e *event.Event, k Kind) int32 {
	b.close(t)
	g := b.g
	n := int32(len(g.Nodes))
	if k == Other && len(t.held) > 0 {
		k = Isolated
	}
	g.Nodes = append(g.Nodes, Node{Kind: k, Task: e.Task, Site: e.Site, Next: None, Child: None, Partner: None, first: int32(len(g.edges))})
	switch {
	case t.begun:
		g.Nodes[t.at].Next = n
		b.edge(t.at, n, Continue)
	case t.at != None:
		g.Nodes[t.at].Child = n
		b.edge(t.at, n, Spawn)
	}
	t.at, t.begun = n, true
	if k == Other || k == Isolated {
		if l := len(b.free); l > 0 {
			t.acc, b.free = b.free[l-1], b.free[:l-1]
		} else {
			t.acc = new(accumulator)
		}
	}
	return n
}

func (b *Builder) edge(from, to int32, k EdgeKind) {
	b.g.edges = append(b.g.edges, Edge{from, to, k})
}

// close ends the present node of a task. Later events of the task belong to other nodes.
func (b *Builder) close(t *task) {
	if t.acc == nil {
		return
	}
	n := &b.g.Nodes[t.at]
	b.g.intervals, n.sets, n.kinds = t.acc.flush(b.g.intervals)
	for _, s := range n.sets {
		if s.from < s.to {
			lo, hi := b.g.intervals[s.from].Lo, b.g.intervals[s.to-1].Hi
			if n.hi == 0 {
				n.lo = lo
			}
			n.lo, n.hi = min(n.lo, lo), max(n.hi, hi)
		}
	}
	b.free = append(b.free, t.acc)
	t.acc = nil
}

func (b *Builder) access(e *event.Event) {
	if e.Size == 0 {
		return
	}
	t := b.task(e.Task)
	if !t.node() {
		b.add(t, e, Other)
	}
	b.g.names.each(e.Addr, e.Addr+e.Size, func(lo, hi uint64) {
		t.acc.add(e.Kind, Interval{lo, hi, e.Site, e.Stack})
	})
}

func (b *Builder) fork(e *event.Event) {
	if e.Shared { // the parent of the task is not known
		b.task(e.Other)
		return
	}
	t := b.task(e.Task)
	n := b.add(t, e, Async)
	outer := t.outer
	if l := len(t.open); l > 0 {
		outer = t.open[l-1]
		if s := b.scopes[outer]; s != nil && s.first == None {
			s.first = n
		}
	}
	for int(e.Other) >= len(b.tasks) {
		b.tasks = append(b.tasks, nil)
	}
	b.tasks[e.Other] = &task{at: n, outer: outer}
}

func (b *Builder) end(e *event.Event) {
	t := b.task(e.Task)
	b.close(t)
	if e.Obj != t.outer || len(t.open) > 0 || len(t.held) > 0 {
		b.g.Outside.Escaped++
	}
	if s := b.scopes[e.Obj]; s != nil && e.Obj != 0 && t.at != None {
		s.ends = append(s.ends, t.at)
	}
	b.tasks[e.Task] = gone
}

func (b *Builder) finishEnd(e *event.Event) {
	t := b.task(e.Task)
	if l := len(t.open); l > 0 && t.open[l-1] == e.Obj {
		t.open = t.open[:l-1]
	} else {
		b.g.Outside.Escaped++
		if i := slices.Index(t.open, e.Obj); i >= 0 {
			t.open = slices.Delete(t.open, i, i+1)
		}
	}
	s := b.scopes[e.Obj]
	if s == nil {
		return
	}
	delete(b.scopes, e.Obj)
	if len(s.ends) == 0 && s.first == None {
		return // the scope has no tasks
	}
	n := b.add(t, e, Wait)
	for _, m := range s.ends {
		b.edge(m, n, Join)
	}
	if s.first != None {
		b.g.Nodes[n].Partner, b.g.Nodes[s.first].Partner = s.first, n
	}
}

func (b *Builder) lock(e *event.Event) {
	l := b.locks[e.Obj]
	if l == nil {
		l = &lock{exclusive: None}
		if len(b.locks) > 0 {
			b.g.Outside.Locks++
		}
		b.locks[e.Obj] = l
	}
	if e.Shared {
		b.g.Outside.Shared++
	}
	t := b.task(e.Task)
	t.held = append(t.held, int32(len(b.g.Sections)))
	n := b.add(t, e, Isolated)
	b.g.Sections = append(b.g.Sections, Section{e.Obj, e.Shared, e.Task, n, None})
	if l.exclusive != None && (e.Shared || len(l.shared) == 0) {
		b.edge(l.exclusive, n, Isolation)
	}
	if !e.Shared {
		for _, m := range l.shared {
			b.edge(m, n, Isolation)
		}
	}
}

func (b *Builder) unlock(e *event.Event) {
	t := b.task(e.Task)
	b.close(t)
	for i := len(t.held) - 1; i >= 0; i-- {
		s := &b.g.Sections[t.held[i]]
		if s.Lock != e.Obj {
			continue
		}
		t.held = slices.Delete(t.held, i, i+1)
		s.Last = t.at
		if l := b.locks[e.Obj]; s.Shared {
			l.shared = append(l.shared, t.at)
		} else {
			l.exclusive, l.shared = t.at, l.shared[:0]
		}
		return
	}
}

// Graph ends the execution and returns its graph. The remaining tasks end here, and no
// scope waits for them.
func (b *Builder) Graph() (*Graph, error) {
	if b.err != nil {
		return nil, b.err
	}
	for _, t := range b.tasks {
		if t != nil && t != gone {
			b.close(t)
		}
	}
	return b.g, nil
}
