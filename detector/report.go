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

	// For a prediction, the lock whose order kept the two apart, and Task.LockPC when
	// the later task took it. If OrderDirect, the earlier task gave it up before;
	// otherwise it is the last of several locks. 0: not known.
	OrderLock   uintptr
	OrderPC     uintptr
	OrderDirect bool
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
	BranchTask  uint64 // number and name of that child, 0 if it is forgotten
	BranchName  uint64
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
	if b := e.info(cur.task).body; p.predicted && b != 0 {
		l, direct := e.body(b).orderLock(e.info(prev.task).serial, prev.step)
		r.OrderLock, r.OrderPC, r.OrderDirect = l.lock, e.opt.PCBase+uintptr(l.pc), direct
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

// Known gives the i-th place of accesses that a task remembers, counted from 1 in no
// order, with the locks that the task held when it first came there; more is false
// behind the last, ok where there is none. It is called while no sweep can run.
func (e *Engine) Known(i uint32) (s Side, ok, more bool) {
	if i >= load32(&e.origins.next) {
		return s, false, false
	}
	o := e.origin(i)
	if o.mark != e.sweeps || o.pc == 0 || o.set == unknownSet {
		return s, false, true
	}
	s.Site, s.PC, s.Stack, s.Locks = e.siteOf(o), e.pcOf(o), o.stack, o.set
	return s, true, true
}

func (e *Engine) nameOf(n *taskInfo) uint64 {
	if b := n.body; b != 0 {
		return e.body(b).Name
	}
	return n.name
}

// branch makes n, or what was forgotten above it, the child that s descends from.
func (e *Engine) branch(s *Side, n *taskInfo) {
	s.BranchPC, s.BranchStack = n.branch()
	s.BranchTask, s.BranchName = 0, 0
	if n.viaPC == 0 {
		s.BranchTask, s.BranchName = n.serial, e.nameOf(n)
	}
}

// ancestor finds the nearest common ancestor of tasks x and y. A parent was
// forked before its child, so the later of the two cannot be an ancestor of the
// other.
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
