package parallel

import "taskinstr/detector/mem"

// Any task may give up a lock that another task has taken: a task takes a lock for the child that
// it forks, a lock travels with a message, a callback unlocks. A critical section therefore
// belongs to its lock, not to a task. It begins with a lock operation and ends with an unlock, and
// an access lies inside it if the access follows the beginning and precedes the end in the order of
// predictions. Two accesses inside of sections that exclude each other are never parallel.
//
// The locksets of records have the sections that the accessing task has itself begun. The other
// sections matter only if a prediction is about to be reported, and are looked for then (settle):
//
//   - around the earlier access, those in which a task has forked the accessing task or an ancestor
//     of it (surround), if their ends are known to follow the access. The end of a section by
//     another task than the one that began it needs no search: it is a message to all later
//     holders of the lock, so no later section is parallel to what precedes it.
//   - around the later access, the section of the same lock that lasts at present, if its beginning
//     precedes the access. Whether the access precedes the end, too, shows when a task ends the
//     section. Until then the report is suspended. It is dropped if the access precedes that unlock,
//     or if no unlock comes, and is made otherwise.
//
// As for other sections, the earlier section's end precedes the later access in the weak order.

// A suspended report is a prediction that waits for the ends of sections.
type suspended struct {
	next   uint32
	task   uint32 // the epoch of the later access
	step   uint32
	pair   uint64 // of the places: see pairOf
	until  waits
	report Report
}

// maxWaits is the number of sections for whose ends a report waits. A report that would have to
// wait for more is dropped.
const maxWaits = 4

// waits are sections, any of which may surround an access.
type waits struct {
	n    uint32 // maxWaits+1: more than list has
	list [maxWaits]wait
}

// A wait names a section that lasts: of the lock with a serial, at addr.
type wait struct {
	addr   uintptr
	lock   uint32
	reader uint32 // 0: the exclusive section; else the task that took the lock shared, or anyReader
}

// anyReader stands for a reader that has no place in its lock's shareTable.
const anyReader = ^uint32(0)

// A shareTable has the beginnings of the shared holds of a lock: tasks, each with the step in which
// it took the lock first.
type shareTable struct {
	n     uint32 // maxShares+1: there are more
	tasks [maxShares]uint32
	steps [maxShares]uint32
}

const maxShares = 7

func (e *Engine) shareTable(i uint32) *shareTable { return (*shareTable)(e.shares.At(i)) }

func (e *Engine) suspension(i uint32) *suspended { return (*suspended)(e.suspensions.At(i)) }

// noteReader records that t takes o shared. again says that it already holds o so.
func (e *Engine) noteReader(t *Task, o *object, again bool) {
	if mem.Load32(&e.unpredicted) != 0 {
		return
	}
	if o.shares == 0 {
		o.shares = e.shares.Get()
		*e.shareTable(o.shares) = shareTable{}
	}
	s := e.shareTable(o.shares)
	if o.readers == 0 {
		s.n = 0
	}
	for i := range min(s.n, maxShares) {
		if s.tasks[i] == t.id {
			if !again {
				s.steps[i] = t.step
			}
			return
		}
	}
	if s.n < maxShares {
		s.tasks[s.n], s.steps[s.n] = t.id, t.step
	}
	s.n = min(s.n+1, maxShares+1)
}

// dropReader removes t, which no longer holds o shared, from its shareTable.
func (e *Engine) dropReader(t *Task, o *object) {
	if o.shares == 0 {
		return
	}
	s := e.shareTable(o.shares)
	for i := range min(s.n, maxShares) {
		if s.tasks[i] == t.id && s.n <= maxShares {
			s.n--
			s.tasks[i], s.steps[i] = s.tasks[s.n], s.steps[s.n]
			return
		}
	}
}

// surround returns the critical sections around a child that t forks now.
func (e *Engine) surround(t *Task) uint32 {
	if mem.Load32(&e.unpredicted) != 0 {
		return 0
	}
	x := uint32(0)
	if t.nHolds != 0 {
		x = e.lockset(t)
		e.exposeHolds(t)
	}
	for y := e.info(t.id).forkSet; y != 0; {
		var i uint32
		switch i, y = e.firstLock(y); {
		case !e.section(i).lasts():
		case x == 0:
			x = i | oneLock
		default:
			x = e.newSet(t, i, x)
		}
	}
	return x
}

// exposeHolds notes that t forks: the child may end t's critical sections before t makes its next
// access.
func (e *Engine) exposeHolds(t *Task) {
	for i := range t.nHolds {
		if h := e.holdAt(t, i); !h.forked {
			h.forked = true
			mem.Store32(&e.section(h.section).ended, sectionForked)
		}
	}
	t.exposed = t.nHolds != 0
}

// surrounds reports whether the end of section c is known to follow step s of task u.
func (e *Engine) surrounds(c *section, u, s uint32) bool {
	if mem.Load32(&c.ended) != sectionEnded {
		return false
	}
	return u == c.endTask && s <= c.endStep || u != c.endTask && e.stepIn(c.endWeak, uint32(*e.slotOf(u))) >= s
}

// queueCandidate queues a prediction of t's access and record i with origin o, to be settled. It
// returns false if the report may be a new one.
func (e *Engine) queueCandidate(t *Task, i, o uint32, addr, n uintptr) bool {
	p := pending{next: t.candidate, cur: party{t.records[t.kind], t.origin}, prev: party{i, o}, predicted: true, addr: addr, n: n}
	r := e.record(i)
	if mem.Load32(&e.unsound) != 0 {
		return true
	}
	if r.set == 0 && e.info(r.task).forkSet == 0 { // no section surrounds the earlier access
		if _, told := e.told(&p); told {
			return true
		}
	}
	t.candidate = e.pendings.Get()
	*e.pendingAt(t.candidate) = p
	return false
}

// A doubtful has the edges that an access has if sections in which its task has forked surround it: from the ends of
// sections, each with the section of the task that excludes it.
type doubtful struct {
	n    uint32 // maxWaits+1: there are more
	from [maxWaits]uint32
	own  [maxWaits]uint32
}

// doubtBlock queues the predictions of t's access to the bytes [lo, hi) of b, which begins at address
// base, that depend on the ends of sections in which t has forked. As long as these last, joinBlock
// takes the access to lie inside of them. If it joins other sections on their account, these may seem to order
// more than the accesses in them. So, if d has edges after a turn for all bytes, there is a second turn. A joinBlock before it has joined
// the sections that other holds of t suffice for (Task.sure).
func (e *Engine) doubtBlock(t *Task, d *doubtful, b *block, base, lo, hi uintptr) {
	for lo < hi {
		next, h := e.historyAt(b, lo, hi)
		e.doubt(t, d, h.writes(), base+lo, next-lo)
		if t.kind.Writes() {
			e.doubt(t, d, h.reads(), base+lo, next-lo)
		}
		lo = next
	}
}

// doubt is doubtBlock for the writes or the reads of n bytes at addr.
func (e *Engine) doubt(t *Task, d *doubtful, s half, addr, n uintptr) {
	atomic := t.kind.Atomic()
	for h := e.rivals(s.h, atomic && t.apart()); h != 0; {
		i, rest := e.firstRecord(h)
		if r := e.record(i); r.task != t.id {
			if !t.sure {
				e.noteEdges(t, d, r)
			}
			if !(atomic && r.kind().Atomic()) && !e.beforeWeak(t, r.task, r.step) {
				var w waits
				depends := false
				if t.sure {
					depends = e.behind(t, d, r, &w)
				} else {
					depends = e.forked(t, r, &w)
				}
				if depends && e.beforeHB(t, r.task, r.step) {
					e.queueDoubts(t, i, e.originIn(s, h), addr, n, &w)
				}
			}
		}
		h = e.rivals(rest, atomic && t.apart())
	}
}

// queueDoubts queues predictions of record i, with the origins in o, for the n bytes at addr.
func (e *Engine) queueDoubts(t *Task, i, o uint32, addr, n uintptr, w *waits) {
	for at, end := addr, addr+n; at < end; {
		one, next := e.originAt(o, at, end)
		if !e.queueCandidate(t, i, one, at, next-at) {
			p := e.pendingAt(t.candidate)
			p.doubt, p.until = true, *w
		}
		at = next
	}
}

// noteEdges adds to d the edges that joinEach makes for record r and that depend on the end of a section in which t
// has forked.
func (e *Engine) noteEdges(t *Task, d *doubtful, r *record) {
	if !e.joinsNow() {
		return
	}
	for x := r.set; x != 0; {
		var k uint32
		k, x = e.firstLock(x)
		c := e.section(k)
		j := e.excludes(t.set, c)
		if j == 0 || mem.Load32(&c.ended) != sectionEnded || mem.Load32(&e.section(j).ended) != sectionForked || c.quiet() && e.section(j).quiet() {
			continue
		}
		known := false
		for i := range min(d.n, maxWaits) {
			known = known || d.from[i] == k
		}
		if known {
			continue
		}
		if d.n < maxWaits {
			d.from[d.n], d.own[d.n] = k, j
		}
		d.n = min(d.n+1, maxWaits+1)
	}
}

// behind adds to w the sections in which t has forked and on which an edge depends that orders t after record r. It
// returns false if there are none, or if a section of t excludes one around the access of r.
func (e *Engine) behind(t *Task, d *doubtful, r *record, w *waits) bool {
	if e.protects(t.set, r.set) {
		return false
	}
	for i := range min(d.n, maxWaits) {
		if e.surrounds(e.section(d.from[i]), r.task, r.step) {
			w.add(waitOf(t, e.section(d.own[i])))
		}
	}
	if d.n > maxWaits {
		w.n = d.n
	}
	return w.n != 0
}

// historyAt returns the largest end, at most hi, such that the bytes [lo, end) of b are known to have one
// history, and this history.
func (e *Engine) historyAt(b *block, lo, hi uintptr) (end uintptr, h history) {
	if b.page == 0 {
		return b.piece(b.find(lo), lo, hi)
	}
	w := e.wordAt(b.page, lo)
	end = min((lo|(wordBytes-1))+1, hi)
	h, mask := e.pieceAt(w, lo)
	for p := lo; p < end; p++ {
		if mask>>(p%wordBytes)&1 == 0 {
			return p, h
		}
	}
	return end, h
}

// forked adds to w the sections in which t has forked and that exclude a section around the access of
// record r. It returns false if there are none, or if another section of t excludes one, too.
func (e *Engine) forked(t *Task, r *record, w *waits) bool {
	a := e.around(r)
	for k := e.next(r, &a); k != 0; k = e.next(r, &a) {
		c := e.section(k)
		i := e.excludes(t.set, c)
		if i == 0 {
			continue
		}
		d := e.section(i)
		if mem.Load32(&d.ended) != sectionForked {
			return false
		}
		w.add(waitOf(t, d))
	}
	return w.n != 0
}

// waitOf returns the wait for section d, which t has begun.
func waitOf(t *Task, d *section) wait {
	x := wait{addr: d.addr, lock: d.lock}
	if d.shared() {
		x.reader = t.id
	}
	return x
}

// await notes that a report waits for the sections of w, which t has begun. It removes from w the
// sections that another task has ended meanwhile.
func (e *Engine) await(t *Task, w *waits) {
	if w.n > maxWaits {
		return
	}
	for i := uint32(0); i < w.n; {
		x := &w.list[i]
		o, _ := e.openObject(t, x.addr, false)
		if o != nil && o.serial == x.lock && e.findHold(t, o, x.reader != 0) != t.nHolds {
			o.awaited = true
			i++
		} else {
			w.remove(i)
		}
		if o != nil {
			e.unlockWord(&o.mu)
		}
	}
}

// A surroundings lists the sections around an access: locksets with those that may surround it.
type surroundings struct{ own, outer uint32 }

// around returns what may surround the access of record r.
func (e *Engine) around(r *record) surroundings {
	return surroundings{r.set, e.info(r.task).forkSet}
}

// next removes sections from a until one is known to surround the access of record r. It
// returns 0 if none is left.
func (e *Engine) next(r *record, a *surroundings) (i uint32) {
	for a.own != 0 {
		i, a.own = e.firstLock(a.own)
		if mem.Load32(&e.section(i).ended) == sectionEnded {
			return i
		}
	}
	for a.outer != 0 {
		i, a.outer = e.firstLock(a.outer)
		if e.surrounds(e.section(i), r.task, r.step) {
			return i
		}
	}
	return 0
}

// settle decides on the predictions of t's last access. It drops those that critical sections rule
// out, suspends those that a lasting section may rule out, and queues the others. It looks for lasting
// sections before it orders t after the ends of any. Otherwise t could seem to know the beginning of a
// section only because another section is taken to surround the access.
func (e *Engine) settle(t *Task) {
	mem.Lock(&e.suspendMu)
	for i := t.candidate; i != 0; i = e.pendingAt(i).next {
		p := e.pendingAt(i)
		if p.doubt {
			e.await(t, &p.until)
		}
		e.lasting(t, p)
	}
	ordered := false
	for link := &t.candidate; *link != 0; {
		if p := e.pendingAt(*link); !p.doubt && e.shielded(t, p) {
			ordered = true
			e.dropPending(link)
		} else {
			link = &p.next
		}
	}
	// The ends of the sections that were found precede all of the access.
	var around waits
	for link := &t.candidate; *link != 0; {
		p := e.pendingAt(*link)
		if !ordered || p.doubt || !e.afterPrev(t, p) {
			if p.until.n == 0 {
				link = &p.next
				continue
			}
			for _, i := range p.ends[:p.nEnds] {
				e.joinSection(t, e.section(i))
			}
			e.suspend(t, p, &p.until)
			around.addAll(&p.until)
		}
		e.dropPending(link)
	}
	for link := &t.candidate; *link != 0; {
		p := e.pendingAt(*link)
		if around.n != 0 && !p.doubt && e.afterPrev(t, p) {
			e.suspend(t, p, &around)
			e.dropPending(link)
			continue
		}
		link = &p.next
	}
	mem.Unlock(&e.suspendMu)
	for t.candidate != 0 {
		i := t.candidate
		p := e.pendingAt(i)
		t.candidate = p.next
		if pair, told := e.told(p); told || !e.opt.Repeat && !e.reported.Add(pair, true) {
			e.pendings.Put(i)
			continue
		}
		p.next, t.pending = t.pending, i
	}
}

// dropPending frees the report to which link leads.
func (e *Engine) dropPending(link *uint32) {
	i := *link
	*link = e.pendingAt(i).next
	e.pendings.Put(i)
}

// afterPrev reports whether t's present follows the earlier access of p, in the weak order.
func (e *Engine) afterPrev(t *Task, p *pending) bool {
	r := e.record(p.prev.record)
	return e.joinsNow() && e.beforeWeak(t, r.task, r.step)
}

// shielded reports whether a section around the earlier access of p excludes one that t has begun.
// It orders t after the end of the first.
func (e *Engine) shielded(t *Task, p *pending) bool {
	r := e.record(p.prev.record)
	ok := false
	a := e.around(r)
	for k := e.next(r, &a); k != 0; k = e.next(r, &a) {
		c := e.section(k)
		if i := e.excludes(t.set, c); i != 0 {
			if !(c.quiet() && e.section(i).quiet()) {
				e.joinSection(t, c)
			}
			ok = true
		}
	}
	return ok
}

// joinSection orders t, in the weak order, after the end of a section around an access that
// conflicts with t's.
func (e *Engine) joinSection(t *Task, c *section) {
	if e.joinsNow() && e.orderAfterSection(t, c) {
		e.noteConflict(t.origin)
	}
}

// lasting adds to p.until the lasting sections that may surround t's access and exclude a section around
// the earlier access, and these to p.ends.
func (e *Engine) lasting(t *Task, p *pending) {
	r := e.record(p.prev.record)
	a := e.around(r)
	for k := e.next(r, &a); k != 0; k = e.next(r, &a) {
		c := e.section(k)
		if !e.addLasting(t, c, &p.until) {
			continue
		}
		if p.nEnds == maxWaits {
			e.joinSection(t, c)
			continue
		}
		p.ends[p.nEnds] = k
		p.nEnds++
	}
}

// addLasting is lasting for one section around the earlier access. It returns false if it has
// found none.
func (e *Engine) addLasting(t *Task, c *section, w *waits) bool {
	o, _ := e.openObject(t, c.addr, false)
	if o == nil {
		return false
	}
	found := false
	if o.serial == c.lock {
		if o.holder != 0 && o.holder != t.id && e.beforeWeak(t, o.holder, o.began) {
			found = true
			w.add(wait{c.addr, c.lock, 0})
		}
		if o.readers != 0 && o.shares != 0 && !c.shared() {
			s := e.shareTable(o.shares)
			for i := range min(s.n, maxShares) {
				if s.tasks[i] != t.id && e.beforeWeak(t, s.tasks[i], s.steps[i]) {
					found = true
					w.add(wait{c.addr, c.lock, s.tasks[i]})
				}
			}
			if s.n > maxShares {
				found = true
				w.add(wait{c.addr, c.lock, anyReader})
			}
		}
		o.awaited = o.awaited || found
	}
	e.unlockWord(&o.mu)
	return found
}

func (w *waits) add(x wait) {
	for _, y := range w.list[:min(w.n, maxWaits)] {
		if x == y {
			return
		}
	}
	if w.n < maxWaits {
		w.list[w.n] = x
	}
	w.n = min(w.n+1, maxWaits+1)
}

// remove removes the i-th of at most maxWaits waits.
func (w *waits) remove(i uint32) {
	w.n--
	w.list[i] = w.list[w.n%maxWaits]
	w.list[w.n%maxWaits] = wait{}
}

func (w *waits) addAll(v *waits) {
	for _, x := range v.list[:min(v.n, maxWaits)] {
		w.add(x)
	}
	if v.n > maxWaits {
		w.n = v.n
	}
}

// suspend makes p a report that waits for w. The caller has locked suspendMu.
func (e *Engine) suspend(t *Task, p *pending, w *waits) {
	pair, told := e.told(p)
	if w.n > maxWaits || told {
		return
	}
	r := e.record(p.cur.record)
	i := e.suspended
	for n := 0; i != 0 && !e.opt.Repeat; n++ {
		// If the last access of the task lies inside of the section, so do the earlier ones.
		q := e.suspension(i)
		if q.pair == pair && q.task == r.task && q.until == *w {
			break
		}
		if n == maxSuspended {
			return
		}
		i = q.next
	}
	if i == 0 || e.opt.Repeat {
		i = e.suspensions.Get()
		*e.suspension(i) = suspended{next: e.suspended, task: r.task, pair: pair, until: *w}
		e.suspended = i
	}
	q := e.suspension(i)
	q.step = r.step
	e.fillReport(&q.report, p)
}

// maxSuspended is the number of suspended reports, of different places, tasks or sections, beyond which
// predictions are dropped.
const maxSuspended = 1 << 12

// resume settles the suspended reports that wait for the section that t has just ended. It returns
// the chain of the reports to be made. The caller has locked suspendMu.
func (e *Engine) resume(t *Task, u *unlocked) (due uint32) {
	left := false // reports that wait for another section of the lock
	for link := &e.suspended; *link != 0; {
		i := *link
		q := e.suspension(i)
		inside := false
		for k := uint32(0); k < q.until.n && !inside; {
			w := &q.until.list[k]
			if w.lock != u.lock || (w.reader != 0) != u.shared {
				k++
				continue
			}
			own := !u.own || w.reader == t.id || w.reader == 0 || w.reader == anyReader
			inside = own && e.beforeWeak(t, q.task, q.step)
			if !u.shared || u.idle || u.own && u.last && w.reader == t.id {
				q.until.remove(k)
				continue
			}
			left = true
			k++
		}
		switch {
		case inside:
			*link = q.next
			e.suspensions.Put(i)
		case q.until.n == 0:
			*link = q.next
			q.next, due = due, i
		default:
			link = &q.next
		}
	}
	if !left {
		if o, _ := e.openObject(t, u.addr, false); o != nil {
			if o.serial == u.lock {
				o.awaited = false
			}
			e.unlockWord(&o.mu)
		}
	}
	return due
}

// An unlocked describes an unlock.
type unlocked struct {
	addr   uintptr
	lock   uint32 // object.serial
	shared bool
	own    bool // by the task that took the lock
	last   bool // and that has no further shared hold
	idle   bool // no task holds the lock now
}

// makeDue makes the suspended reports of a chain.
func (e *Engine) makeDue(i uint32) {
	for i != 0 {
		q := e.suspension(i)
		if mem.Load32(&e.unsound) == 0 && (e.opt.Repeat || e.reported.Add(q.pair, true)) {
			e.predict(&q.report)
		}
		next := q.next
		e.suspensions.Put(i)
		i = next
	}
}

// suspensions marks the tasks and places of suspended reports. It drops the reports that wait for the
// sections of locks that exist no longer: these sections never end.
func (s *sweep) suspensions() {
	e := s.e
	for link := &e.suspended; *link != 0; {
		i := *link
		q := e.suspension(i)
		if e.endless(q) {
			*link = q.next
			e.suspensions.Put(i)
			continue
		}
		s.follow(q.task)
		s.markSide(&q.report.Cur)
		s.markSide(&q.report.Prev)
		link = &q.next
	}
}

// endless reports whether a section for which q waits is of a lock that exists no longer.
func (e *Engine) endless(q *suspended) bool {
	for _, w := range q.until.list[:q.until.n] {
		if e.sameObject(w.addr, w.lock) == nil {
			return true
		}
	}
	return false
}

// markSide marks the stacks and the locks of one access of a report.
func (s *sweep) markSide(a *Side) {
	s.e.contexts.Mark(a.Stack, s.e.sweeps)
	s.e.contexts.Mark(a.ForkStack, s.e.sweeps)
	s.e.contexts.Mark(a.BranchStack, s.e.sweeps)
	s.markSet(a.Locks)
}
