package parallel

import "taskinstr/detector/mem"

// listFloor is the length up to which each change of a list removes the records that a
// newer one subsumes.
const listFloor = 8

// add returns s with t's access added. It also removes the subsumed records if lazy is
// false or compactionDue says so. Laziness keeps the cost of a read of widely shared
// bytes constant.
func (e *Engine) add(t *Task, s half, lazy bool) half {
	a := t.records[t.kind%kinds]
	if s.h == 0 {
		return half{a, t.origin}
	}
	if i, _ := e.firstRecord(s.h); i == a {
		return s
	}
	if lazy && s.h&listed != 0 {
		if !e.compactionDue(s.h) {
			l := e.listNode(s.h & indexOf)
			if !e.subsumes(t, l.record) {
				return e.cons(t, a, t.origin, s)
			}
			// The newest reader reads again: replace its record.
			return half{
				listed | e.newListNode(t, a, l.rest, l.n, l.limit),
				listed | e.newOrigins(t, t.origin, e.originNode(s.origin&indexOf).rest),
			}
		}
	}
	s = e.unsubsumed(t, s)
	if s.h == 0 {
		return half{a, t.origin}
	}
	s = e.cons(t, a, t.origin, s)
	if !lazy && e.listNode(s.h&indexOf).n >= 2*writersKept && !e.opt.All && !e.anyAtomic(s.h) {
		return e.newest(t, s, writersKept)
	}
	e.compacted(s.h)
	return s
}

// compacted notes that h, if it is a list, has no subsumed records now.
func (e *Engine) compacted(h uint32) {
	if h&listed == 0 {
		return
	}
	l := e.listNode(h & indexOf)
	if l.n >= listFloor {
		mem.Store32(&l.limit, 2*l.n)
	}
}

// compactionDue reports whether to remove the subsumed records of h: h is short, or has
// doubled since it was last compacted.
//
//go:nosplit
func (e *Engine) compactionDue(h uint32) bool {
	if h&listed == 0 {
		return true
	}
	l := e.listNode(h & indexOf)
	return l.n < listFloor || l.n >= l.limit
}

// writersKept is the least number of mutually unordered writes of the same bytes that are
// kept. Each of them has been reported with another one by then. Dropping older writes
// keeps the time of a program in which ten thousand tasks race on a counter from being
// quadratic in their number.
const writersKept = 64

// anyAtomic reports whether h contains an atomic write. Atomic writes may be unordered
// without a report.
func (e *Engine) anyAtomic(h uint32) bool {
	for h != 0 {
		var i uint32
		if i, h = e.firstRecord(h); e.record(i).kind().Atomic() {
			return true
		}
	}
	return false
}

// newest returns the first n records of s.
func (e *Engine) newest(t *Task, s half, n uint32) half {
	i, o, rest := e.first(s)
	if n == 1 {
		return half{i, o}
	}
	return e.cons(t, i, o, e.newest(t, rest, n-1))
}
