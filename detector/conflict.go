package detector

// maxConflicts is how many places of conflicting critical sections are remembered.
const maxConflicts = 16

// noteConflict remembers that an access of origin x conflicts with one of an
// earlier critical section of its lock: in another schedule the two sections may
// take turns the other way round.
func (e *Engine) noteConflict(x uint32) {
	if !e.opt.Conflicts {
		return
	}
	o := *e.origin(x)
	o.stack, o.mark = 0, 0
	lockWord(&e.conflictMu)
	i := uint32(0)
	for i < e.conflictN && e.conflict[i] != o {
		i++
	}
	if i == e.conflictN && i < maxConflicts {
		e.conflict[i] = o
		e.conflictN++
	}
	store32(&e.conflictMu, 0)
}

// Conflict returns the i-th place where critical sections were found to conflict.
// At most 16 are known; with NoPredict or All none are looked for.
func (e *Engine) Conflict(i uint32) (site, pc uintptr, ok bool) {
	if i >= load32(&e.conflictN) {
		return 0, 0, false
	}
	return e.siteOf(&e.conflict[i]), e.pcOf(&e.conflict[i]), true
}

// Ordered reports whether calls of Order make a difference to t now.
//
//go:nosplit
func (e *Engine) Ordered(t *Task) bool { return t.nHolds != 0 && e.JoinsSections() }

// Order makes critical sections conflict that use something else than memory in
// common, as one that finds a channel empty and another that fills it. Like accesses
// of kind k to the byte at addr they are ordered, but nothing is said to race. The
// byte must be one that is never accessed.
func (e *Engine) Order(t *Task, addr uintptr, k Kind) {
	if e.Ordered(t) && e.lockset(t) != 0 {
		t.orders = true
		e.Access(t, addr, 1, k, 0, e.opt.PCBase, 0)
		t.orders = false
	}
}
