package dpst

import "taskinstr/detector/event"

// A Builder makes the tree of an execution as its events come in.
type Builder struct {
	*Tree
	// Escaped counts what the tree cannot represent: tasks whose end counts for no
	// scope or for another one than the innermost, scopes that do not nest.
	Escaped int64

	tasks []place // by task
}

// A place is where a task is in the tree.
type place struct {
	at    Node // its innermost scope that is open, or its own node
	step  Node // its present step, 0: it has not begun
	open  []scope
	outer uint64 // the scope that the task belongs to
}

type scope struct {
	obj  uint64
	node Node // that it lies in
}

// NewBuilder returns the builder of an execution in which only main exists.
func NewBuilder() *Builder {
	return &Builder{Tree: New(), tasks: make([]place, 1)}
}

func (b *Builder) place(task uint32) *place {
	for int(task) >= len(b.tasks) {
		b.tasks = append(b.tasks, place{})
	}
	return &b.tasks[task]
}

// Step returns the present step of a task.
func (b *Builder) Step(task uint32) Node {
	p := b.place(task)
	if p.step == 0 {
		p.step = b.Add(p.at, Step)
	}
	return p.step
}

// EndStep begins a new step of the task with its next access: for detectors to which
// more than the structural events ends steps.
func (b *Builder) EndStep(task uint32) { b.place(task).step = 0 }

// Event takes note of a structural event and passes over all others.
func (b *Builder) Event(e *event.Event) {
	switch e.Op {
	case event.Fork:
		p := b.place(e.Task)
		outer := p.outer
		if n := len(p.open); n > 0 {
			outer = p.open[n-1].obj
		}
		p.step = 0
		at := b.Add(p.at, Async)
		*b.place(e.Other) = place{at: at, outer: outer}
	case event.FinishBegin:
		p := b.place(e.Task)
		p.open = append(p.open, scope{e.Obj, p.at})
		p.at, p.step = b.Add(p.at, Finish), 0
	case event.FinishEnd:
		p := b.place(e.Task)
		n := len(p.open) - 1
		if n < 0 || p.open[n].obj != e.Obj {
			b.Escaped++
			return
		}
		p.at, p.step = p.open[n].node, 0
		p.open = p.open[:n]
	case event.End:
		p := b.place(e.Task)
		if e.Obj != p.outer || len(p.open) > 0 {
			b.Escaped++
		}
		p.open = nil
	}
}
