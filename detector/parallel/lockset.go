package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A lockset represents the critical sections that a task is in: 0 for none, oneLock plus
// the index of a section for one, or the index of a setNode.
const oneLock = 1 << 31

// A setNode is a critical section and the rest of its lockset.
type setNode struct {
	rest    uint32 // also the link of the free chain
	section uint32
	mark    uint32
	ends    uint32 // see lastEnd
}

func (e *Engine) setNode(i uint32) *setNode {
	return (*setNode)(unsafe.Add(nil, e.sets.Base+uintptr(i)*unsafe.Sizeof(setNode{})))
}

// firstLock splits the nonempty lockset x into a section and the rest.
//
//go:nosplit
func (e *Engine) firstLock(x uint32) (section, rest uint32) {
	if x&oneLock != 0 {
		return x &^ oneLock, 0
	}
	n := e.setNode(x)
	return n.section, n.rest
}

// lockset returns the lockset of t. It is made when the first access under these locks is
// recorded.
func (e *Engine) lockset(t *Task) uint32 {
	if mem.Load32(&e.unpredicted) != 0 { // locks only order
		t.set, t.setKnown, t.foreign = 0, true, mem.Load32(&e.foreign)
		return 0
	}
	if t.nHolds > 0 && t.foreign != mem.Load32(&e.foreign) {
		e.dropEndedHolds(t)
	}
	if t.setKnown {
		return t.set
	}
	s, i := uint32(0), t.nHolds
	for i > 0 && s == 0 { // a hold that has a set lies above others that have theirs
		if s = e.holdAt(t, i-1).set; s == 0 {
			i--
		}
	}
	for ; i < t.nHolds; i++ {
		h := e.holdAt(t, i)
		if h.section == 0 {
			e.newSection(t, h)
		}
		if h.set = h.section | oneLock; s != 0 {
			h.set = e.newSet(t, h.section, s)
		}
		s = h.set
	}
	t.set, t.setKnown = s, true
	return s
}

// quickSet is lockset for a task that holds few locks and has the needed elements in
// stock. It returns false if t is no such task.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickSet(t *Task) bool {
	if mem.Load32(&e.unpredicted) != 0 {
		t.set, t.setKnown, t.foreign = 0, true, mem.Load32(&e.foreign)
		return true
	}
	if t.nHolds > inlineHolds || t.foreign != mem.Load32(&e.foreign) || !e.seat(t) {
		return false
	}
	p := t.proc()
	s := uint32(0)
	for i := uint32(0); i < t.nHolds; i++ {
		h := &t.holds[i%inlineHolds]
		if h.section == 0 {
			c := p.sections
			if c == 0 {
				return false
			}
			p.sections = e.section(c).endStep
			*e.section(c) = h.begun()
			h.section = c
		}
		if h.set == 0 && s == 0 {
			h.set = h.section | oneLock
		}
		if h.set == 0 {
			x := p.sets
			if x == 0 {
				return false
			}
			n := e.setNode(x)
			p.sets = n.rest
			*n = setNode{rest: s, section: h.section}
			h.set = x
		}
		s = h.set
	}
	t.set, t.setKnown = s, true
	return true
}

func (e *Engine) newSet(t *Task, c, rest uint32) uint32 {
	i := e.draw(&t.proc().sets, &e.sets)
	*e.setNode(i) = setNode{rest: rest, section: c}
	return i
}

// commonLock reports whether locksets x and y contain sections that exclude each other.
//
//go:nosplit
func (e *Engine) commonLock(x, y uint32) bool {
	for x != 0 {
		var i uint32
		i, x = e.firstLock(x)
		if e.excludes(y, e.section(i)) != 0 {
			return true
		}
	}
	return false
}

// protects reports whether a section of lockset y has an end and excludes a section of lockset x, the
// present one of a task.
func (e *Engine) protects(x, y uint32) bool {
	for y != 0 {
		var i uint32
		i, y = e.firstLock(y)
		if c := e.section(i); e.excludes(x, c) != 0 && mem.Load32(&c.ended) == sectionEnded {
			return true
		}
	}
	return false
}

// excludes returns a section of y that cannot run at the same time as c, 0 if there is
// none.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) excludes(y uint32, c *section) uint32 {
	for y != 0 {
		var i uint32
		i, y = e.firstLock(y)
		if d := e.section(i); d.lock == c.lock && !(c.shared() && d.shared()) {
			return i
		}
	}
	return 0
}

// protectsLess reports whether each section that protects an access by t protects the access of
// record p, too: p's task was in it, or in an ended section of the same lock and mode.
//
//go:nosplit
func (e *Engine) protectsLess(t *Task, p *record) bool {
	for x := t.set; x != 0; {
		var i uint32
		if i, x = e.firstLock(x); !e.hasSection(p.set, i) {
			j := e.holdsAs(p.set, e.section(i))
			if j == 0 || mem.Load32(&e.section(j).ended) != sectionEnded {
				return false
			}
		}
	}
	x, y := e.info(t.id).forkSet, e.info(p.task).forkSet
	for x != y && x != 0 {
		var i uint32
		if i, x = e.firstLock(x); !e.hasSection(p.set, i) && !e.hasSection(y, i) {
			return false
		}
	}
	return true
}

// hasSection reports whether y contains section i.
//
//go:nosplit
func (e *Engine) hasSection(y, i uint32) bool {
	for y != 0 {
		var j uint32
		if j, y = e.firstLock(y); i == j {
			return true
		}
	}
	return false
}

// holdsAs returns a section of y of the lock of c, exclusive if c is. It returns 0 if there is
// none.
//
//go:nosplit
func (e *Engine) holdsAs(y uint32, c *section) uint32 {
	for y != 0 {
		var i uint32
		i, y = e.firstLock(y)
		if d := e.section(i); d.lock == c.lock && (c.shared() || !d.shared()) {
			return i
		}
	}
	return 0
}

// lastEnd returns the section of lockset x that ended last, 0 if none has an end. All sections
// of a lockset are of one task: an access after the last end comes after the other ends, too. ok is
// false if a section of x lasts.
//
// A setNode remembers the answer: ends is oneLock plus the section that ended last, or the
// outermost section that lasted. So however many locks x has, most looks at it are short.
//
//go:nosplit
func (e *Engine) lastEnd(x uint32) (last uint32, ok bool) {
	lasts := uint32(0)
	for y := x; y != 0; {
		i, rest := e.firstLock(y)
		if y&oneLock == 0 {
			j := mem.Load32(&e.setNode(y).ends)
			if j&oneLock != 0 || j != 0 && e.section(j).lasts() {
				i, rest = j&^oneLock, 0
			}
		}
		if y = rest; i == 0 {
			break
		}
		switch c := e.section(i); mem.Load32(&c.ended) {
		case sectionLasts, sectionForked:
			lasts = i
		case sectionEnded:
			if last == 0 || e.section(last).endStep < c.endStep {
				last = i
			}
		}
	}
	if x != 0 && x&oneLock == 0 {
		ends := last | oneLock
		if lasts != 0 {
			ends = lasts
		}
		if n := e.setNode(x); n.ends != ends {
			mem.Store32(&n.ends, ends)
		}
	}
	return last, lasts == 0
}

// LockOf returns the i-th lock of the lockset of a Side. The lock taken last comes first, unless a
// task has ended the oldest of many holds (reverseHolds).
func (e *Engine) LockOf(set, i uint32) (l HeldLock, ok bool) {
	for set != 0 {
		var s uint32
		s, set = e.firstLock(set)
		if i == 0 {
			c := e.section(s)
			return HeldLock{Addr: c.addr, Shared: c.shared(), PC: e.opt.PCBase + uintptr(c.how>>howBits)}, true
		}
		i--
	}
	return l, false
}
