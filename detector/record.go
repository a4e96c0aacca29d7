package detector

import "unsafe"

// A record holds the task, step, lockset and kind of accesses. All accesses of one kind
// that a task makes in one step under the same locks share a record. Their places are
// stored beside it, see origin.
type record struct {
	task uint32 // also the link of the free chain
	step uint32
	set  uint32
	kind Kind
	mark uint32 // holds the decision of a sweep, see sweep.kept
}

const (
	kinds = 4

	// noRecord is the index of no record.
	noRecord = indexOf
)

func (e *Engine) record(i uint32) *record {
	return (*record)(unsafe.Add(nil, e.records.base+uintptr(i)*unsafe.Sizeof(record{})))
}

// recordOf returns the record for accesses of kind k by t in its present step.
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

// makeRecord makes i, an unused record, the record of t's accesses of kind k from now on.
// t's lockset is known.
//
//go:nosplit
func (e *Engine) makeRecord(t *Task, k Kind, i uint32) {
	*e.record(i) = record{task: t.id, step: t.step, set: t.set, kind: k}
	t.records[k%kinds] = i
	t.owes = t.step
}

// forgetRecords starts new records for t, whose step or locks have changed.
//
//go:nosplit
func (t *Task) forgetRecords() {
	t.records = [kinds]uint32{noRecord, noRecord, noRecord, noRecord}
}

// An origin is the place of an access: a site of the source, an instruction, and the
// calls that led there. Site and pc are relative to the host's bases, see Options.
type origin struct {
	site  uint32 // also the link of the free chain
	pc    uint32
	stack uint32
	set   uint32 // locks held at its first access, or unknownSet; see Known
	mark  uint32
}

// unknownSet marks a lockset that was not computed.
const unknownSet = 1<<32 - 1

// An originMemo is a cache entry for an origin.
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

// quickOrigin is originOf if t remembers the origin or has one in stock; otherwise it
// returns 0. Of the two slots for an origin the first holds the newer one.
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

// A half is the writes or the reads of a history: a record and its origin or, with listed
// set in both fields, a list of records and the list of their origins.
type side struct {
	h      uint32 // 0: none
	origin uint32
}

const (
	listed  = 1 << 31
	isSplit = 3 << 30 // a cell whose bytes differ; the rest is the index of a splitWord
	indexOf = 1<<30 - 1
)

// A listNode is one record of a list, newest first. Lists are immutable and shared by the
// words with the same readers.
type listNode struct {
	rest   uint32 // index of the next node, 0 at the end; also the free link
	record uint32
	n      uint32 // length from here; a sweep sets listed in it as a mark
	limit  uint32 // the length at which compaction is due
	plain  uint32 // the first node, from this one on, of a non-atomic access
}

// An originNode is the origin of one record of a list. The origins of a list form a list
// of the same length and order. Words with the same readers share the list of records
// wherever they were read, but each has its own list of origins.
type originNode struct {
	origin uint32
	rest   uint32 // as in listNode; a sweep sets listed in it as a mark
}

func (e *Engine) listNode(i uint32) *listNode {
	return (*listNode)(unsafe.Add(nil, e.lists.base+uintptr(i)*unsafe.Sizeof(listNode{})))
}

// A listMemo is a cache entry for a listNode that a task made.
type consed struct{ record, rest, limit, id uint32 }

// quickNode returns the list, of length n, that begins with record rec and continues with
// rest. It returns 0 if t has no element in stock.
//
//go:nosplit
func (e *Engine) quickNode(t *Task, rec, rest, n, limit uint32) uint32 {
	m := &t.consed[(rec^rest*5)%consedCache]
	if m.record == rec && m.rest == rest && m.limit == limit && m.id != 0 {
		return m.id
	}
	i := t.lnodes
	if i == 0 {
		return 0
	}
	l := e.listNode(i)
	t.lnodes = l.rest
	*l = listNode{rest: rest, record: rec, n: n, limit: limit, plain: i}
	if e.record(rec).kind.atomic() {
		l.plain = 0
		if rest != 0 {
			l.plain = e.listNode(rest).plain
		}
	}
	*m = consed{rec, rest, limit, i}
	return i
}

// newListNode is quickNode that refills the stock if necessary.
func (e *Engine) newListNode(t *Task, rec, rest, n, limit uint32) uint32 {
	e.stock(t, &t.lnodes, &e.lists)
	return e.quickNode(t, rec, rest, n, limit)
}

// stock refills t's stock of elements of a, whose chain begins at head, if it is empty. A
// refilled stock suffices for one edit.
func (e *Engine) stock(t *Task, head *uint32, a *arena) {
	if *head == 0 {
		n := max(t.batch(), 2*maxKept)
		*head = a.getChain(n)
		add64(&e.work, uint64(n))
	}
}

func (e *Engine) originNode(i uint32) *originNode {
	return (*originNode)(unsafe.Add(nil, e.fromLists.base+uintptr(i)*unsafe.Sizeof(originNode{})))
}

// An originListMemo is a cache entry for an originNode that a task made: words with the
// same history are often accessed one after the other from the same place.
type pushed struct{ origin, rest, id uint32 }

// pushOrigin returns the list of origins that begins with origin and continues with rest.
// It returns 0 if t has no element in stock.
//
//go:nosplit
func (e *Engine) pushOrigin(t *Task, origin, rest uint32) uint32 {
	m := &t.pushed[rest%pushedCache]
	if m.origin == origin && m.rest == rest && m.id != 0 {
		return m.id
	}
	i := t.spareNodes
	if i == 0 {
		return 0
	}
	n := e.originNode(i)
	t.spareNodes = n.rest
	*n = originNode{origin, rest}
	*m = pushed{origin, rest, i}
	return i
}

// newOrigins is pushOrigin that refills the stock if necessary.
func (e *Engine) newOrigins(t *Task, origin, rest uint32) uint32 {
	e.stock(t, &t.spareNodes, &e.fromLists)
	return e.pushOrigin(t, origin, rest)
}

// cons returns s with a record added in front.
func (e *Engine) cons(t *Task, rec, origin uint32, s side) side {
	if s.h == 0 {
		return side{rec, origin}
	}
	if s.h&listed == 0 {
		s.h = listed | e.newListNode(t, s.h, 0, 1, listFloor)
		s.origin = listed | e.newOrigins(t, s.origin, 0)
	}
	l := e.listNode(s.h & indexOf)
	return side{
		listed | e.newListNode(t, rec, s.h&indexOf, l.n+1, l.limit),
		listed | e.newOrigins(t, origin, s.origin&indexOf),
	}
}

// first splits the nonempty half s into its first record, that record's origin and the
// rest.
func (e *Engine) first(s side) (rec, origin uint32, rest side) {
	if s.h&listed == 0 {
		return s.h, s.origin, side{}
	}
	l, o := e.listNode(s.h&indexOf), e.originNode(s.origin&indexOf)
	if l.rest == 0 {
		return l.record, o.origin, side{}
	}
	return l.record, o.origin, side{listed | l.rest, listed | o.rest}
}

// firstRecord splits the nonempty half h into its first record and the rest.
//
//go:nosplit
func (e *Engine) firstRecord(h uint32) (rec, rest uint32) {
	if h&listed == 0 {
		return h, 0
	}
	l := e.listNode(h & indexOf)
	if l.rest == 0 {
		return l.record, 0
	}
	return l.record, listed | l.rest
}

// rivals returns h from the first record on with which an access may race. Atomic
// accesses do not race with one another; the node's link skips any number of them.
//
//go:nosplit
func (e *Engine) rivals(h uint32, atomic bool) uint32 {
	if !atomic {
		return h
	}
	if h&listed == 0 {
		if h != 0 && e.record(h).kind.atomic() {
			return 0
		}
		return h
	}
	if h = e.listNode(h & indexOf).plain; h == 0 {
		return 0
	}
	return listed | h
}

// originIn returns the origin of the first record of rest, which is the end of s.
func (e *Engine) originIn(s side, rest uint32) uint32 {
	if s.h&listed == 0 {
		return s.origin
	}
	i, o := s.h&indexOf, s.origin&indexOf
	for i != rest&indexOf {
		i, o = e.listNode(i).rest, e.originNode(o).rest
	}
	return e.originNode(o).origin
}

// An edit is the change that an access makes to the writes or the reads of some bytes.
type turn uint8

const (
	stays  turn = iota // no change
	drops              // none remain
	heads              // the access replaces all
	pushes             // the access goes in front of all
	swaps              // the access replaces the newest
	other              // a change that edits cannot express

	// keepsSome plus a mask: the access goes in front of those of the first maxKept
	// records whose bit is set, lowest bit first; the others go.
	keeps turn = 1 << 7
)

const maxKept = 7

// editOf returns the edit by which x became y, where a is the record of the access.
func (e *Engine) turnOf(x, y, a uint32) turn {
	switch {
	case y == x:
		return stays
	case y == 0:
		return drops
	case y == a:
		return heads
	case y&listed == 0 || e.listNode(y&indexOf).record != a:
		return other
	}
	rest := e.listNode(y & indexOf).rest
	switch {
	case x&listed == 0 && rest != 0 && e.listNode(rest).record == x && e.listNode(rest).rest == 0:
		return pushes
	case x&listed == 0:
		return other
	case rest == x&indexOf:
		return pushes
	case rest == e.listNode(x&indexOf).rest:
		return swaps
	}
	return other
}

// editOrigins returns the origin, or list of origins, of the half h after edit c by an
// access of t's origin. ok is false if t has too few elements in stock.
//
//go:nosplit
func (e *Engine) turnOrigin(t *Task, c turn, h, origin uint32) (y uint32, ok bool) {
	rest := uint32(0)
	switch c {
	case stays:
		if t.merging && h == t.records[t.kind%kinds] {
			return t.origin, true
		}
		return origin, true
	case drops:
		return 0, true
	case heads:
		return t.origin, true
	case pushes:
		rest = origin & indexOf
		if h&listed == 0 {
			if rest = e.pushOrigin(t, origin, 0); rest == 0 {
				return 0, false
			}
		}
	case swaps:
		rest = e.originNode(origin & indexOf).rest
	default:
		if rest, ok = e.keptOrigins(t, c, origin&indexOf); !ok {
			return 0, false
		}
	}
	i := e.pushOrigin(t, t.origin, rest)
	return listed | i, i != 0
}

// keptOrigins returns the origins that c, an edit with keepsSome, keeps of the list of
// origins i.
//
//go:nosplit
func (e *Engine) keptOrigins(t *Task, c turn, i uint32) (rest uint32, ok bool) {
	var at [8]uint32
	n, gone := 0, 0 // gone: the number of leading elements up to the last one that goes
	for ; i != 0 && n < maxKept; n++ {
		at[n&7] = e.originNode(i).origin
		i = e.originNode(i).rest
		if c>>n&1 == 0 {
			rest, gone = i, n+1
		}
	}
	for n = gone - 1; n >= 0; n-- {
		if c>>n&1 != 0 {
			if rest = e.pushOrigin(t, at[n&7], rest); rest == 0 {
				return 0, false
			}
		}
	}
	return rest, true
}

// keptNodes is keptOrigins for the list of records i.
//
//go:nosplit
func (e *Engine) keptNodes(t *Task, c turn, i uint32) (rest uint32, ok bool) {
	var at [8]uint32
	n, gone := 0, 0
	for ; i != 0 && n < maxKept; n++ {
		at[n&7] = e.listNode(i).record
		i = e.listNode(i).rest
		if c>>n&1 == 0 {
			rest, gone = i, n+1
		}
	}
	length := uint32(0)
	if rest != 0 {
		length = e.listNode(rest).n
	}
	for n = gone - 1; n >= 0; n-- {
		if c>>n&1 != 0 {
			length++
			if rest = e.quickNode(t, at[n&7], rest, length, listFloor); rest == 0 {
				return 0, false
			}
		}
	}
	return rest, true
}
