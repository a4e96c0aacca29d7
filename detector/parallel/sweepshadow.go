package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// ahead is the number of words of a block of cells that cells handles together. Records, locksets and critical sections lie in no
// order. If they are more than the processor's caches hold, most looks at them would miss these, which took four fifths of a sweep of ten
// million records. So cells prefetches them for all these words before it looks at the first.
const ahead = 64

// farRecords is the number of records, 2.5 MB, from which on cells prefetches.
const farRecords = 1 << 17

// prefetch loads the records, list nodes and split words in the words of b at these offsets into the caches, and then the locksets or
// critical sections of these records.
func (s *sweep) prefetch(b *block, words []uint16) {
	e := s.e
	for _, lo := range words {
		if w := e.wordAt(b.page, uintptr(lo)); w.split() {
			mem.Prefetch(unsafe.Pointer(e.split(w.w & indexOf)))
		} else {
			s.prefetchHalf(w.w)
			s.prefetchHalf(w.r)
		}
	}
	for _, lo := range words {
		if w := e.wordAt(b.page, uintptr(lo)); !w.split() {
			s.prefetchSet(w.w)
			s.prefetchSet(w.r)
		}
	}
}

// prefetchHalf is prefetch for the record or list of half x of a history.
//
//taskinstr:inline
func (s *sweep) prefetchHalf(x uint32) {
	switch {
	case x == 0:
	case x&listed == 0:
		mem.Prefetch(unsafe.Pointer(s.e.record(x)))
	default:
		mem.Prefetch(unsafe.Pointer(s.e.listNode(x & indexOf)))
	}
}

// prefetchSet is prefetch for the lockset of half x of a history, if x is a record.
//
//taskinstr:inline
func (s *sweep) prefetchSet(x uint32) {
	if x == 0 || x&listed != 0 {
		return
	}
	switch set := s.e.record(x).set; {
	case set == 0:
	case set&oneLock != 0:
		mem.Prefetch(unsafe.Pointer(s.e.section(set &^ oneLock)))
	default:
		mem.Prefetch(unsafe.Pointer(s.e.setNode(set)))
	}
}

// shadow removes forgettable accesses from the shadow and marks everything that it still
// reaches.
func (s *sweep) shadow() {
	e := s.e
	for i := uint32(1); i < e.blocks.Next; i++ {
		b := e.block(i)
		if b.page == 0 {
			s.runs(b)
		} else {
			s.cells(b)
		}
		if b.page == 0 && b.home != 0 {
			// The world is stopped, so no thread is between its load of b's entry and its load of a cell.
			e.pages.Put(b.home)
			b.home = 0
		}
	}
	s.cost += uint64(e.blocks.Next)
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
	far := e.records.Next >= farRecords
	var words [ahead]uint16 // their offsets
	for lo := uintptr(0); lo < blockBytes; {
		n := 0
		for end := lo + ahead*wordBytes; lo < end; lo += wordBytes {
			if w := e.wordAt(b.page, lo); w.w|w.r != 0 {
				words[n%ahead] = uint16(lo)
				n++
			}
		}
		if far {
			s.prefetch(b, words[:n])
		}
		for _, lo := range words[:n] {
			w := e.wordAt(b.page, uintptr(lo))
			if w.split() {
				s.word(w)
				continue
			}
			if *w != last {
				last = *w
				clean = s.history(w.canonical())
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
	var masks [wordBytes]uint32
	var pieces [wordBytes]history
	n := 0
	for i := w.w & indexOf; i != 0; i = e.split(i).next {
		d := e.split(i)
		for p, m := range d.masks {
			if m == 0 {
				continue
			}
			h := s.history(d.pieces[p])
			if h.w|h.r == 0 {
				continue
			}
			j := 0
			for j < n && pieces[j] != h {
				j++
			}
			if j == n {
				pieces[n] = h
				n++
			}
			masks[j] |= uint32(m)
		}
	}
	if n == 0 || masks[0] == wholeWord {
		*w = pieces[0]
		return
	}
	i := w.w & indexOf
	for from := 0; ; from += splitPieces {
		d := e.split(i)
		d.mark = e.sweeps
		d.masks = [splitPieces]uint8{}
		for p := range min(splitPieces, n-from) {
			d.masks[p], d.pieces[p] = uint8(masks[from+p]), pieces[from+p]
		}
		if from+splitPieces >= n {
			d.next = 0
			break
		}
		i = d.next
	}
}

// history returns h without forgettable accesses and marks the rest.
func (s *sweep) history(h history) history {
	w, r := s.half(h.writes()), s.half(h.reads())
	return makeHistory(w, r)
}

// half is history for the writes or the reads.
//
//taskinstr:inline
func (s *sweep) half(x half) half {
	if x.h == 0 {
		return half{}
	}
	if x.h&listed == 0 {
		if s.drops(x.h) {
			return half{}
		}
		s.markOrigin(x.origin)
		return x
	}
	h := s.list(x.h & indexOf)
	if h == 0 {
		return half{}
	}
	return half{h | listed, s.origins(x) | listed}
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
func (s *sweep) origins(x half) uint32 {
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
		c := e.originLists.Get()
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
//
//taskinstr:inline
func (s *sweep) markOrigin(i uint32) {
	if o := s.e.origin(i); o.mark != s.e.sweeps {
		o.mark = s.e.sweeps
		if o.pair() {
			s.markOrigin(o.site)
			s.markOrigin(o.stack)
			return
		}
		s.e.contexts.Mark(o.stack, s.e.sweeps)
		if o.set != unknownSet {
			s.markSet(o.set)
		}
	}
}

// drops reports whether to forget record i. It marks the record with the decision.
//
//taskinstr:inline
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
	n := e.info(r.task)
	n.mark = e.sweeps
	if r.step <= n.given {
		n.flags |= infoFollowed
	}
	s.markSet(r.set)
	s.markSet(n.forkSet)
	if p := e.slotAt(r.slot()); r.set|n.forkSet != 0 && !p.locked {
		p.locked = !s.orderedBy(r.set) || !s.orderedBy(n.forkSet)
	}
	return false
}

// forgettable reports whether r and the ends of its critical sections precede all that live tasks will do.
//
//taskinstr:inline
func (s *sweep) forgettable(r *record) bool {
	return s.e.keep == 0 && s.passed(r.slot(), r.step) && (!s.e.joinsNow() || s.ended(r))
}

// passed reports whether a step precedes all that live tasks will do.
//
//taskinstr:inline
func (s *sweep) passed(slot, step uint32) bool { return s.e.slotAt(slot).passed >= step }

// ended is passed for the ends of the critical sections of r.
func (s *sweep) ended(r *record) bool {
	e := s.e
	if r.settled() {
		return true
	}
	i, ok := e.lastEnd(r.set)
	if !ok || i == 0 {
		return ok
	}
	c := e.section(i)
	return s.passed(uint32(*e.slotOf(c.endTask)), c.endStep)
}

// pass finds the steps that precede all that live tasks will do: the minimum of their clocks. It has slots forget that they
// are locked, until the rest of the sweep finds it anew.
//
// A task that awaits a release need not be asked. A task that is asked makes the release, or one that
// goes on behind such a release itself. If the release comes later, every event before the releasing
// task precedes the waiting one. If the release has been made, the releasing task is still about to wake the waiting one,
// and has acquired nothing since.
func (s *sweep) pass() {
	e := s.e
	for i := range e.nslots {
		e.slotAt(i).passed, e.slotAt(i).locked = 1<<32-1, false
	}
	for b := uint32(1); b < e.bodies.Next; b++ {
		if t := e.body(b); t.alive && !t.background && !t.Awaits {
			for k := range (e.nslots + pageSlots - 1) / pageSlots {
				s.passPage(t, k)
			}
			s.cost++
		}
	}
}

// passPage is pass for page k of t's clock. Most tasks share most pages with the task before.
func (s *sweep) passPage(t *Task, k uint32) {
	e := s.e
	i := t.weak.page
	if k != 0 {
		i = 0
		if t.weak.top != 0 {
			i = e.top(t.weak.top).pages[(k-1)%(pagesMost-1)]
		}
	}
	i = max(i, noSteps)
	own := e.nslots // the slot of t alone, whose own steps precede it
	if t.slot/pageSlots == k && e.slotAt(t.slot).users == 1 {
		own = t.slot
	} else if s.page[k] == i || s.page[k] == noSteps {
		return
	} else {
		s.page[k] = i
	}
	g := e.page64(i)
	for j := k * pageSlots; j < min((k+1)*pageSlots, e.nslots); j++ {
		if j != own {
			p := e.slotAt(j)
			p.passed = min(p.passed, g.v[j%pageSlots])
		}
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

// relink removes dropped records from the kept lists.
func (s *sweep) relink() {
	for i := uint32(1); i < s.e.lists.Next; i++ {
		if l := s.e.listNode(i); l.n&listed != 0 {
			l.rest = s.firstKept(l.rest)
			l.own = 0
			for l.nonAtomic != 0 && s.drops(s.e.listNode(l.nonAtomic).record) {
				if l.nonAtomic = s.e.listNode(l.nonAtomic).rest; l.nonAtomic != 0 {
					l.nonAtomic = s.e.listNode(l.nonAtomic).nonAtomic
				}
			}
		}
	}
}
