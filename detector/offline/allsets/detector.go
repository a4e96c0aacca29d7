package allsets

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/lockset"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/theorem"
)

// Fictitious locks: all reads hold readLock, all atomic accesses hold atomicLock.
const (
	readLock   = ^uint64(3) // bits 0 and 1 are clear, because event.LockOf uses them
	atomicLock = readLock - 4
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:    "allsets",
	Doc:     "spawn, sync and locks, with all locksets of each location",
	Source:  "Cheng, Feng, Leiserson, Randall, Stark: Detecting Data Races in Cilk Programs that Use Locks, SPAA 1998",
	Model:   event.Finish | event.Isolated | event.Locks,
	Serial:  true,
	Theorem: theorem.SameOperations,
	New: func(c event.Config) (event.Detector, error) {
		return &detector{spans: event.Spans{Report: c.Report}, scopes: newScopes(), held: lockset.NewHeld(), kinds: map[kindSet]lockset.Set{}}, nil
	},
}

type detector struct {
	scopes *scopes
	held   *lockset.Held
	shadow shadow.Memory[*history]
	kinds  map[kindSet]lockset.Set
	spans  event.Spans // races of the present access

	accesses, longest, outside int64
}

type kindSet struct {
	held lockset.Set
	kind event.Kind
}

// A history holds the lockers of a byte. It is immutable, so that bytes share it.
type history struct {
	lockers []locker
}

type locker struct {
	party event.Party
	locks lockset.Set // including the fictitious locks
}

func (d *detector) Event(e *event.Event) {
	d.scopes.event(e)
	d.held.Event(e)
	switch e.Op {
	case event.Access:
		d.accesses++
		d.access(e)
	case event.Alloc, event.Free:
		d.shadow.Clear(e.Addr, e.Size)
	case event.Set, event.Get, event.Outside:
		d.outside++
	}
}

// locks returns the lockset of an access.
func (d *detector) locks(e *event.Event) lockset.Set {
	key := kindSet{d.held.Of(e.Task), e.Kind}
	s, ok := d.kinds[key]
	if !ok {
		var more []uint64
		if !e.Kind.Writes() {
			more = append(more, readLock)
		}
		if e.Kind.Atomic() {
			more = append(more, atomicLock)
		}
		s = d.held.With(e.Task, more)
		d.kinds[key] = s
	}
	return s
}

func (d *detector) access(e *event.Event) {
	l := locker{e.Party(), d.locks(e)}
	var last, next *history // bytes that share a history before the access share one after it
	known := false
	d.shadow.Update(e.Addr, e.Size, func(h *history, lo, hi uint64) *history {
		if h != nil {
			for _, x := range h.lockers {
				if d.scopes.parallel(x.party.Task) && !d.held.Protects(x.locks, l.locks) {
					d.spans.Add(x.party, l.party, lo, hi)
				}
			}
		}
		if !known || last != h {
			last, next, known = h, d.add(h, l), true
		}
		return next
	})
	d.spans.Flush()
}

// add returns the history h with the locker l, without redundant lockers.
func (d *detector) add(h *history, l locker) *history {
	if h == nil {
		return &history{[]locker{l}}
	}
	list := make([]locker, 0, len(h.lockers)+1)
	redundant := false
	for _, x := range h.lockers {
		parallel := d.scopes.parallel(x.party.Task)
		switch {
		case (parallel || x.party.Task == l.party.Task) && d.held.Covers(x.locks, l.locks):
			redundant = true
		case !parallel && d.held.Covers(l.locks, x.locks):
			continue // an access that is parallel to x later is parallel to l as well
		}
		list = append(list, x)
	}
	if !redundant {
		list = append(list, l)
	} else if len(list) == len(h.lockers) {
		return h
	}
	d.longest = max(d.longest, int64(len(list)))
	return &history{list}
}

func (d *detector) Close() []event.Counter {
	return []event.Counter{
		{Name: "accesses", Value: d.accesses},
		{Name: "races", Value: d.spans.Races},
		{Name: "locksets", Value: int64(d.held.Len())},
		{Name: "longest list of lockers", Value: d.longest},
		{Name: "outside the model", Value: d.outside + d.scopes.escaped + d.held.Foreign},
	}
}
