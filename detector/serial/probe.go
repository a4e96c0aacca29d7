package serial

// AcquireAll, KeepHistory and InvalidateFilters are of package parallel; serial execution
// does not need them.
func (e *Engine) AcquireAll(t *Task) {}
func (e *Engine) KeepHistory()       {}
func (e *Engine) InvalidateFilters() {}

// Ordered reports whether t is in a critical section whose order is to be found out.
//
//go:nosplit
func (e *Engine) Ordered(t *Task) bool { return false }

// Order is never called: see Ordered.
func (e *Engine) Order(t *Task, addr uintptr, k Kind) {}

// JoinsSections reports whether Conflict can be asked.
func (e *Engine) JoinsSections() bool { return true }

// Conflict returns the i-th place of an access in a critical section that conflicts with
// one in another task's section of the same lock: their order is a choice.
func (e *Engine) Conflict(i uint32) (site, pc uintptr, ok bool) {
	if i >= e.nConflict {
		return 0, 0, false
	}
	o := e.originAt(e.conflicts[i])
	if o.site != 0 {
		site = e.opt.SiteBase + uintptr(o.site)
	}
	return site, e.opt.PCBase + uintptr(o.pc), true
}

// maxConflicts is the largest number of places that Conflict returns.
const maxConflicts = 64

// noteConflict remembers the place of an access for Conflict.
func (e *Engine) noteConflict(o uint32) {
	for i := uint32(0); i < e.nConflict; i++ {
		if e.conflicts[i] == o {
			return
		}
	}
	if e.nConflict < maxConflicts {
		e.conflicts[e.nConflict] = o
		e.nConflict++
	}
}

// Known is of package parallel. Serial detectors keep no records that tell which locks other
// accesses held.
func (e *Engine) Known(i uint32) (s Side, ok, more bool) { return s, false, false }

// Probe returns Covered if an access leaves no trace, else Unknown. It may run on the
// task's own stack.
//
//go:nosplit
func (e *Engine) Probe(t *Task, a, n uintptr, k Kind) int {
	if e.Covered(t, a, n, k) {
		return Covered
	}
	return Unknown
}
