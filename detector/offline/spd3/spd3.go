package spd3

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/structure/dpst"
)

type detector struct {
	tree   *dpst.Builder
	memory shadow.Memory[cell]
	past   shadow.Records
	locks  *lockset.Held
	spans  event.Spans
	races  []uint32 // at the bytes of the present call of Update
	limit  int      // the number of nodes and records at which reclaim runs

	tasks, reads, writes, promises, atomics, outside int64
}

// A cell holds the numbers of records, 0 for none. If r1 is 0, so is r2.
type cell struct{ w, r1, r2 uint32 }

// firstLimit is the minimum of detector.limit.
const firstLimit = 1 << 16

func newDetector(report func(event.Race)) *detector {
	return &detector{tree: dpst.NewBuilder(), locks: lockset.NewHeld(), spans: event.Spans{Report: report}, limit: firstLimit, tasks: 1}
}

func (d *detector) Event(e *event.Event) {
	switch e.Op {
	case event.Access:
		d.access(e)
		return
	case event.Alloc, event.Free:
		d.memory.Clear(e.Addr, e.Size)
		return
	case event.Fork:
		d.tasks++
		if d.tree.Len()+d.past.Len() > d.limit {
			d.reclaim()
		}
	case event.Set, event.Get:
		d.promises++
	case event.Outside:
		d.outside++
	}
	d.tree.Event(e)
	d.locks.Event(e)
}

func (d *detector) access(e *event.Event) {
	if e.Kind.Atomic() {
		d.atomics++
	}
	if e.Kind.Writes() {
		d.writes++
	} else {
		d.reads++
	}
	now := d.past.Add(shadow.Record{
		Step: uint32(d.tree.Step(e.Task)), Task: e.Task,
		Site: e.Site, Stack: e.Stack, Locks: uint32(d.locks.Of(e.Task)), Kind: e.Kind,
	})
	var before, after cell // of the last run of equal cells: neighbouring runs are often equal
	known := false
	d.memory.Update(e.Addr, e.Size, func(c cell, lo, hi uint64) cell {
		if !known || c != before {
			before, known = c, true
			d.races = d.conflicts(before, now, d.races[:0])
			after = d.update(before, now)
		}
		for _, r := range d.races {
			d.spans.Add(d.past.At(r).Party(), e.Party(), lo, hi)
		}
		return after
	})
	d.spans.Flush()
}

// conflicts appends the records of the cell that race with now to list.
func (d *detector) conflicts(c cell, now uint32, list []uint32) []uint32 {
	if d.race(c.w, now) {
		list = append(list, c.w)
	}
	if d.past.At(now).Kind.Writes() {
		if d.race(c.r1, now) {
			list = append(list, c.r1)
		}
		if d.race(c.r2, now) {
			list = append(list, c.r2)
		}
	}
	return list
}

func (d *detector) race(before, now uint32) bool {
	if before == 0 || before == now {
		return false
	}
	a, b := d.past.At(before), d.past.At(now)
	return a.Kind.Conflicts(b.Kind) && !d.precedes(a, b) && !d.locks.Protects(lockset.Set(a.Locks), lockset.Set(b.Locks))
}

// precedes reports whether a precedes b, the present access.
func (d *detector) precedes(a, b *shadow.Record) bool {
	return a.Task == b.Task || d.tree.Precedes(dpst.Node(a.Step), dpst.Node(b.Step))
}

// update returns the cell after the access now.
func (d *detector) update(c cell, now uint32) cell {
	b := d.past.At(now)
	if b.Kind.Writes() {
		c.w = now
		return c
	}
	switch {
	case c.r1 == 0:
		c.r1 = now
	case d.precedes(d.past.At(c.r1), b) && (c.r2 == 0 || d.precedes(d.past.At(c.r2), b)):
		c.r1, c.r2 = now, 0
	case c.r2 == 0:
		c.r2 = now
	case d.precedes(d.past.At(c.r1), b):
		c.r1 = now
	case d.precedes(d.past.At(c.r2), b):
		c.r2 = now
	default:
		s := dpst.Node(b.Step)
		r1, r2 := dpst.Node(d.past.At(c.r1).Step), dpst.Node(d.past.At(c.r2).Step)
		if d.tree.Depth(d.lca(r1, s)) < d.tree.Depth(d.lca(r1, r2)) {
			c.r1 = now
		}
	}
	return c
}

func (d *detector) lca(a, b dpst.Node) dpst.Node {
	l, _, _ := d.tree.LCA(a, b)
	return l
}

// reclaim frees the records that no cell refers to, and the tree nodes that neither the
// remaining records nor the running tasks need.
func (d *detector) reclaim() {
	d.tree.MarkTasks()
	d.memory.All(func(c *cell) {
		for _, i := range [...]uint32{c.w, c.r1, c.r2} {
			if d.past.Mark(i) {
				r := d.past.At(i)
				r.Step = uint32(d.tree.Summary(dpst.Node(r.Step)))
				d.tree.Mark(dpst.Node(r.Step))
			}
		}
	})
	d.past.Sweep()
	d.tree.Sweep()
	d.limit = max(firstLimit, 2*(d.tree.Len()+d.past.Len()))
}

// Close implements [event.Detector].
func (d *detector) Close() []event.Counter {
	return []event.Counter{
		{Name: "tasks", Value: d.tasks},
		{Name: "height", Value: int64(d.tree.Height)},
		{Name: "nodes", Value: int64(d.tree.Len())},
		{Name: "reads", Value: d.reads},
		{Name: "writes", Value: d.writes},
		{Name: "queries", Value: d.tree.Queries},
		{Name: "nodes climbed", Value: d.tree.Climbed},
		{Name: "races", Value: d.spans.Races},
		{Name: "outside the model: locks", Value: d.locks.Taken},
		{Name: "outside the model: promises", Value: d.promises},
		{Name: "outside the model: atomic accesses", Value: d.atomics},
		{Name: "outside the model: scopes", Value: d.tree.Escaped},
		{Name: "outside the model: other", Value: d.outside},
	}
}
