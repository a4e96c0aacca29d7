package spbags

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/bags"
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
		d := &detector{conf: c, pages: map[uint64]*page{}, parties: make([]known, 1)}
		d.tasks = map[uint32]*task{0: {node: d.bags.Add()}}
		return d, nil
	},
}

type detector struct {
	conf    event.Config
	bags    bags.Forest
	tasks   map[uint32]*task // the running tasks
	pages   map[uint64]*page
	parties []known // the accesses to which pages refer

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

// A known is an access to which a byte refers.
type known struct {
	node  uint32
	party event.Party
}

// A page is the shadow of pageBytes bytes: for each the last writer and one reader, as
// indices of parties.
type page [pageBytes]struct{ w, r uint32 }

const pageBytes = 4096

func (d *detector) Event(e *event.Event) {
	t := d.tasks[e.Task]
	switch e.Op {
	case event.Alloc, event.Free:
		for a := e.Addr; a < e.Addr+e.Size; a++ {
			if p := d.pages[a/pageBytes]; p != nil {
				p[a%pageBytes].w, p[a%pageBytes].r = 0, 0
			}
		}
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
	me := uint32(0) // the index of this access, once a byte refers to it
	var last event.Race
	for a := e.Addr; a < e.Addr+e.Size; a++ {
		p := d.pages[a/pageBytes]
		if p == nil {
			p = new(page)
			d.pages[a/pageBytes] = p
		}
		b := &p[a%pageBytes]
		w, r := d.parties[b.w], d.parties[b.r]
		if b.w != 0 && d.bags.Parallel(w.node) && e.Kind.Conflicts(w.party.Kind) {
			d.race(&last, w.party, e, a)
		}
		if e.Kind.Writes() && b.r != 0 && d.bags.Parallel(r.node) && e.Kind.Conflicts(r.party.Kind) {
			d.race(&last, r.party, e, a)
		}
		if !e.Kind.Writes() && b.r != 0 && (r.node == t.node || d.bags.Parallel(r.node)) {
			continue
		}
		if e.Kind.Writes() && b.w != 0 && b.r == 0 && w.node == t.node {
			continue
		}
		if me == 0 {
			me = uint32(len(d.parties))
			d.parties = append(d.parties, known{t.node, e.Party()})
		}
		if e.Kind.Writes() {
			b.w, b.r = me, 0
		} else {
			b.r = me
		}
	}
	if last.Size != 0 {
		d.conf.Report(last)
	}
}

// race adds the byte a to the race last, or begins another race.
func (d *detector) race(last *event.Race, p event.Party, e *event.Event, a uint64) {
	if last.Size != 0 && last.First == p && last.Addr+last.Size == a {
		last.Size++
		return
	}
	if last.Size != 0 {
		d.conf.Report(*last)
	}
	*last = event.Race{First: p, Second: e.Party(), Addr: a, Size: 1}
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
