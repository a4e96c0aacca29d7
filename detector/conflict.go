package detector

// maxConflicts is how many places of conflicting critical sections are remembered.
const maxConflicts = 16

// noteConflict remembers that an access of origin o conflicts with one of an
// earlier critical section of its lock: in another schedule the two sections may
// take turns the other way round.
func (e *Engine) noteConflict(o origin) {
	if !e.opt.Conflicts {
		return
	}
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
	return e.siteOf(e.conflict[i]), e.pcOf(e.conflict[i]), true
}
