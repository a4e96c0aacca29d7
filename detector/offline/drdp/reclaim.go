package drdp

import "taskinstr/detector/structure/dpst"

// firstLimit is the minimum of detector.limit.
const firstLimit = 1 << 16

// size returns the number of elements that reclaim may free.
func (d *detector) size() int {
	return d.tree.Len() + d.past.Len() + d.points.Len() + d.joins.Len() + d.ancestors.Len() + d.readers.Len()
}

// reclaim frees the elements to which no cell, no running task and no promise refers. A
// step below ended scopes is replaced by the outermost of them, unless a promise was set
// in the step.
func (d *detector) reclaim() {
	d.searcher.lsas = d.searcher.lsas[:0] // used as the list of marked ancestors that are not visited yet
	d.tree.MarkTasks()
	d.tasks.All(func(_ uint32, t *task) {
		d.markJoins(t.joins)
		d.markAncestors(t.lsa)
		d.markAncestors(t.self)
		d.markPoint(t.late)
	})
	d.tree.Notes(func(note *uint32) { d.markJoins(*note) })
	for _, point := range d.promises {
		d.markPoint(point)
	}
	for len(d.searcher.lsas) > 0 {
		n := len(d.searcher.lsas) - 1
		i := d.searcher.lsas[n]
		d.searcher.lsas = d.searcher.lsas[:n]
		a := d.ancestors.At(i)
		d.markJoins(a.joins)
		d.markAncestors(a.lsa)
	}
	d.memory.All(func(c *cell) {
		d.markRecord(c.w)
		for r := c.r; r != 0; {
			if r&list != 0 && !d.readers.Mark(uint32(r&^list)) {
				break
			}
			var record uint32
			record, r = d.first(r)
			d.markRecord(record)
		}
	})
	d.past.Sweep()
	d.points.Sweep()
	d.joins.Sweep()
	d.ancestors.Sweep()
	d.readers.Sweep()
	d.tree.Sweep()
	clear(d.recent[:])
	clear(d.additions[:])
	clear(d.answers[:])
	d.limit = max(firstLimit, 2*d.size())
}

// markJoins marks the joins of a list, and the points and lists in it.
func (d *detector) markJoins(joins uint32) {
	for d.joins.Mark(joins) {
		x := d.joins.At(joins)
		if x.item&list != 0 {
			d.markJoins(x.item &^ list)
		} else {
			d.markPoint(x.item)
		}
		joins = x.older
	}
}

func (d *detector) markPoint(i uint32) {
	if d.points.Mark(i) {
		p := d.points.At(i)
		d.tree.Pin(p.step)
		d.markAncestors(p.past)
	}
}

// markAncestors marks an ancestor and queues it. The caller marks the rest of the chain
// later, without recursion, because chains of promises may be long.
func (d *detector) markAncestors(i uint32) {
	if d.ancestors.Mark(i) {
		d.searcher.lsas = append(d.searcher.lsas, i)
	}
}

// markRecord marks a record of a cell. All points must be marked before.
func (d *detector) markRecord(i uint32) {
	if d.past.Mark(i) {
		r := d.past.At(i)
		r.Step = uint32(d.tree.Summary(dpst.Node(r.Step)))
		d.tree.Mark(dpst.Node(r.Step))
	}
}
