package fasttrack

import (
	"taskinstr/detector/event"
	"taskinstr/detector/offline/shadow"
	"taskinstr/detector/theorem"
)

// Spec describes the detector.
var Spec = event.Spec{
	Name:   "fasttrack",
	Doc:    "happens-before with epochs: races of the observed order",
	Source: "Flanagan, Freund: FastTrack: Efficient and Precise Dynamic Race Detection, PLDI 2009",
	Model: event.Finish | event.Escaping | event.Promises | event.Isolated | event.Locks |
		event.RawOrder,
	Theorem: theorem.ThisRun,
	New: func(c event.Config) (event.Detector, error) {
		return &detector{
			spans:   event.Spans{Report: c.Report},
			order:   newOrder(),
			records: make([]record, 1),
			recent:  make([]uint32, recentRecords),
		}, nil
	},
}

type detector struct {
	order   *order
	shadow  shadow.Memory[*state]
	records []record // element 0 is no record
	recent  []uint32
	spans   event.Spans // races of the present access

	accesses, inflated int64
}

// A record is an epoch and the access made in it.
type record struct {
	slot, now uint32
	party     event.Party
}

// A state holds the epochs of a byte, as records. It is immutable, so that bytes share
// it.
type state struct {
	write, read  uint32
	reads        clock // replaces read if several reads are unordered
	atomicReads  clock // the latest record of each slot
	atomicWrites clock
}

func (d *detector) Event(e *event.Event) {
	d.order.event(e)
	switch e.Op {
	case event.Access:
		d.accesses++
		d.access(e)
	case event.Alloc, event.Free:
		d.shadow.Clear(e.Addr, e.Size)
	}
}

const recentRecords = 1 << 10 // a power of two

// record returns the record of an access in the present epoch of its task.
func (d *detector) record(t *task, p event.Party) uint32 {
	r := record{t.slot, t.now, p}
	slot := &d.recent[(p.Task*0x9e3779b1^p.Site*0x85ebca6b^uint32(p.Kind))%recentRecords]
	if d.records[*slot] != r || *slot == 0 {
		*slot = uint32(len(d.records))
		d.records = append(d.records, r)
	}
	return *slot
}

func (d *detector) access(e *event.Event) {
	t := &d.order.tasks[e.Task]
	r := d.record(t, e.Party())
	var last, next *state // bytes that share a state before the access share one after it
	known := false
	d.shadow.Update(e.Addr, e.Size, func(s *state, lo, hi uint64) *state {
		var old state
		if s != nil {
			old = *s
		}
		if d.epochStays(&old, r) {
			return s
		}
		d.check(&old, t, r, lo, hi)
		if !known || last != s {
			last, next, known = s, d.add(old, t, r), true
		}
		return next
	})
	d.spans.Flush()
}

// epochStays reports whether the state already contains the epoch of the access.
func (d *detector) epochStays(s *state, r uint32) bool {
	x := &d.records[r]
	same := func(i uint32) bool { return i != 0 && d.records[i].slot == x.slot && d.records[i].now == x.now }
	switch x.party.Kind {
	case event.Read:
		return same(s.read) || same(s.reads.get(x.slot))
	case event.Write:
		return same(s.write)
	case event.AtomicRead:
		return same(s.atomicReads.get(x.slot))
	}
	return same(s.atomicWrites.get(x.slot))
}

// check reports the epochs that conflict with r and are not in the clock of r's task.
func (d *detector) check(s *state, t *task, r uint32, lo, hi uint64) {
	look := func(i uint32) {
		if x := &d.records[i]; i != 0 && x.now > t.clock.get(x.slot) {
			d.spans.Add(x.party, d.records[r].party, lo, hi)
		}
	}
	kind := d.records[r].party.Kind
	look(s.write)
	if kind.Writes() {
		look(s.read)
		s.reads.each(look)
	}
	if !kind.Atomic() {
		s.atomicWrites.each(look)
		if kind.Writes() {
			s.atomicReads.each(look)
		}
	}
}

// add returns the state s after the access r.
func (d *detector) add(s state, t *task, r uint32) *state {
	x := &d.records[r]
	switch x.party.Kind {
	case event.Write:
		return &state{write: r}
	case event.AtomicRead:
		s.atomicReads = s.atomicReads.with(x.slot, r)
	case event.AtomicWrite:
		s.atomicWrites = s.atomicWrites.with(x.slot, r)
	default:
		y := &d.records[s.read]
		switch {
		case s.reads.root != nil:
			s.reads = s.reads.with(x.slot, r)
		case s.read != 0 && y.now > t.clock.get(y.slot):
			d.inflated++
			s.reads = s.reads.with(y.slot, s.read).with(x.slot, r)
			s.read = 0
		default:
			s.read = r
		}
	}
	return &s
}

func (d *detector) Close() []event.Counter {
	return []event.Counter{
		{Name: "accesses", Value: d.accesses},
		{Name: "races", Value: d.spans.Races},
		{Name: "slots of clocks", Value: int64(d.order.slots)},
		{Name: "slots taken over", Value: d.order.reused},
		{Name: "epochs with a place", Value: int64(len(d.records) - 1)},
		{Name: "reads that became unordered", Value: d.inflated},
	}
}
