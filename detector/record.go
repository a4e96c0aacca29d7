package detector

import "unsafe"

// A record is what is remembered of accesses: who, when, under which locks, and of
// which kind. All accesses of a kind that a task makes in one step under the same
// locks share a record. Where they were made is remembered beside it, see origin.
type record struct {
	task uint32 // also the link of the free chain
	step uint32
	set  uint32
	kind Kind
	mark uint32 // of the sweep that has decided on it
}

const (
	kinds = 4

	// noRecord is no record's index.
	noRecord = indexOf
)

func (e *Engine) record(i uint32) *record {
	return (*record)(unsafe.Add(nil, e.records.base+uintptr(i)*unsafe.Sizeof(record{})))
}

// recordOf returns the record for accesses of kind k by t now.
func (e *Engine) recordOf(t *Task, k Kind) uint32 {
	if t.nHolds != 0 {
		e.lockset(t)
	}
	if t.records[k%kinds] == noRecord {
		i := e.draw(&t.spare, &e.records, t.batch())
		e.makeRecord(t, k, i)
	}
	return t.records[k%kinds]
}

// makeRecord makes i, a new record, that of t's accesses of kind k from now on. Its
// lockset is known.
//
//go:nosplit
func (e *Engine) makeRecord(t *Task, k Kind, i uint32) {
	*e.record(i) = record{task: t.id, step: t.step, set: t.set, kind: k}
	t.records[k%kinds] = i
	t.owes = t.step
}

// forgetRecords is called when t's step or locks change.
//
//go:nosplit
func (t *Task) forgetRecords() {
	t.records = [kinds]uint32{noRecord, noRecord, noRecord, noRecord}
}

// An origin is where accesses were made: a site of the source, an instruction, and
// the calls that led there. Site and pc are distances from the host's bases, see
// Options.
type origin struct {
	site  uint32 // also the link of the free chain
	pc    uint32
	stack uint32
	set   uint32 // locks held when it was first met, or unknownSet; see Known
	mark  uint32
}

// unknownSet stands for a lockset that nobody has asked for.
const unknownSet = 1<<32 - 1

// An originMemo remembers an origin.
type originMemo struct {
	site, pc, stack, id uint32
}

func (e *Engine) origin(i uint32) *origin {
	return (*origin)(unsafe.Add(nil, e.origins.base+uintptr(i)*unsafe.Sizeof(origin{})))
}

func (e *Engine) siteOf(o *origin) uintptr {
	if o.site == 0 {
		return 0
	}
	return e.opt.SiteBase + uintptr(o.site)
}

func (e *Engine) pcOf(o *origin) uintptr { return e.opt.PCBase + uintptr(o.pc) }

// originOf returns the origin of an access by t.
func (e *Engine) originOf(t *Task, site, pc uintptr, stack uint32) uint32 {
	if t.spareOrigins == 0 {
		i := e.draw(&t.spareOrigins, &e.origins, t.batch())
		e.origin(i).site = t.spareOrigins
		t.spareOrigins = i
	}
	return e.quickOrigin(t, site, pc, stack)
}

// quickOrigin is originOf where t remembers the origin or has one in stock, else 0. Of
// two slots that an origin may have the first has the newer one.
//
//go:nosplit
func (e *Engine) quickOrigin(t *Task, site, pc uintptr, stack uint32) uint32 {
	s, p := uint32(0), uint32(pc-e.opt.PCBase)
	if site != 0 {
		s = uint32(site - e.opt.SiteBase)
	}
	slot := t.originSlot(s, p, stack)
	m := t.originMemo(slot)
	if m.site == s && m.pc == p && m.stack == stack && m.id != 0 {
		return m.id
	}
	a := t.originMemo(slot ^ 1)
	if a.site == s && a.pc == p && a.stack == stack && a.id != 0 {
		return a.id
	}
	i := t.spareOrigins
	if i == 0 {
		return 0
	}
	o := e.origin(i)
	t.spareOrigins = o.site
	*o = origin{site: s, pc: p, stack: stack, set: t.set, mark: e.sweeps}
	if t.nHolds != 0 && !t.setKnown {
		o.set = unknownSet
	}
	if m.id != 0 {
		t.misses++
		*a = *m
	}
	*m = originMemo{s, p, stack, i}
	return i
}

// A side is the writes or the reads of some bytes that count: a record and its
// origin, or with listed set a list of them.
type side struct {
	h      uint32 // 0: none
	origin uint32 // of a single record
}

const (
	listed  = 1 << 31
	isSplit = 3 << 30 // a cell whose bytes differ: index of a splitWord
	indexOf = 1<<30 - 1
)

// single reports whether h is one record.
//
//go:nosplit
func single(h uint32) bool { return h != 0 && h&listed == 0 }

// A listNode is one record of a list, newest first. Lists are immutable. One that is
// about to be made and is remembered by the engine is shared, so that memory which
// many tasks read, in any order, has few histories, and what becomes of them is
// remembered.
type listNode struct {
	rest   uint32 // index of the next node, 0 at the end; also the free link
	record uint32
	origin uint32
	n      uint32 // length from here, and whether hasPlain; listed marks it during a sweep
	limit  uint32 // compaction is due at this length
}

// hasPlain is set in listNode.n if a record of the list is of no atomic access.
const hasPlain = 1 << 30

func (l *listNode) len() uint32 { return l.n &^ hasPlain }

func (e *Engine) listNode(i uint32) *listNode {
	return (*listNode)(unsafe.Add(nil, e.lists.base+uintptr(i)*unsafe.Sizeof(listNode{})))
}

func (e *Engine) newListNode(t *Task, rec, origin, rest, n, limit uint32) uint32 {
	i, slot, tag := e.sharedLists.find(uint64(rec)<<32 ^ uint64(origin)<<40 ^ uint64(rest))
	if i != 0 {
		if l := e.listNode(i); l.record == rec && l.rest == rest && l.origin == origin {
			return i
		}
	}
	i = e.draw(&t.lnodes, &e.lists, t.batch())
	if !e.record(rec).kind.atomic() || rest != 0 && e.listNode(rest).n&hasPlain != 0 {
		n |= hasPlain
	}
	*e.listNode(i) = listNode{rest: rest, record: rec, origin: origin, n: n, limit: limit}
	intern(slot, tag, i)
	return i
}

// cons returns s with a record added.
func (e *Engine) cons(t *Task, rec, origin uint32, s side) side {
	if s.h == 0 {
		return side{rec, origin}
	}
	if s.h&listed == 0 {
		s.h = listed | e.newListNode(t, s.h, s.origin, 0, 1, listFloor)
	}
	l := e.listNode(s.h & indexOf)
	return side{h: listed | e.newListNode(t, rec, origin, s.h&indexOf, l.len()+1, l.limit)}
}

// first splits s, not empty, into a record, its origin and the rest.
func (e *Engine) first(s side) (rec, origin uint32, rest side) {
	if s.h&listed == 0 {
		return s.h, s.origin, side{}
	}
	l := e.listNode(s.h & indexOf)
	if l.rest == 0 {
		return l.record, l.origin, side{}
	}
	return l.record, l.origin, side{h: listed | l.rest}
}
