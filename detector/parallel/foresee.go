package parallel

import "taskinstr/detector/mem"

// foreseeDepth is the number of records of a list whose order foresee checks.
const foreseeDepth = 8

// foresee is judge for the case that all records are known to precede t, no critical
// section must be joined, and outcome can handle the lists. It remembers the transition, and returns false in
// other cases.
//
//go:nosplit
func (e *Engine) foresee(t *Task, x uint64, k Kind) bool {
	w, r := uint32(x), shared(uint32(x>>32))
	x = bits(w, r)
	if w != 0 && !e.harmless(t, w, k) || k.Writes() && r != 0 && !e.harmless(t, r, k) {
		return false
	}
	a := t.records[k%kinds]
	if e.alreadyCovered(t, w, k) || !k.Writes() && e.alreadyCovered(t, r, k) {
		t.remember(x, a, x, unchanged, unchanged, cell{}, 0)
		return true
	}
	wt, rt := unchanged, unchanged
	if k.Writes() {
		switch {
		case r == 0 || k.Atomic() && !e.compactionDue(r):
		case e.outcome(t, r, k) == replaces:
			r, rt = 0, empties
		case !k.Atomic() && e.outcome(t, r, k) != pushes:
			return false // an atomic write may keep reads that it subsumes: readers drop them
		}
		wt = e.outcome(t, w, k)
		w = e.edited(t, wt, w, a)
	} else {
		rt = e.outcome(t, r, k)
		r = e.edited(t, rt, r, a)
	}
	if w == noRecord || r == noRecord {
		return false
	}
	mem.Fence() // covers follows a cell to the list node without a lock
	t.remember(x, a, bits(w, r), wt, rt, cell{}, 0)
	return true
}

// harmless reports whether t's access of kind k neither races with a record of h nor must
// be ordered after one of its critical sections. It looks at a few records, so false
// means unknown.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) harmless(t *Task, h uint32, k Kind) bool {
	if h&listed == 0 {
		return h == 0 || e.harmlessRecord(t, h, k)
	}
	apart := k.Atomic() && t.apart()
	h = e.rivals(h, apart)
	for n := 0; h != 0; n++ {
		i, rest := e.firstRecord(h)
		if e.record(i).task != t.id && (n == foreseeDepth || !e.harmlessRecord(t, i, k)) {
			return false
		}
		h = e.rivals(rest, apart)
	}
	return true
}

// harmlessRecord is harmless for a single record.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) harmlessRecord(t *Task, i uint32, k Kind) bool {
	p := e.record(i)
	atomic := k.Atomic() && p.kind().Atomic()
	if p.task == t.id || atomic && t.apart() {
		return true
	}
	follows := e.followsRecord(t, p)
	return (follows || atomic) && (t.set == 0 || follows && e.endedBefore(t, p) || !e.commonLock(t.set, p.set))
}

// alreadyCovered reports whether one of the newest records of h is of t's present step
// and locks and makes an access of kind k by t redundant.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) alreadyCovered(t *Task, h uint32, k Kind) bool {
	if h&listed == 0 {
		return h != 0 && t.owns(h, k)
	}
	for n := 0; h != 0 && n < coveredDepth; n++ {
		var i uint32
		if i, h = e.firstRecord(h); t.owns(i, k) {
			return true
		}
	}
	return false
}

// outcome returns the edit of h by t's access of kind k: replaces if the access subsumes
// all records, pushes if none, replacesNewest if only the newest, otherEdit if h is too
// long to decide. Of a list of readers that is not due for compaction it examines only
// the newest.
//
//go:nosplit
func (e *Engine) outcome(t *Task, h uint32, k Kind) edit {
	if h&listed == 0 {
		if h == 0 || e.quickSubsumes(t, h, k) {
			return replaces
		}
		return pushes
	}
	if !e.compactionDue(h) && (!k.Writes() || k.Atomic()) {
		if e.quickSubsumes(t, e.listNode(h&indexOf).record, k) {
			return replacesNewest
		}
		return pushes
	}
	kept, all := edit(0), edit(0)
	for bit := edit(1); h != 0; bit <<= 1 {
		if bit == keepsSome {
			return otherEdit
		}
		var i uint32
		if i, h = e.firstRecord(h); !e.quickSubsumes(t, i, k) {
			kept |= bit
		}
		all |= bit
	}
	switch {
	case kept == 0:
		return replaces
	case kept == all:
		return pushes
	case kept == all&^1:
		return replacesNewest
	}
	return keepsSome | kept
}

// edited returns h after edit c, where a is the record of the access. It returns noRecord
// if t has too few elements in stock.
//
//go:nosplit
func (e *Engine) edited(t *Task, c edit, h, a uint32) uint32 {
	rest, n, limit := h&indexOf, uint32(1), uint32(listFloor)
	switch {
	case c == replaces:
		return a
	case c == otherEdit:
		return noRecord
	case c >= keepsSome:
		var ok bool
		if rest, ok = e.keptNodes(t, c, rest); !ok {
			return noRecord
		}
		n = e.listNode(rest).n + 1
	case h&listed == 0:
		if rest = e.quickNode(t, h, 0, 1, listFloor); rest == 0 {
			return noRecord
		}
		n = 2
	default:
		l := e.listNode(rest)
		n, limit = l.n+1, l.limit
		if c == replacesNewest {
			rest, n = l.rest, n-1
		}
	}
	i := e.quickNode(t, a, rest, n, limit)
	if i == 0 {
		return noRecord
	}
	return listed | i
}

// quickSubsumes reports whether an access of kind k by t is known to subsume record i.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) quickSubsumes(t *Task, i uint32, k Kind) bool {
	p := e.record(i)
	if !coversKind(k, p.kind()) {
		return false
	}
	if p.task == t.id {
		return p.set == t.set || !e.opt.All || e.protectsLess(t, p) // each section of p has ended, or t is still in it
	}
	if !e.followsRecord(t, p) {
		return false
	}
	if e.opt.All {
		return e.protectsLess(t, p)
	}
	return p.set == t.set || e.endedBefore(t, p)
}
