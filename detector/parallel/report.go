package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
	"taskinstr/detector/race"
)

// A pending is a report to be made after the shadow is unlocked.
type pending struct {
	next      uint32
	cur, prev party
	predicted bool
	doubt     bool // a prediction that t's own sections rule out unless another task ends them, see doubtBlock
	addr, n   uintptr

	// See settle: the lasting sections that may surround the later access, and the sections around the
	// earlier one that exclude them.
	until waits
	ends  [maxWaits]uint32
	nEnds uint32
}

// A party is a record and the origin of one of its accesses.
type party struct {
	record, origin uint32
}

func (e *Engine) pendingAt(i uint32) *pending {
	return (*pending)(unsafe.Add(nil, e.pendings.Base+uintptr(i)*unsafe.Sizeof(pending{})))
}

// queueReport queues a report of a race between t's access and record i with origin o. It
// returns false if a race of this pair of stacks was reported before.
func (e *Engine) queueReport(t *Task, i, o uint32, addr, n uintptr) bool {
	p := pending{next: t.pending, cur: party{t.records[t.kind], t.origin}, prev: party{i, o}, addr: addr, n: n}
	if !e.opt.Repeat && !e.reported.Add(e.pairOf(e.locusOf(p.cur), e.locusOf(p.prev), stacks), false) {
		return false
	}
	t.pending = e.pendings.Get()
	*e.pendingAt(t.pending) = p
	return true
}

// A race is reported once for each pair of stacks. Predictions are reported once for each pair of places, since
// each caller of a logger may have one with each other caller. But if the host withholds a report, since
// it knows the race, this holds for its pair of stacks alone.

// ReportAgain makes all reported races count as new. The host calls it between
// tests, so that each test with a race fails.
func (e *Engine) ReportAgain() { e.reported.Forget() }

// told returns the pair of places of a prediction, and whether one like it was reported or withheld.
func (e *Engine) told(p *pending) (pair uint64, told bool) {
	x, y := e.locusOf(p.cur), e.locusOf(p.prev)
	pair = e.pairOf(x, y, places)
	return pair, !e.opt.Repeat && (e.reported.Has(pair, true) || e.reported.Has(e.pairOf(x, y, stacks), true))
}

// predict makes the report of a prediction, whose pair of places the table has.
func (e *Engine) predict(r *Report) {
	mem.Add32(&e.predicted, 1)
	if !hostReport(e, r) {
		x, y := locusIn(&r.Cur), locusIn(&r.Prev)
		e.reported.Add(e.pairOf(x, y, stacks), true)
		e.reported.Remove(e.pairOf(x, y, places), true)
	}
}

// A locus is where an access was made.
type locus struct {
	site, pc uintptr
	stack    uint32
	kind     Kind
}

func (e *Engine) locusOf(p party) locus {
	o := e.origin(p.origin)
	return locus{e.siteOf(o), e.pcOf(o), o.stack, e.record(p.record).kind()}
}

func locusIn(s *Side) locus { return locus{s.Site, s.PC, s.Stack, s.Kind} }

// What tells loci apart: the places in the program alone, or their stacks too.
type apart bool

const (
	places apart = false
	stacks apart = true
)

// pairOf returns a digest of two loci.
func (e *Engine) pairOf(x, y locus, by apart) uint64 {
	return race.PairOf(e.locusKey(x, by), e.locusKey(y, by))
}

func (e *Engine) locusKey(x locus, by apart) uint64 {
	k := uint64(x.site)
	if k == 0 {
		// The accessing function is the host's: its caller made the access.
		_, caller := e.Frame(x.stack)
		k = uint64(x.pc) ^ uint64(caller)<<20
	}
	if by == stacks {
		// The address tells callers apart into which the compiler has inlined the accessing function.
		k = (k ^ e.contexts.Digest(x.stack) ^ uint64(x.pc)<<24) * 0x9e3779b97f4a7c15
	}
	return k<<2 ^ k>>47 ^ uint64(x.kind)
}

// deliver makes t's pending reports.
func (e *Engine) deliver(t *Task) {
	if t.candidate != 0 {
		e.settle(t)
	}
	for t.pending != 0 {
		i := t.pending
		p := *e.pendingAt(i)
		t.pending = p.next
		e.pendings.Put(i)
		e.report(&p)
	}
}

//go:noinline
func (e *Engine) report(p *pending) {
	var r Report
	e.fillReport(&r, p)
	if p.predicted {
		e.predict(&r)
	} else {
		mem.Add32(&e.races, 1)
		hostReport(e, &r)
	}
}

// fillReport describes p in r.
func (e *Engine) fillReport(r *Report, p *pending) {
	*r = Report{Predicted: p.predicted}
	e.fillSide(&r.Cur, p.cur)
	e.fillSide(&r.Prev, p.prev)
	r.Cur.Addr, r.Cur.Size = p.addr, p.n
	r.Prev.Addr, r.Prev.Size = p.addr, p.n
	cur, prev := e.record(p.cur.record), e.record(p.prev.record)
	e.ancestor(r, cur.task, prev.task)
	if b := e.info(cur.task).body; p.predicted && b != 0 {
		l, direct := e.body(b).orderLock(e.info(prev.task).serial, prev.step)
		r.OrderLock, r.OrderPC, r.OrderDirect = l.lock, e.opt.PCBase+uintptr(l.pc), direct
	}
}

// fillSide describes the access p in s.
func (e *Engine) fillSide(s *Side, p party) {
	r, o := e.record(p.record), e.origin(p.origin)
	s.Kind, s.Site, s.PC, s.Stack, s.Locks = r.kind(), e.siteOf(o), e.pcOf(o), o.stack, r.set
	n := e.info(r.task)
	s.Task = n.serial
	s.Main = n.flags&infoMain != 0
	s.Ended = n.flags&infoEnded != 0
	s.Name = e.nameOf(n)
	s.ForkPC, s.ForkStack = n.pc, n.created
}

// Known returns the place of the i-th origin in use, in no order, with the locks that its
// task held at the first access there. i begins at 1. more is false behind the last
// origin; ok is false for an index without one. No sweep may run during a call.
func (e *Engine) Known(i uint32) (s Side, ok, more bool) {
	if i >= mem.Load32(&e.origins.Next) {
		return s, false, false
	}
	o := e.origin(i)
	if mem.Load32(&o.mark) != e.sweeps || o.pc == 0 || o.pair() || o.set == unknownSet {
		return s, false, true
	}
	s.Site, s.PC, s.Stack, s.Locks = e.siteOf(o), e.pcOf(o), o.stack, o.set
	return s, true, true
}

// nameOf returns the name of task n, which may end meanwhile. Then another task may get its body, and
// names it after n.body has become 0.
func (e *Engine) nameOf(n *taskInfo) uint64 {
	if b := mem.Load32(&n.body); b != 0 {
		if name := mem.Load64(&e.body(b).Name); mem.Load32(&n.body) != 0 {
			return name
		}
	}
	return n.name
}

// branch makes n, or a forgotten task above it, the child of the common ancestor from
// which s descends.
func (e *Engine) branch(s *Side, n *taskInfo) {
	s.BranchPC, s.BranchStack = n.branch()
	s.BranchTask, s.BranchName = 0, 0
	if n.viaPC == 0 {
		s.BranchTask, s.BranchName = n.serial, e.nameOf(n)
	}
}

// ancestor finds the nearest common ancestor of tasks x and y. A parent is forked before
// its child, so the younger of two tasks is no ancestor of the other.
func (e *Engine) ancestor(r *Report, x, y uint32) {
	for x != y && x != 0 && y != 0 {
		a, b := e.info(x), e.info(y)
		if a.serial > b.serial || a.serial == b.serial && a.parent == y {
			e.branch(&r.Cur, a)
			x = a.parent
		} else {
			e.branch(&r.Prev, b)
			y = b.parent
		}
	}
	if x == y && x != 0 {
		n := e.info(x)
		r.AncestorTask = n.serial
		r.AncestorName = e.nameOf(n)
		r.AncestorMain = n.flags&infoMain != 0
	}
}
