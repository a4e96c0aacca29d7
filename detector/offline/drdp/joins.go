package drdp

import "taskinstr/detector/structure/dpst"

// A point is the moment at which a promise was set, or at which a task ended whose scope
// the tree does not know.
type point struct {
	step   dpst.Node // of the setter; it ends with the point
	past   uint32    // the ancestor with the joins that precede the point
	time   uint32
	getter uint32 // 1 + the last task that got it
	stamp  uint32 // of the last search that visited it
}

// A join is an element of a persistent list of non-tree joins, the newest first. Lists
// share their tails. Only stamp ever changes.
type join struct {
	older uint32 // join
	item  uint32 // a point, or list + the newest join of another list
	time  uint32
	stamp uint32 // of the last search that visited it, and all older joins of the list
}

const list = 1 << 31

// An ancestor is the part of a task's past that its children take over, and the tasks
// that get a promise from it: its joins at that time.
type ancestor struct {
	joins uint32
	lsa   uint32 // ancestor
	stamp uint32
}

// A task has the non-tree joins that precede its present step in the tree: its own joins
// and the joins of the tasks for which it has waited in joins, the joins with which it
// was forked in lsa, the chain of ancestors that had any.
type task struct {
	joins uint32
	lsa   uint32
	self  uint32 // the ancestor with the present joins and lsa, 0: not made yet
	epoch uint32 // changes with each join, never 0: cached answers of precede depend on it

	parent uint32
	child  uint32 // the latest forked of the ended children in the task's own scope
	late   uint32 // the point of that child's end: see passOn
}

// ancestor returns an ancestor with the present past of a task.
func (d *detector) ancestor(t *task) uint32 {
	if t.joins == 0 {
		return t.lsa
	}
	if t.self == 0 {
		t.self = d.ancestors.Add(ancestor{joins: t.joins, lsa: t.lsa})
	}
	return t.self
}

// tick advances the clock. A point or join precedes nothing that was made before it, so a
// search for a record skips all older points and joins. When the numbers are used up, the
// clock stands still: then nothing is older.
func (d *detector) tick() uint32 {
	if d.clock+1 != 0 {
		d.clock++
	}
	return d.clock
}

// join adds an item to the task's non-tree joins.
func (d *detector) join(t *task, item uint32) {
	t.joins = d.joins.Add(join{older: t.joins, item: item, time: d.tick()})
	t.self = 0
	d.newEpoch(t)
}

func (d *detector) newEpoch(t *task) {
	d.epoch++
	t.epoch = d.epoch
}

// newPoint ends the task's step and returns a point at its end.
func (d *detector) newPoint(id uint32) uint32 {
	p := point{step: d.tree.Step(id), past: d.ancestor(d.tasks.At(id)), time: d.clock}
	d.tick()
	d.tree.EndStep(id)
	return d.points.Add(p)
}

func (d *detector) fork(parent, child uint32) {
	lsa := d.ancestor(d.tasks.At(parent))
	d.epoch++
	*d.tasks.At(child) = task{lsa: lsa, epoch: d.epoch, parent: parent}
}

func (d *detector) set(id uint32, promise uint64) {
	d.promises[promise] = d.newPoint(id)
}

func (d *detector) get(id uint32, promise uint64) {
	i := d.promises[promise]
	if i == 0 {
		d.count.unset++
		return
	}
	d.count.joins++
	p := d.points.At(i)
	if p.getter == id+1 {
		return
	}
	p.getter = id + 1
	if d.tree.Precedes(p.step, d.tree.Step(id)) {
		d.count.ordered++
		return
	}
	d.join(d.tasks.At(id), i)
}

// end passes the joins of a task to the scope that waits for it.
func (d *detector) end(id uint32, obj uint64) {
	t := d.tasks.At(id)
	scope, tree := d.tree.Waits(id, obj)
	switch {
	case scope != 0 && tree:
		d.count.treeJoins++
		if t.joins != 0 {
			d.hand(scope, t.joins|list)
		}
		d.passOn(id, t, scope)
	case scope != 0:
		d.count.escaped++
		d.hand(scope, d.newPoint(id))
	}
	if belongs := d.tree.Belongs(id); !tree && t.late != 0 && belongs != 0 {
		d.hand(belongs, t.late)
	}
	d.tasks.Drop(id)
}

// hand adds an item to the joins that the end of a scope makes.
func (d *detector) hand(scope dpst.Scope, item uint32) {
	note := d.tree.Note(scope)
	*note = d.joins.Add(join{older: *note, item: item, time: d.tick()})
}

// passOn ensures that the scope of an ending task gets the joins in the task's lsa. As a
// rule the parent passes them on at its own end. If the parent has ended already, the
// scope gets the point of this task's end instead. If the parent may yet escape the
// scope, it keeps the point in late.
func (d *detector) passOn(id uint32, t *task, scope dpst.Scope) {
	if t.lsa == 0 {
		return
	}
	p := d.tasks.Peek(t.parent)
	if p == nil || p.epoch == 0 { // the parent has ended, perhaps for another scope
		d.hand(scope, d.newPoint(id))
		return
	}
	if d.tree.Belongs(t.parent) == scope && (p.late == 0 || p.child < id) {
		p.child, p.late = id, d.newPoint(id)
	}
}

// finishEnd passes the joins of the scope's tasks to the task that closes the scope.
func (d *detector) finishEnd(id uint32, obj uint64) {
	t := d.tasks.At(id)
	d.newEpoch(t)
	for _, scope := range d.tree.Closes(id, obj) {
		d.tree.Running(scope, func(task uint32) { // these tasks escape the scope
			if r := d.tasks.At(task); r.late != 0 {
				d.hand(scope, r.late)
				r.late = 0
			}
		})
		if joins := *d.tree.Note(scope); joins != 0 {
			d.join(t, joins|list)
		}
	}
}
