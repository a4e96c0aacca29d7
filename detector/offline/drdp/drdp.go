package drdp

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/structure/dpst"
)

type detector struct {
	tree      *dpst.Builder
	tasks     dpst.PerTask[task]
	promises  map[uint64]uint32 // to points
	points    shadow.Slab[point]
	joins     shadow.Slab[join]
	ancestors shadow.Slab[ancestor]
	epoch     uint32 // the latest number of an epoch
	clock     uint32

	memory    shadow.Memory[cell]
	past      shadow.Records
	readers   shadow.Slab[reader]
	recent    [1024]uint32 // readers by hash
	additions [1024]addition
	kept      []uint32
	locks     *lockset.Held
	spans     event.Spans
	races     []uint32 // the records that race with the present access on the present bytes

	traversal
	searcher searcher
	answers  [1 << 12]answer

	limit int // the size at which reclaim runs
	count counts
}

// A cell holds the record of the last write of a byte, and the reads since.
type cell struct {
	w uint32
	r readers
}

// A traversal selects the variant of the search.
type traversal struct {
	depthFirst, frontToBack, allAges bool
}

func newDetector(report func(event.Race), t traversal) *detector {
	d := &detector{
		tree: dpst.NewBuilder(), promises: map[uint64]uint32{}, locks: lockset.NewHeld(), spans: event.Spans{Report: report},
		traversal: t,
		limit:     firstLimit,
	}
	d.newEpoch(d.tasks.At(0))
	return d
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
		d.count.tasks++
		d.fork(e.Task, e.Other)
	case event.End:
		d.end(e.Task, e.Obj)
	case event.FinishEnd:
		d.finishEnd(e.Task, e.Obj)
	case event.Set:
		d.count.sets++
		d.set(e.Task, e.Obj)
	case event.Get:
		d.get(e.Task, e.Obj)
	case event.Outside:
		d.count.outside++
	}
	d.tree.Event(e)
	d.locks.Event(e)
	if e.Op == event.Fork || e.Op == event.Set {
		if d.size() > d.limit {
			d.reclaim()
		}
	}
}

func (d *detector) access(e *event.Event) {
	if e.Kind.Writes() {
		d.count.writes++
		d.count.writtenBytes += int64(e.Size)
	} else {
		d.count.reads++
		d.count.readBytes += int64(e.Size)
	}
	if e.Kind.Atomic() {
		d.count.atomics++
	}
	now := d.past.Add(shadow.Record{
		Step: uint32(d.tree.Step(e.Task)), Task: e.Task,
		Site: e.Site, Stack: e.Stack, Locks: uint32(d.locks.Of(e.Task)), Kind: e.Kind, Time: d.time(),
	})
	var before, after cell // of the last run of equal cells: neighbouring runs are often equal
	known := false
	d.memory.Update(e.Addr, e.Size, func(c cell, lo, hi uint64) cell {
		if !known || c != before {
			before, known = c, true
			d.races = d.races[:0]
			after = d.update(before, now)
		}
		for _, r := range d.races {
			d.spans.Add(d.past.At(r).Party(), e.Party(), lo, hi)
		}
		return after
	})
	d.spans.Flush()
}

// time returns the time that a new record keeps.
func (d *detector) time() uint32 {
	if d.allAges {
		return 0
	}
	return d.clock
}

// update returns a cell after the access now. It appends the records that race with now
// to d.races.
func (d *detector) update(c cell, now uint32) cell {
	b := d.past.At(now)
	if c.w != 0 && c.w != now {
		d.check(c.w, b)
	}
	if !b.Kind.Writes() {
		if c.w != 0 && d.covers(c.w, b) {
			return c
		}
		c.r = d.remembered(c.r, now)
		return c
	}
	for r := c.r; r != 0; {
		var record uint32
		record, r = d.first(r)
		d.check(record, b)
	}
	return cell{w: now}
}

func (d *detector) check(before uint32, b *shadow.Record) {
	a := d.past.At(before)
	if a.Kind.Conflicts(b.Kind) && !d.precede(a, b) {
		if d.locks.Protects(lockset.Set(a.Locks), lockset.Set(b.Locks)) {
			d.count.protected++
			return
		}
		d.races = append(d.races, before)
	}
}

// covers reports whether a read b is redundant beside a write: both belong to one step,
// and each access that races with the read races with the write.
func (d *detector) covers(write uint32, b *shadow.Record) bool {
	a := d.past.At(write)
	return a.Step == b.Step && a.Locks == 0 && !a.Kind.Atomic()
}

// Close implements [event.Detector].
func (d *detector) Close() []event.Counter { return d.counters() }
