package detector

import "unsafe"

// A Report is a pair of accesses that nothing orders.
type Report struct {
	Predicted bool // ordered in this run, by a lock, but not in others
	Cur       Side // the later one
	Prev      Side

	// The nearest common ancestor of both tasks that is still known.
	AncestorTask uint64
	AncestorName uint64
	AncestorMain bool

	// For a prediction, a lock whose order kept the two apart: one the earlier
	// access was made under or, failing that, the later, or the one that last told
	// the later task of others. 0: not known.
	OrderLock uintptr
}

// A Side is one access of a Report.
type Side struct {
	Kind  Kind
	Addr  uintptr // Prev: the first byte both accessed
	Size  uintptr // Prev: of the bytes both accessed
	Site  uintptr
	PC    uintptr
	Stack uint32
	Locks uint32 // lockset: see LockOf

	Task      uint64 // number of the task, by order of forking, the main task 1
	Name      uint64 // Task.Name
	Main      bool
	Ended     bool
	ForkPC    uintptr // what Fork was told when it made the task
	ForkStack uint32

	// Where this side left the nearest common ancestor: what Fork was told of
	// the child that the task is or descends from. 0: it is the ancestor.
	BranchPC    uintptr
	BranchStack uint32
}

// A pending is a report to be made once the shadow is unlocked.
type pending struct {
	next      uint32
	cur, prev party
	predicted bool
	addr, n   uintptr
}

// A party is a record and an origin of its accesses.
type party struct {
	record, origin uint32
}

func (e *Engine) pendingAt(i uint32) *pending {
	return (*pending)(unsafe.Add(nil, e.pendings.base+uintptr(i)*unsafe.Sizeof(pending{})))
}

// note puts a race of t's access with record i, of origin o, on t's list of reports and
// returns true, unless its pair of sites was reported.
func (e *Engine) note(t *Task, i, o uint32, addr, n uintptr, predicted bool) bool {
	cur, prev := party{t.records[t.kind], t.origin}, party{i, o}
	if !e.opt.Repeat && !e.firstTime(cur, prev, predicted) {
		return false
	}
	i = e.pendings.get()
	*e.pendingAt(i) = pending{next: t.pending, cur: cur, prev: prev, predicted: predicted, addr: addr, n: n}
	t.pending = i
	return true
}

const reportedSlots = 1 << 22

// ReportAgain makes pairs of sites reported so far count as new once more. The
// host calls it between tests, so that each one that has a race fails.
func (e *Engine) ReportAgain() { add32(&e.round, 1) }

// firstTime enters a pair of sites into the table of reported ones and reports
// whether it was new. The table holds 64-bit digests.
func (e *Engine) firstTime(cur, prev party, predicted bool) bool {
	x, y := e.siteKey(cur), e.siteKey(prev)
	if x > y {
		x, y = y, x
	}
	h := (x*0x9e3779b97f4a7c15 ^ y ^ uint64(load32(&e.round))<<32) * 0xd6e8feb86659fd93
	h ^= h >> 32
	h = h*0xd6e8feb86659fd93&^1 | 2
	if predicted {
		h |= 1
	}
	for i, tries := uintptr(h>>40), 0; tries < reportedSlots; tries++ {
		s := e.reported.at64(i % reportedSlots)
		v := load64(s)
		if v == 0 {
			if cas64(s, 0, h) {
				return true
			}
			v = load64(s)
		}
		if v == h {
			return false
		}
		i++
	}
	return true // a full table costs repetitions, no races
}

// siteKey tells places in the program apart, whatever the stack.
func (e *Engine) siteKey(p party) uint64 {
	o := e.origin(p.origin)
	k := uint64(e.siteOf(o))
	if k == 0 {
		// A function of the host, whose caller made the access.
		_, caller := e.Frame(o.stack)
		k = uint64(o.pc) ^ uint64(caller)<<20
	}
	return k<<2 ^ k>>47 ^ uint64(e.record(p.record).kind)
}

// deliver makes t's pending reports.
func (e *Engine) deliver(t *Task) {
	for t.pending != 0 {
		i := t.pending
		p := *e.pendingAt(i)
		t.pending = p.next
		e.pendings.put(i)
		e.report(&p)
	}
}

//go:noinline
func (e *Engine) report(p *pending) {
	var r Report
	r.Predicted = p.predicted
	if p.predicted {
		add32(&e.predicted, 1)
	} else {
		add32(&e.races, 1)
	}
	e.side(&r.Cur, p.cur)
	e.side(&r.Prev, p.prev)
	r.Cur.Addr, r.Cur.Size = p.addr, p.n
	r.Prev.Addr, r.Prev.Size = p.addr, p.n
	cur, prev := e.record(p.cur.record), e.record(p.prev.record)
	e.ancestor(&r, cur.task, prev.task)
	if p.predicted {
		if set := prev.set; set != 0 {
			r.OrderLock, _, _ = e.LockOf(set, 0)
		} else if set := cur.set; set != 0 {
			r.OrderLock, _, _ = e.LockOf(set, 0)
		} else if b := e.info(cur.task).body; b != 0 {
			r.OrderLock = e.body(b).taught
		}
	}
	hostReport(e, &r)
}

func (e *Engine) side(s *Side, p party) {
	r, o := e.record(p.record), e.origin(p.origin)
	s.Kind, s.Site, s.PC, s.Stack, s.Locks = r.kind, e.siteOf(o), e.pcOf(o), o.stack, r.set
	n := e.info(r.task)
	s.Task = n.serial
	s.Main = n.flags&infoMain != 0
	s.Ended = n.flags&infoEnded != 0
	s.Name = e.nameOf(n)
	s.ForkPC, s.ForkStack = n.pc, n.created
}

func (e *Engine) nameOf(n *taskInfo) uint64 {
	if b := n.body; b != 0 {
		return e.body(b).Name
	}
	return n.name
}

// ancestor finds the nearest common ancestor of tasks x and y. A parent was
// forked before its child, so the later of the two cannot be an ancestor of the
// other.
func (e *Engine) ancestor(r *Report, x, y uint32) {
	for x != y && x != 0 && y != 0 {
		a, b := e.info(x), e.info(y)
		if a.serial > b.serial || a.serial == b.serial && a.parent == y {
			r.Cur.BranchPC, r.Cur.BranchStack = a.branch()
			x = a.parent
		} else {
			r.Prev.BranchPC, r.Prev.BranchStack = b.branch()
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
