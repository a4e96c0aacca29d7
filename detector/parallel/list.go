package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A half is the writes or the reads of a history: a record and its origin or, with listed
// set in both fields, a list of records and the list of their origins.
type half struct {
	h      uint32 // 0: none
	origin uint32
}

const (
	listed  = 1 << 31
	isSplit = 3 << 30 // a cell whose bytes differ; the rest is the index of a splitWord
	indexOf = 1<<30 - 1

	// private marks the reads of a run, or of a word in a block of cells, if they are a list whose first node,
	// or first nodes (listNode.own), no other history has, see reread. Whoever makes another history from this one removes the mark.
	private = 1 << 30

	pruneSteps = 16
)

// A listNode is one record of a list, newest first. Lists are immutable and shared by the
// words with the same readers, but for the first nodes of a private one.
type listNode struct {
	rest      uint32 // index of the next node, 0 at the end; also the free link
	record    uint32
	n         uint32 // length from here; a sweep sets listed in it as a mark
	limit     uint32 // the length at which compaction is due
	nonAtomic uint32 // the first node, from this one on, of a non-atomic access
	own       uint32 // of the first node of a private list: the number of nodes from here on that no other history has; 0 counts as 1
}

// An originNode is the origin of one record of a list. The origins of a list form a list
// of the same length and order. Words with the same readers share the list of records
// wherever they were read, but each has its own list of origins.
type originNode struct {
	origin uint32
	rest   uint32 // as in listNode; a sweep sets listed in it as a mark
}

func (e *Engine) listNode(i uint32) *listNode {
	return (*listNode)(unsafe.Add(nil, e.lists.Base+uintptr(i)*unsafe.Sizeof(listNode{})))
}

func (e *Engine) originNode(i uint32) *originNode {
	return (*originNode)(unsafe.Add(nil, e.originLists.Base+uintptr(i)*unsafe.Sizeof(originNode{})))
}

// A listMemo is a cache entry for a listNode.
type listMemo struct{ record, rest, limit, id uint32 }

// quickNode returns the list, of length n, that begins with record rec and continues with
// rest. It returns 0 if t's proc has no element in stock.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickNode(t *Task, rec, rest, n, limit uint32) uint32 {
	p := t.proc()
	m := &p.listMemos[(rec^rest*5)%listCache]
	if m.record == rec && m.rest == rest && m.limit == limit && m.id != 0 {
		return m.id
	}
	i := p.lists
	if i == 0 {
		return 0
	}
	l := e.listNode(i)
	p.lists = l.rest
	first := i
	if e.record(rec).kind().Atomic() {
		first = 0
		if rest != 0 {
			first = e.listNode(rest).nonAtomic
		}
	}
	*l = listNode{rest: rest, record: rec, n: n, limit: limit, nonAtomic: first}
	*m = listMemo{rec, rest, limit, i}
	return i
}

// newListNode is quickNode that refills the stock if necessary.
func (e *Engine) newListNode(t *Task, rec, rest, n, limit uint32) uint32 {
	e.stock(&t.proc().lists, &e.lists)
	return e.quickNode(t, rec, rest, n, limit)
}

// An originListMemo is a cache entry for an originNode: words with the
// same history are often accessed one after the other from the same place.
type originListMemo struct{ origin, rest, id uint32 }

// pushOrigin returns the list of origins that begins with origin and continues with rest.
// It returns 0 if t's proc has no element in stock.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) pushOrigin(t *Task, origin, rest uint32) uint32 {
	p := t.proc()
	m := &p.originListMemos[(origin^rest*5)%originListCache]
	if m.origin == origin && m.rest == rest && m.id != 0 {
		return m.id
	}
	i := p.originLists
	if i == 0 {
		return 0
	}
	n := e.originNode(i)
	p.originLists = n.rest
	*n = originNode{origin, rest}
	*m = originListMemo{origin, rest, i}
	return i
}

// newOrigins is pushOrigin that refills the stock if necessary.
func (e *Engine) newOrigins(t *Task, origin, rest uint32) uint32 {
	e.stock(&t.proc().originLists, &e.originLists)
	return e.pushOrigin(t, origin, rest)
}

// cons returns s with a record added in front.
func (e *Engine) cons(t *Task, rec, origin uint32, s half) half {
	if s.h == 0 {
		return half{rec, origin}
	}
	if s.h&listed == 0 {
		s.h = listed | e.newListNode(t, s.h, 0, 1, listFloor)
		s.origin = listed | e.newOrigins(t, s.origin, 0)
	}
	l := e.listNode(s.h & indexOf)
	return half{
		listed | e.newListNode(t, rec, s.h&indexOf, l.n+1, l.limit),
		listed | e.newOrigins(t, origin, s.origin&indexOf),
	}
}

// first splits the nonempty half s into its first record, that record's origin and the
// rest.
//
//taskinstr:inline
func (e *Engine) first(s half) (rec, origin uint32, rest half) {
	if s.h&listed == 0 {
		return s.h, s.origin, half{}
	}
	l, o := e.listNode(s.h&indexOf), e.originNode(s.origin&indexOf)
	if l.rest == 0 {
		return l.record, o.origin, half{}
	}
	return l.record, o.origin, half{listed | l.rest, listed | o.rest}
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
		if h != 0 && e.record(h).kind().Atomic() {
			return 0
		}
		return h
	}
	if h = e.listNode(h & indexOf).nonAtomic; h == 0 {
		return 0
	}
	return listed | h
}

// shared returns the reads h without the mark that they are private.
//
//go:nosplit
func shared(h uint32) uint32 {
	if h&listed != 0 {
		return h &^ private
	}
	return h
}

// originIn returns the origin of the first record of rest, which is the end of s.
func (e *Engine) originIn(s half, rest uint32) uint32 {
	if s.h&listed == 0 {
		return s.origin
	}
	i, o := s.h&indexOf, s.origin&indexOf
	for i != rest&indexOf {
		i, o = e.listNode(i).rest, e.originNode(o).rest
	}
	return e.originNode(o).origin
}

// rereadDepth is the number of newest reads among which reread looks for the task's own.
const rereadDepth = 4

// reread makes a read of kind k by t of a whole word or run part of its history w, if one of the newest reads there is
// an older one of t's, whose place it takes. Tasks that take turns in reading the same words, in many
// steps each, would otherwise make lists for each step. So the first nodes of the list become private, and change in
// place from then on. The new read moves to the front, where Probe looks for it. In one step of pruneSteps the access
// is left to foresee or judge, which drop the reads that the new one subsumes. reread returns false if it does nothing.
//
//go:nosplit
func (e *Engine) reread(t *Task, w *history, k Kind) bool {
	if t.step%pruneSteps == 0 || w.w != 0 && !e.harmless(t, w.w, k) {
		return false
	}
	head, headOrigin := e.listNode(w.r&indexOf), e.originNode(w.origins.r&indexOf)
	a := t.records[k%kinds]
	l, o := head, headOrigin
	depth := uint32(1)
	for own := false; !own; {
		if l.record == a {
			return true
		}
		p := e.record(l.record)
		own = p.task == t.id && e.quickSubsumes(t, l.record, k)
		if p.kind() != k || !own && (depth == rereadDepth || l.rest == 0) {
			return false
		}
		if !own {
			l, o = e.listNode(l.rest), e.originNode(o.rest)
			depth++
		}
	}
	if w.r&private == 0 || depth > 1 && head.own < depth {
		if !e.ownNodes(t, w, depth) {
			return false
		}
		head, headOrigin = e.listNode(w.r&indexOf), e.originNode(w.origins.r&indexOf)
		l, o = head, headOrigin
		for ; depth > 1; depth-- {
			l, o = e.listNode(l.rest), e.originNode(o.rest)
		}
	}
	l.record, o.origin = head.record, headOrigin.origin
	head.record, headOrigin.origin = a, t.origin
	return true
}

// ownNodes makes the first n nodes of the reads of w private. It returns false if t's proc has too few elements in stock.
//
//go:nosplit
func (e *Engine) ownNodes(t *Task, w *history, n uint32) bool {
	c := t.proc()
	l, o := c.lists, c.originLists
	for k := n; k > 0; k-- {
		if l == 0 || o == 0 {
			return false
		}
		l, o = e.listNode(l).rest, e.originNode(o).rest
	}
	i, j, from, fromOrigin := c.lists, c.originLists, w.r&indexOf, w.origins.r&indexOf
	first, firstOrigin := i, j
	c.lists, c.originLists = l, o
	for k := n; k > 0; k-- {
		l, o := e.listNode(i), e.originNode(j)
		next, nextOrigin := l.rest, o.rest
		*l, *o = *e.listNode(from), *e.originNode(fromOrigin)
		if l.nonAtomic == from {
			l.nonAtomic = i
		}
		from, fromOrigin = l.rest, o.rest
		if k > 1 {
			l.rest, o.rest = next, nextOrigin
		}
		i, j = next, nextOrigin
	}
	e.listNode(first).own = n
	mem.Fence() // covers follows a cell to the node without a lock
	w.r, w.origins.r = listed|private|first, listed|firstOrigin
	return true
}
