package parallel

import "taskinstr/detector/mem"

// maxConflicts is the number of remembered places at which critical sections conflict.
const maxConflicts = 16

// noteConflict remembers origin x, at which an access conflicts with an access in an
// earlier critical section of the same lock. In another schedule the two sections may run
// in the other order.
func (e *Engine) noteConflict(x uint32) {
	if !e.opt.Conflicts {
		return
	}
	o := *e.origin(x)
	o.stack, o.set, o.mark = 0, 0, 0 // the place alone
	mem.Lock(&e.conflictMu)
	i := uint32(0)
	for i < e.conflictN && e.conflict[i] != o {
		i++
	}
	if i == e.conflictN && i < maxConflicts {
		e.conflict[i] = o
		mem.Store32(&e.conflictN, i+1) // Conflict takes no lock
	}
	mem.Unlock(&e.conflictMu)
}

// Conflict returns the i-th place at which critical sections conflicted. At most
// maxConflicts places are kept. With NoPredict or All the engine looks for none.
func (e *Engine) Conflict(i uint32) (site, pc uintptr, ok bool) {
	if i >= mem.Load32(&e.conflictN) {
		return 0, 0, false
	}
	return e.siteOf(&e.conflict[i]), e.pcOf(&e.conflict[i]), true
}

// A joinedMemo remembers that t has joined the critical sections of a history
// (joinSections), for one generation and kind.
type joinedMemo struct {
	w, r uint32
	key  uint16
}

// apart reports whether an atomic access by t orders no critical sections on account of other atomic accesses.
//
//go:nosplit
func (t *Task) apart() bool { return t.set == 0 || t.Word }

// joinSections orders t, which is in a critical section, after the ends of the earlier
// sections of the same locks whose accesses in c conflict with t's access.
func (e *Engine) joinSections(t *Task, c cell) {
	if c.r&private == 0 && !t.sure && !t.Word { // the list of c.r does not change
		m := &t.joined[(c.w^c.r)%joinedCache]
		now := joinedMemo{c.w, c.r, t.memoKey(t.kind)}
		if *m == now {
			return
		}
		*m = now
	}
	e.joinEach(t, c.w)
	if t.kind.Writes() {
		e.joinEach(t, c.r)
	}
}

// joinEach is joinSections for the writes or the reads h. Two quiet sections do not join: a package
// such as log keeps its own data whole with them, and passes no data from one task to another. So a
// conflict there, in a buffer to which both write, orders nothing outside. (An access in a quiet
// section may subsume one outside, so that a predicted race of the latter with an access in a
// later quiet section is missed.) Nor do two sections join because they operate on the same lock (Task.Word).
func (e *Engine) joinEach(t *Task, h uint32) {
	apart := t.kind.Atomic() && t.apart()
	for h = e.rivals(h, apart); h != 0; h = e.rivals(h, apart) {
		var i uint32
		i, h = e.firstRecord(h)
		r := e.record(i)
		if r.set == 0 || r.task == t.id || e.followsRecord(t, r) && e.endedBefore(t, r) {
			continue // t follows the sections of r
		}
		for x := t.set; x != 0; {
			var j uint32
			j, x = e.firstLock(x)
			// Several sections of r can match only if its task holds the lock twice,
			// which Go's locks do not allow.
			c := e.section(j)
			if t.sure && mem.Load32(&c.ended) == sectionForked {
				continue
			}
			if y := e.excludes(r.set, c); y != 0 {
				if d := e.section(y); mem.Load32(&d.ended) == sectionEnded && !(c.quiet() && d.quiet()) {
					if e.orderAfterSection(t, d) {
						e.noteConflict(t.origin)
					}
				}
			}
		}
	}
}
