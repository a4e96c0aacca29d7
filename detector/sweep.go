package detector

import "unsafe"

// Sweep frees everything on which no later answer can depend, with the world stopped. It
//
//   - forgets accesses that precede every live task, because each later task descends from
//     one of these,
//   - frees the records, lists and critical sections that the shadow no longer reaches,
//   - frees the ended tasks that no record names, and their entries in clocks.
//
// Its time is linear in the shadow and in the elements made since the last sweep.
// NeedSweep spaces sweeps so that this is a constant for each recorded access and each
// ended task.

// sweepFloor is the number of new elements, of a few dozen bytes each, before the first
// sweep and at least between two sweeps.
const sweepFloor = 1 << 17

// storeCost is the cost, in elements, of refilling a task's tiny caches after a sweep has
// emptied them.
const storeCost = 32

// NeedSweep reports whether enough elements were made since the last Sweep to make
// another one worth its time.
func (e *Engine) NeedSweep() bool {
	return load64(&e.work) >= e.workNext || load32(&e.clocks.next) >= e.clocksNext
}

// Sweep frees unreachable elements. The caller has stopped all tasks outside of the
// engine.
func (e *Engine) Sweep() {
	e.sweeps++
	s := sweep{e: e}
	s.clearTasks()
	s.shadow()
	s.relink()
	s.markTasks()
	s.splice()
	s.freeSections()
	s.cleanPoints()
	s.cleanLive()
	s.free(&e.records, unsafe.Offsetof(record{}.mark), s.kept())
	s.free(&e.frames, unsafe.Offsetof(frame{}.mark), e.sweeps)
	s.freeMarked(&e.lists, unsafe.Offsetof(listNode{}.n))
	s.freeMarked(&e.fromLists, unsafe.Offsetof(originNode{}.rest))
	s.free(&e.splits, unsafe.Offsetof(splitWord{}.mark), e.sweeps)
	s.free(&e.origins, unsafe.Offsetof(origin{}.mark), e.sweeps)
	e.contexts.forget()
	s.freeTasks()
	s.freeBodies()
	e.work = 0
	e.clocksNext = max(2*e.clocks.used(), e.clocks.next) + sweepFloor/2
	s.cost += uint64(e.records.used() + e.origins.used() + e.frames.used() + e.lists.used() + e.fromLists.used()/2 + e.splits.used() + e.tasks.used() + e.bodies.used() + e.sections.used() + e.sets.used())
	e.workNext = max(sweepFloor, s.cost+s.cost/2)
}

// A sweep is the state of one Sweep. An element is in use if its mark equals
// Engine.sweeps.
type sweep struct {
	e       *Engine
	cost    uint64 // elements visited and kept
	asked   uint64 // order queries made
	witness uint32 // body of a live task that does not follow the last kept access; 0: none
}

// The marks of records, which hold the decision as well.
func (s *sweep) kept() uint32    { return s.e.sweeps << 1 }
func (s *sweep) dropped() uint32 { return s.e.sweeps<<1 | 1 }

// clearTasks takes the stocks of free elements from all tasks, which leaves these
// elements unmarked and so free, and marks the critical sections that live tasks are in.
func (s *sweep) clearTasks() {
	e := s.e
	for b := uint32(1); b < e.bodies.next; b++ {
		t := e.body(b)
		t.spare, t.lnodes, t.ids, t.spareSect, t.spareSets, t.spareFrames, t.spareSplits, t.spareOrigins, t.spareNodes = 0, 0, 0, 0, 0, 0, 0, 0, 0
		if !t.alive {
			for t.nodes != 0 {
				m := t.nodes
				t.nodes = e.clock(m).ref
				e.clocks.put(m)
			}
			t.nodeN = 0
			continue
		}
		s.cost += storeCost << t.wide
		e.endStep(t)
		t.Act++ // the host remembers frames that the sweep may free
		e.info(t.id).mark = e.sweeps
		for i := uint32(0); i < t.nHolds; i++ {
			h := e.holdAt(t, i)
			if h.section != 0 {
				e.section(h.section).mark = e.sweeps
			}
			s.markSet(h.set)
		}
		s.markSet(t.set)
	}
}

// shadow removes forgettable accesses from the shadow and marks everything that it still
// reaches.
func (s *sweep) shadow() {
	e := s.e
	for i := uint32(1); i < e.blocks.next; i++ {
		b := e.block(i)
		if b.page == 0 {
			s.runs(b)
		} else {
			s.cells(b)
		}
	}
	s.cost += uint64(e.blocks.next)
}

// runs is shadow for a block of runs.
func (s *sweep) runs(b *block) {
	for i := uintptr(0); i < uintptr(b.n); {
		r := &b.runs[i]
		r.history = s.history(r.history)
		if r.w|r.r == 0 {
			b.remove(i)
		} else if !b.join(i) {
			i++
		}
	}
}

// cells is shadow for a block of cells.
func (s *sweep) cells(b *block) {
	e := s.e
	last, clean := history{}, history{} // neighbours often agree
	for i := uintptr(0); i < blockWords; i++ {
		w := e.wordAt(b.page, i*wordBytes)
		switch {
		case w.cell == cell{}:
		case w.split():
			s.word(w)
		default:
			if *w != last {
				last = *w
				clean = s.history(w.plain())
			}
			*w = clean
		}
	}
	s.cost += blockWords
	e.makeRuns(b)
}

// word is shadow for a word that is split.
func (s *sweep) word(w *history) {
	e := s.e
	d := e.split(w.w & indexOf)
	last, clean := history{}, history{}
	for j := range d.bytes {
		if h := d.bytes[j]; h != last {
			last = h
			clean = s.history(h.plain())
		}
		d.bytes[j] = clean
	}
	if e.undivide(nil, w); w.split() {
		d.mark = e.sweeps
	}
}

// history returns h without forgettable accesses and marks the rest.
func (s *sweep) history(h history) history {
	w, r := s.side(h.writes()), s.side(h.reads())
	return makeHistory(w, r)
}

// half is history for the writes or the reads.
func (s *sweep) side(x side) side {
	if x.h == 0 {
		return side{}
	}
	if x.h&listed == 0 {
		if s.drops(x.h) {
			return side{}
		}
		s.markOrigin(x.origin)
		return x
	}
	h := s.list(x.h & indexOf)
	if h == 0 {
		return side{}
	}
	return side{h | listed, s.origins(x) | listed}
}

// list marks the kept nodes of the list that begins at node i and returns the first of
// them. Other histories share the list, so relink changes its links only after all
// histories were visited.
func (s *sweep) list(i uint32) uint32 {
	e := s.e
	i = s.firstKept(i)
	for j := i; j != 0 && e.listNode(j).n&listed == 0; j = s.firstKept(e.listNode(j).rest) {
		e.listNode(j).n |= listed
	}
	return i
}

// firstKept returns the first node of list i whose record is kept.
func (s *sweep) firstKept(i uint32) uint32 {
	for i != 0 && s.drops(s.e.listNode(i).record) {
		i = s.e.listNode(i).rest
	}
	return i
}

// origins returns the list of the origins of the kept records of x, a list, and marks it.
func (s *sweep) origins(x side) uint32 {
	e := s.e
	tail, n := x.origin&indexOf, 0 // the part behind the last record that goes, and the number of kept records in front of it
	for i, o, kept := x.h&indexOf, tail, 0; i != 0; i, o = e.listNode(i).rest, e.originNode(o).rest&indexOf {
		if s.drops(e.listNode(i).record) {
			tail, n = e.originNode(o).rest&indexOf, kept
		} else {
			kept++
		}
	}
	for o := tail; o != 0 && e.originNode(o).rest&listed == 0; o = e.originNode(o).rest & indexOf {
		e.originNode(o).rest |= listed
		s.markOrigin(e.originNode(o).origin)
	}
	first, last := uint32(0), uint32(0)
	for i, o := x.h&indexOf, x.origin&indexOf; n > 0; i, o = e.listNode(i).rest, e.originNode(o).rest&indexOf {
		if s.drops(e.listNode(i).record) {
			continue
		}
		c := e.fromLists.get()
		*e.originNode(c) = originNode{e.originNode(o).origin, listed | tail}
		s.markOrigin(e.originNode(o).origin)
		if first == 0 {
			first = c
		} else {
			e.originNode(last).rest = listed | c
		}
		last = c
		n--
	}
	if first == 0 {
		return tail
	}
	return first
}

// markOrigin marks origin i, its stack and its lockset.
func (s *sweep) markOrigin(i uint32) {
	if o := s.e.origin(i); o.mark != s.e.sweeps {
		o.mark = s.e.sweeps
		s.markStack(o.stack)
		if o.set != unknownSet {
			s.markSet(o.set)
		}
	}
}

// drops reports whether to forget record i. It marks the record with the decision.
func (s *sweep) drops(i uint32) bool {
	e := s.e
	r := e.record(i)
	if r.mark == s.kept() || r.mark == s.dropped() {
		return r.mark == s.dropped()
	}
	if s.forgettable(r) {
		r.mark = s.dropped()
		return true
	}
	r.mark = s.kept()
	e.info(r.task).mark = e.sweeps
	s.markSet(r.set)
	return false
}

// forgettable reports whether r and the ends of its critical sections precede all live
// tasks. It returns false once the sweep has made too many order queries.
func (s *sweep) forgettable(r *record) bool {
	e := s.e
	if e.keep != 0 || s.asked > 4*uint64(e.records.next)+1<<16 {
		return false
	}
	if s.witness != 0 && !s.known(s.witness, r) {
		return false
	}
	for b := uint32(1); b < e.bodies.next; b++ {
		t := e.body(b)
		if t.alive && !t.background && !s.known(b, r) {
			s.witness = b
			return false
		}
	}
	return true
}

// precedesBody reports whether r and the ends of its critical sections precede the task
// with body b.
func (s *sweep) known(b uint32, r *record) bool {
	s.asked++
	t := s.e.body(b)
	return s.e.beforeWeak(t, r.task, r.step) && (!s.e.JoinsSections() || s.e.settled(t, r.set, 0))
}

// markStack marks the frames of a stack.
func (s *sweep) markStack(id uint32) {
	for id != 0 {
		f := s.e.frame(id)
		if f.mark == s.e.sweeps {
			return
		}
		f.mark = s.e.sweeps
		id = f.parent
	}
}

// markSet marks the nodes and the critical sections of lockset x.
func (s *sweep) markSet(x uint32) {
	e := s.e
	for x != 0 {
		if x&oneLock == 0 {
			n := e.setNode(x)
			if n.mark == e.sweeps {
				return
			}
			n.mark = e.sweeps
		}
		var i uint32
		i, x = e.firstLock(x)
		e.section(i).mark = e.sweeps
	}
}

// markTasks marks the tasks that marked elements need: the tasks that ended marked
// critical sections, and the tasks in chains of join records.
func (s *sweep) markTasks() {
	e := s.e
	for i := uint32(1); i < e.sections.next; i++ {
		if c := e.section(i); c.mark == e.sweeps && c.endTask != 0 {
			e.info(c.endTask).mark = e.sweeps
		}
	}
	for i := uint32(1); i < e.tasks.next; i++ {
		n := e.info(i)
		for n.mark == e.sweeps && n.joinStep != 0 && e.info(n.joiner).mark != e.sweeps {
			n = e.info(n.joiner)
			n.mark = e.sweeps
		}
	}
}

// splice makes the nearest marked ancestor of each task its parent. Later queries never
// ask for an ancestor that is left out, and everything it knew is in the task's clocks
// since the fork.
func (s *sweep) splice() {
	e := s.e
	for i := uint32(1); i < e.tasks.next; i++ {
		n := e.info(i)
		if n.flags&infoUsed == 0 {
			continue
		}
		n.leap = 0 // it may name a task that is freed
		for n.parent != 0 && e.info(n.parent).mark != e.sweeps {
			p := e.info(n.parent)
			n.viaPC, n.viaStack = p.branch()
			n.parent, n.forkStep = p.parent, p.forkStep
			n.flags |= infoSpliced
		}
		if n.mark == e.sweeps {
			s.markStack(n.created)
			s.markStack(n.viaStack)
		}
		if n.body != 0 {
			t := e.body(n.body)
			t.parent, t.forkStep = n.parent, n.forkStep
		}
	}
}

// freeSections frees unmarked critical sections and locksets.
func (s *sweep) freeSections() {
	e := s.e
	a := &e.sections
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		c := e.section(i)
		if c.mark == e.sweeps {
			c.endWeak = s.prune(c.endWeak)
			s.cleanChange(&c.endAt)
			top = max(top, i)
			continue
		}
		e.dropClock(nil, c.endWeak)
		c.endWeak = 0
		if top != 0 {
			a.add(i)
		}
	}
	a.shrink(top + 1)
	s.free(&e.sets, unsafe.Offsetof(setNode{}.mark), e.sweeps)
}

// cleanEpochs removes the names of freed tasks from the released epochs. Their clocks
// stay.
func (s *sweep) cleanPoints() {
	e := s.e
	for i := uint32(1); i < e.objects.next; i++ {
		if o := e.object(i); o.addr != 0 {
			s.cleanList(&o.general)
			s.cleanList(&o.excl)
			s.cleanList(&o.shared)
		}
	}
	s.cost += uint64(e.objects.used())
}

func (s *sweep) cleanList(l *pointList) {
	e := s.e
	for link := &l.head; *link != 0; {
		i := *link
		p := e.point(i)
		s.cleanChange(&p.weakAt)
		s.cleanChange(&p.hbAt)
		same := p.weak == p.hb
		p.weak = s.prune(p.weak)
		if same {
			p.hb = p.weak
		} else {
			p.hb = s.prune(p.hb)
			if p.hb == p.weak && p.weak != 0 {
				e.dropClock(nil, p.hb)
			}
		}
		if p.task != 0 && e.info(p.task).mark != e.sweeps {
			n := e.info(p.task)
			if n.parent != 0 {
				s.enterPoint(p, n.parent, n.forkStep)
			}
			p.task = 0
		}
		if p.task|p.weak|p.hb == 0 && l.n > 1 {
			*link = p.next
			l.n--
			e.points.put(i)
		} else {
			link = &p.next
		}
		s.cost++
	}
}

// cleanChange removes the name of a freed task from c.
func (s *sweep) cleanChange(c *change) {
	if c.task != 0 && s.e.info(c.task).mark != s.e.sweeps {
		c.task, c.step = 0, 0
	}
}

// enterEpoch is Engine.enter for an epoch.
func (s *sweep) enterPoint(p *point, u, v uint32) {
	e := s.e
	same := p.weak == p.hb
	p.weak = e.clockSet(nil, p.weak, u, v)
	if same {
		p.hb = p.weak
		return
	}
	p.hb = e.clockSet(nil, p.hb, u, v)
}

// cleanLive removes freed tasks from the clocks of live tasks and empties these tasks'
// caches of order queries. Their caches of elements hold entries of past steps;
// forgetSwept clears those before the next use, so a sweep touches little of each task.
func (s *sweep) cleanLive() {
	e := s.e
	for b := uint32(1); b < e.bodies.next; b++ {
		t := e.body(b)
		if !t.alive {
			continue
		}
		t.knownWeak = [knownCache]uint64{}
		t.knownHB = [knownCache]uint64{}
		s.cleanChange(&t.weakAt)
		s.cleanChange(&t.hbAt)
		same := t.weak == t.hb
		t.weak = s.prune(t.weak)
		if same {
			t.hb = t.weak
		} else {
			t.hb = s.prune(t.hb)
			e.unite(t)
		}
	}
}

// prune removes the unmarked tasks from clock m, in place, because no later query asks
// for them. It returns m, or 0 if m has become empty and was dropped.
func (s *sweep) prune(m uint32) uint32 {
	if m == 0 {
		return 0
	}
	e := s.e
	n := e.clock(m)
	if n.mark != e.sweeps {
		n.mark = e.sweeps
		s.cost++
		for i := uint32(0); i < clockFan; i++ {
			if n.a[i] == 0 {
				continue
			}
			if n.shift != 0 {
				n.a[i] = s.prune(n.a[i])
			} else if e.info(n.prefix<<clockBits|i).mark != e.sweeps {
				n.a[i] = 0
			}
		}
	}
	if n.a != [clockFan]uint32{} {
		return m
	}
	e.dropClock(nil, m)
	return 0
}

// free frees the elements of a whose word at offset mark differs from used.
func (s *sweep) free(a *arena, mark uintptr, used uint32) {
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		if *(*uint32)(unsafe.Add(a.at(i), mark)) == used {
			top = max(top, i)
		} else if top != 0 {
			a.add(i)
		}
	}
	a.shrink(top + 1)
}

// relink removes dropped records from the kept lists.
func (s *sweep) relink() {
	for i := uint32(1); i < s.e.lists.next; i++ {
		if l := s.e.listNode(i); l.n&listed != 0 {
			l.rest = s.firstKept(l.rest)
			for l.plain != 0 && s.drops(s.e.listNode(l.plain).record) {
				if l.plain = s.e.listNode(l.plain).rest; l.plain != 0 {
					l.plain = s.e.listNode(l.plain).plain
				}
			}
		}
	}
}

// freeMarked is free for elements whose mark is the bit listed of the word at offset
// mark. It clears the marks.
func (s *sweep) freeMarked(a *arena, mark uintptr) {
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		if m := (*uint32)(unsafe.Add(a.at(i), mark)); *m&listed != 0 {
			*m &^= listed
			top = max(top, i)
		} else if top != 0 {
			a.add(i)
		}
	}
	a.shrink(top + 1)
}

func (s *sweep) freeTasks() {
	e := s.e
	a := &e.tasks
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		if n := e.info(i); n.mark == e.sweeps {
			top = max(top, i)
		} else {
			e.forgive(n)
			n.flags = 0
			if top != 0 {
				a.add(i)
			}
		}
	}
	a.shrink(top + 1)
}

func (s *sweep) freeBodies() {
	e := s.e
	a := &e.bodies
	a.empty()
	top := uint32(0)
	for i := a.next - 1; i > 0; i-- {
		if e.body(i).alive {
			top = max(top, i)
		} else if top != 0 {
			a.add(i)
		}
	}
	a.shrink(top + 1)
}
