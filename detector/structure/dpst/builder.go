package dpst

import "taskinstr/detector/event"

// A Builder makes the tree of an execution from its events.
type Builder struct {
	*Tree
	// Escaped counts parts of the execution that the tree does not represent: tasks that
	// end in no scope around them or in another one than the innermost, and scopes that
	// do not nest. For such tasks [Tree.Precedes] is exact except for the order due to
	// the other scope. For such scopes it may claim too much order.
	Escaped int64

	tasks   PerTask[position]
	scopes  []scope // scopes[0] belongs to the whole execution
	closing []Scope
	spare   int32 // the first free scope, linked by outer; 0: none
}

// A position is the place of a task in the tree.
type position struct {
	at    Node  // its innermost open scope, or its own node
	step  Node  // its present step, 0 if it has not begun
	task  Node  // its own node
	inner int32 // the innermost open scope around it
	open  int32 // number of open scopes that the task has opened itself
}

type scope struct {
	obj   uint64
	at    Node  // position of the task that opened it, after the scope
	outer int32 // the scope around it
	live  int32 // tasks of the scope that have not ended
	note  uint32
}

// NewBuilder returns the builder of an execution in which only main exists.
func NewBuilder() *Builder {
	return &Builder{Tree: New(), scopes: make([]scope, 1)}
}

// Step returns the present step of a task.
func (b *Builder) Step(task uint32) Node {
	p := b.tasks.At(task)
	if p.step == 0 {
		p.step = b.Add(p.at, Step)
	}
	return p.step
}

// EndStep makes the task's next access begin a new step, for detectors in which not only
// structural events end steps.
func (b *Builder) EndStep(task uint32) { b.tasks.At(task).step = 0 }

// Place returns the parent of the task's next step.
func (b *Builder) Place(task uint32) Node { return b.tasks.At(task).at }

// Event records a structural event and ignores all others.
func (b *Builder) Event(e *event.Event) {
	switch e.Op {
	case event.Fork:
		p := b.tasks.At(e.Task)
		p.step = 0
		b.scopes[p.inner].live++
		node, inner := b.Add(p.at, Async), p.inner
		if p.open == 0 && p.task != 0 && b.nodes[p.task].flags&escapes != 0 {
			b.Escape(node) // the scope above both has ended
		}
		*b.tasks.At(e.Other) = position{at: node, task: node, inner: inner}
	case event.FinishBegin:
		p := b.tasks.At(e.Task)
		p.inner = b.open(scope{obj: e.Obj, at: p.at, outer: p.inner})
		p.open++
		p.at, p.step = b.Add(p.at, Finish), 0
	case event.FinishEnd:
		b.finishEnd(b.tasks.At(e.Task), e.Obj)
	case event.End:
		b.end(e.Task, e.Obj)
		b.tasks.Drop(e.Task)
	}
}

func (b *Builder) open(s scope) int32 {
	if i := b.spare; i != 0 {
		b.spare = b.scopes[i].outer
		b.scopes[i] = s
		return i
	}
	b.scopes = append(b.scopes, s)
	return int32(len(b.scopes) - 1)
}

// finishEnd closes the task's scope obj. It also closes scopes that the task opened later
// and has not closed, although no task has waited for their tasks.
func (b *Builder) finishEnd(p *position, obj uint64) {
	depth, s := int32(0), p.inner
	for depth < p.open && b.scopes[s].obj != obj {
		depth, s = depth+1, b.scopes[s].outer
	}
	if depth == p.open {
		b.Escaped++ // it was closed before, or never opened
		return
	}
	b.Escaped += int64(depth)
	for ; depth >= 0; depth-- {
		if b.scopes[p.inner].live > 0 {
			b.escapeAll(p.inner)
		}
		last := b.scopes[p.inner]
		b.nodes[p.at].flags |= ended
		p.at, p.step = last.at, 0
		b.scopes[p.inner] = scope{outer: b.spare}
		b.spare = p.inner
		p.inner = last.outer
		p.open--
	}
}

// escapeAll marks the running tasks of a scope that ends without them.
func (b *Builder) escapeAll(s int32) {
	outer := b.scopes[s].outer
	b.tasks.All(func(_ uint32, p *position) {
		if p.task == 0 || b.belongs(p) != s {
			return
		}
		b.Escape(p.task)
		b.Escaped++
		b.scopes[outer].live++
		b.scopes[s].live--
		b.replace(p, s, outer)
	})
}

// replace moves a task from scope s to scope outer.
func (b *Builder) replace(p *position, s, outer int32) {
	if p.open == 0 {
		p.inner = outer
		return
	}
	i := p.inner
	for b.scopes[i].outer != s {
		i = b.scopes[i].outer
	}
	b.scopes[i].outer = outer
}

func (b *Builder) end(task uint32, obj uint64) {
	p := b.tasks.At(task)
	for ; p.open > 0; p.open-- {
		b.Escaped++ // a scope that is never closed: no task waits for its tasks
		s := p.inner
		b.escapeAll(s)
		p.inner = b.scopes[s].outer
		b.scopes[s] = scope{outer: b.spare}
		b.spare = s
	}
	s := &b.scopes[p.inner]
	s.live--
	if s.obj != obj && p.task != 0 {
		if b.nodes[p.task].flags&escapes == 0 && p.inner != 0 {
			b.Escaped++
		}
		b.Escape(p.task)
	} else if b.nodes[p.task].flags&escapes == 0 {
		b.join(p.task)
	}
}

// A Scope is an open scope. 0 belongs to the whole execution and never ends.
type Scope int32

// Inner returns the innermost open scope around a task.
func (b *Builder) Inner(task uint32) Scope { return Scope(b.tasks.At(task).inner) }

// Belongs returns the scope that waits for a task unless the task escapes: the innermost
// scope that was open around it when it was forked.
func (b *Builder) Belongs(task uint32) Scope { return Scope(b.belongs(b.tasks.At(task))) }

func (b *Builder) belongs(p *position) int32 {
	s := p.inner
	for range p.open {
		s = b.scopes[s].outer
	}
	return s
}

// Running calls f for each task that belongs to a scope and has not ended.
func (b *Builder) Running(s Scope, f func(task uint32)) {
	if b.scopes[s].live == 0 {
		return
	}
	b.tasks.All(func(task uint32, p *position) {
		if p.task != 0 && b.belongs(p) == int32(s) {
			f(task)
		}
	})
}

// Waits returns the scope that waits for the end of a task, where the End event names
// obj, or 0 if there is none. tree reports whether the tree represents this.
func (b *Builder) Waits(task uint32, obj uint64) (s Scope, tree bool) {
	p := b.tasks.At(task)
	belongs := b.Belongs(task)
	if b.scopes[belongs].obj == obj {
		return belongs, p.task != 0 && b.nodes[p.task].flags&escapes == 0
	}
	if obj == 0 {
		return 0, false
	}
	for i := range b.scopes {
		if i > 0 && b.scopes[i].obj == obj {
			return Scope(i), false
		}
	}
	return 0, false
}

// Closes returns the scopes that the task's FinishEnd of obj will close, innermost first.
func (b *Builder) Closes(task uint32, obj uint64) []Scope {
	p := b.tasks.At(task)
	b.closing = b.closing[:0]
	s := p.inner
	for range p.open {
		b.closing = append(b.closing, Scope(s))
		if b.scopes[s].obj == obj {
			return b.closing
		}
		s = b.scopes[s].outer
	}
	return nil
}

// Note returns a word in which a detector may store data about an open scope, 0 at first.
func (b *Builder) Note(s Scope) *uint32 { return &b.scopes[s].note }

// Notes calls f for the note of each scope.
func (b *Builder) Notes(f func(note *uint32)) {
	for i := range b.scopes {
		f(&b.scopes[i].note)
	}
}

// MarkTasks marks the nodes at which running tasks and open scopes are. It also pins the
// nodes of the tasks, because a task that escapes may continue below a scope that has
// ended.
func (b *Builder) MarkTasks() {
	b.tasks.All(func(_ uint32, p *position) {
		b.Pin(p.at)
		b.Pin(p.step)
		b.Pin(p.task)
	})
	for i := range b.scopes {
		b.Mark(b.scopes[i].at)
	}
}
