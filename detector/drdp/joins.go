package drdp

import "taskinstr/detector/dpst"

// A point is the moment at which a promise was set, or at which a task ended for
// which a scope waits that the tree does not know of.
type point struct {
	step   dpst.Node // of the setter; it ends with the point
	past   uint32    // the lsa of the point: see task
	time   uint32
	getter uint32 // the last task +1 that got it
	stamp  uint32 // of the last search that came by
}

// A join is an element of a persistent list of non-tree joins, the newest first.
// Lists share their ends, and none is ever changed.
type join struct {
	older uint32 // join
	item  uint32 // a point, or list + the newest join of another list
	time  uint32
	stamp uint32 // of the last search that came by: the older ones are known to it, too
}

const list = 1 << 31

// An ancestor is the part of a task's past that its children, or those who get what
// it has set, take over: its joins at that time.
type ancestor struct {
	joins uint32
	lsa   uint32 // ancestor
	stamp uint32
}

// A task has the non-tree joins that tree-precede its present step: its own and
// those of the tasks that it has waited for in joins, those that it was born with in
// lsa, the chain of ancestors that had any.
type task struct {
	joins uint32
	lsa   uint32
	self  uint32 // the ancestor that says (joins, lsa), 0: not made yet
	epoch uint32 // what it knows about order; another number after each join. Never 0

	parent uint32
	child  uint32 // the child forked last of those that late speaks for
	late   uint32 // the point of that child's end: see passOn
}

// ancestor returns what describes the present past of a task.
func (d *detector) ancestor(t *task) uint32 {
	if t.joins == 0 {
		return t.lsa
	}
	if t.self == 0 {
		t.self = d.ancestors.add(ancestor{joins: t.joins, lsa: t.lsa})
	}
	return t.self
}

// tick moves the clock. What is made at a time precedes nothing that was made
// before, so a search for a record passes over all that is older. The clock stands
// still when its numbers are used up: then nothing is older.
func (d *detector) tick() uint32 {
	if d.clock+1 != 0 {
		d.clock++
	}
	return d.clock
}

// join adds an item to the task's non-tree joins.
func (d *detector) join(t *task, item uint32) {
	t.joins = d.joins.add(join{older: t.joins, item: item, time: d.tick()})
	t.self = 0
	d.newEpoch(t)
}

func (d *detector) newEpoch(t *task) {
	d.epoch++
	t.epoch = d.epoch
}

// newPoint ends the task's step and returns the moment.
func (d *detector) newPoint(id uint32) uint32 {
	p := point{step: d.tree.Step(id), past: d.ancestor(d.tasks.At(id)), time: d.clock}
	d.tick()
	d.tree.EndStep(id)
	return d.points.add(p)
}

func (d *detector) fork(parent, child uint32) {
	lsa := d.ancestor(d.tasks.At(parent))
	d.epoch++
	*d.tasks.At(child) = task{lsa: lsa, epoch: d.epoch, parent: parent}
}

func (d *detector) set(id uint32, promise uint64) {
	d.promises.put(promise, d.newPoint(id))
}

func (d *detector) get(id uint32, promise uint64) {
	i := d.promises.get(promise)
	if i == 0 {
		d.count.unset++
		return
	}
	d.count.joins++
	p := d.points.at(i)
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

// end hands what the task has got on to the scope that waits for it.
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

// hand adds an item to what the end of a scope will join.
func (d *detector) hand(scope dpst.Scope, item uint32) {
	note := d.tree.Note(scope)
	*note = d.joins.add(join{older: *note, item: item, time: d.tick()})
}

// passOn sees to it that the scope of a task that ends gets what the task was born
// with. As a rule the task's parent hands that on at its own end. But should the
// parent turn out to escape the scope, the point of the task's end does it.
func (d *detector) passOn(id uint32, t *task, scope dpst.Scope) {
	if t.lsa == 0 {
		return
	}
	p := d.tasks.Peek(t.parent)
	if p == nil || p.epoch == 0 { // it has ended, perhaps for another scope
		d.hand(scope, d.newPoint(id))
		return
	}
	if d.tree.Belongs(t.parent) == scope && (p.late == 0 || p.child < id) {
		p.child, p.late = id, d.newPoint(id)
	}
}

// finishEnd gives the task what the scope's tasks have got.
func (d *detector) finishEnd(id uint32, obj uint64) {
	t := d.tasks.At(id)
	d.newEpoch(t)
	for _, scope := range d.tree.Closes(id, obj) {
		d.tree.Running(scope, func(task uint32) { // they escape
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
