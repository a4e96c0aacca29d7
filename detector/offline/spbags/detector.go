package spbags

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/bags"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "spbags",
	Doc:     "S- and P-bags of spawn and sync, the baseline of espbags",
	Source:  "Feng, Leiserson: Efficient Detection of Determinacy Races in Cilk Programs, SPAA 1997",
	Model:   event.Spawns,
	Serial:  true,
	Theorem: theorem.AnySchedule,
	New: func(c event.Config) (event.Detector, error) {
		d := &detector{spans: event.Spans{Report: c.Report}, parties: make([]known, 1)}
		d.tasks = map[uint32]*task{0: {node: d.bags.Add()}}
		return d, nil
	},
}

type detector struct {
	spans   event.Spans // races of the present access
	bags    bags.Forest
	tasks   map[uint32]*task // the running tasks
	memory  shadow.Memory[cell]
	parties []known // the accesses to which cells refer

	partial  int64 // scopes that wait for some of the children
	unsynced int64 // tasks that ended with children for which they had not waited
	locked   int64 // accesses under locks
	syncs    int64
}

// A task is a running task. Its node represents its S-bag, too.
type task struct {
	node     uint32
	parent   *task
	children uint32 // a node of the P-bag
	waiting  bool   // the P-bag is not empty
	locks    int
}

// A known is an access to which a cell refers.
type known struct {
	node  uint32
	party event.Party
}

// A cell has the last writer of a byte and one reader, as indices of parties.
type cell struct{ w, r uint32 }

func (d *detector) Event(e *event.Event) {
	t := d.tasks[e.Task]
	switch e.Op {
	case event.Alloc, event.Free:
		d.memory.Clear(e.Addr, e.Size)
	case event.Fork:
		d.tasks[e.Other] = &task{node: d.bags.Add(), parent: t}
	case event.End:
		if t.waiting {
			d.unsynced++
			d.bags.Unite(t.node, t.children, true)
		}
		d.returns(t)
		delete(d.tasks, e.Task)
	case event.FinishBegin:
		if t.waiting {
			d.partial++
		}
	case event.FinishEnd:
		if d.syncs++; t.waiting {
			d.bags.Unite(t.node, t.children, false)
			t.waiting = false
		}
	case event.Lock:
		t.locks++
	case event.Unlock:
		t.locks--
	case event.Access:
		d.access(t, e)
	}
}

// returns moves t's S-bag into its parent's P-bag.
func (d *detector) returns(t *task) {
	p := t.parent
	if p == nil {
		return
	}
	if p.waiting {
		d.bags.Unite(p.children, t.node, true)
	} else {
		d.bags.SetParallel(t.node)
	}
	p.children, p.waiting = t.node, true
}

func (d *detector) access(t *task, e *event.Event) {
	if t.locks > 0 {
		d.locked++
	}
	writes := e.Kind.Writes()
	me := uint32(0) // the index of this access, once a cell refers to it
	d.memory.Update(e.Addr, e.Size, func(c cell, lo, hi uint64) cell {
		w, r := &d.parties[c.w], &d.parties[c.r]
		if c.w != 0 && d.races(w, e) {
			d.spans.Add(w.party, e.Party(), lo, hi)
		}
		if writes && c.r != 0 && d.races(r, e) {
			d.spans.Add(r.party, e.Party(), lo, hi)
		}
		switch {
		case !writes && c.r != 0 && (r.node == t.node || d.bags.Parallel(r.node)):
			return c
		case writes && c.w != 0 && c.r == 0 && w.node == t.node:
			return c
		}
		if me == 0 {
			me = uint32(len(d.parties))
			d.parties = append(d.parties, known{t.node, e.Party()})
		}
		if writes {
			return cell{w: me}
		}
		return cell{c.w, me}
	})
	d.spans.Flush()
}

func (d *detector) races(before *known, e *event.Event) bool {
	return d.bags.Parallel(before.node) && e.Kind.Conflicts(before.party.Kind)
}

func (d *detector) Close() []event.Counter {
	c := []event.Counter{
		{Name: "tasks", Value: int64(d.bags.Len()) - 1},
		{Name: "syncs", Value: d.syncs},
		{Name: "accesses named by bytes", Value: int64(len(d.parties)) - 1},
	}
	for _, x := range []event.Counter{
		{Name: "outside: scopes that wait for some of the children", Value: d.partial},
		{Name: "outside: tasks that end before they sync", Value: d.unsynced},
		{Name: "outside: accesses under locks", Value: d.locked},
	} {
		if x.Value > 0 {
			c = append(c, x)
		}
	}
	return c
}
