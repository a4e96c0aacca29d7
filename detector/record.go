package detector

import "unsafe"

// A record is what is remembered of accesses: who, when, where, under which
// locks. All accesses of one site in one step share a record.
type record struct {
	task  uint32 // also the link of the free chain
	step  uint32
	stack uint32
	set   uint32
	kind  Kind
	mark  uint32 // of the sweep that has decided on it
	site  uintptr
	pc    uintptr
}

const recordBatch = 8

// A recMemo remembers a task's record by all that tells records apart.
type recMemo struct {
	site, pc uintptr
	who      uint64 // task and step
	how      uint64 // lockset, kind and stack
	rec      uint32
}

func (e *Engine) record(i uint32) *record {
	return (*record)(unsafe.Add(nil, e.records.base+uintptr(i)*unsafe.Sizeof(record{})))
}

// recordOf returns the record for an access of t now.
func (e *Engine) recordOf(t *Task, k Kind, site, pc uintptr, stack uint32) uint32 {
	set := t.set
	if t.nHolds != 0 {
		set = e.lockset(t)
	}
	m := &t.recs[(uint32(site>>2)^uint32(pc)^uint32(pc>>5)^uint32(k)<<3)%recCache]
	who := uint64(t.id)<<32 | uint64(t.step)
	how := uint64(set)<<32 | uint64(k)<<30 | uint64(stack)
	if m.who == who && m.how == how && m.pc == pc && m.site == site {
		return m.rec
	}
	return e.newRecord(t, m, site, pc, who, how)
}

func (e *Engine) newRecord(t *Task, m *recMemo, site, pc uintptr, who, how uint64) uint32 {
	if t.spare == 0 {
		t.spare = e.records.getChain(recordBatch)
		add64(&e.work, recordBatch)
	}
	i := t.spare
	r := e.record(i)
	t.spare = r.task
	r.task = uint32(who >> 32)
	r.step = uint32(who)
	r.set = uint32(how >> 32)
	r.kind = Kind(how >> 30 & 3)
	r.stack = uint32(how) & (1<<30 - 1)
	r.mark = 0
	r.site = site
	r.pc = pc
	*m = recMemo{site, pc, who, how, i}
	return i
}

// A history is a set of records: 0 none, a record, or, with listed set, a list
// of records. Lists are immutable and shared, newest first.
const (
	listed  = 1 << 31
	isSplit = 3 << 30 // a cell whose bytes differ: index of a splitWord
	indexOf = 1<<30 - 1
)

// A listNode is one record of a list.
type listNode struct {
	rest   uint32 // index of the next node, 0 at the end; also the free link
	record uint32
	n      uint32 // length from here
	limit  uint32 // compaction is due at this length; the mark during a sweep
}

const listBatch = 8

func (e *Engine) listNode(i uint32) *listNode {
	return (*listNode)(unsafe.Add(nil, e.lists.base+uintptr(i)*unsafe.Sizeof(listNode{})))
}

func (e *Engine) newListNode(t *Task, rec, rest, n, limit uint32) uint32 {
	if t.lnodes == 0 {
		t.lnodes = e.lists.getChain(listBatch)
		add64(&e.work, listBatch)
	}
	i := t.lnodes
	l := e.listNode(i)
	t.lnodes = l.rest
	*l = listNode{rest: rest, record: rec, n: n, limit: limit}
	return i
}

// cons returns h with rec added.
func (e *Engine) cons(t *Task, rec, h uint32) uint32 {
	if h == 0 {
		return rec
	}
	if h&listed == 0 {
		h = listed | e.newListNode(t, h, 0, 1, listFloor)
	}
	l := e.listNode(h & indexOf)
	return listed | e.newListNode(t, rec, h&indexOf, l.n+1, l.limit)
}

// first splits h, not empty, into a record and the rest.
func (e *Engine) first(h uint32) (rec, rest uint32) {
	if h&listed == 0 {
		return h, 0
	}
	l := e.listNode(h & indexOf)
	if l.rest == 0 {
		return l.record, 0
	}
	return l.record, listed | l.rest
}
