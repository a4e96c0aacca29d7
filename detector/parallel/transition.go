package parallel

// A transition remembers the outcome of accesses of one record to bytes of history old: there is
// nothing new to report, and their history becomes new. A record belongs to one generation of its
// task. The transition stays valid until the generation ends, because accesses that precede the
// task continue to precede it.
type transition struct {
	old, new uint64
	origins  cell   // if origin is not 0, the transition holds only for these origins of the history
	origin   uint32 // and for accesses of this origin
	record   uint32 // of the access
	w, r     edit   // the changes of writes and reads
}

// memoKey identifies t's generation and a kind of access. Generations wrap around, see
// newGeneration.
//
//go:nosplit
func (t *Task) memoKey(k Kind) uint16 { return uint16(t.generation()<<2 | uint32(k)) }

// transitionFor returns the remembered transition for accesses of record a, which is t's, to
// history x, nil if there is none.
//
//go:nosplit
func (t *Task) transitionFor(x uint64, a uint32) *transition {
	m := t.proc().transitionSlot(x, a)
	if m.old == x && m.record == a {
		return m
	}
	return nil
}

// remember notes that accesses of record a make history x to y. If origin is not 0, that holds
// only for this origin and the history's origins. It returns the new transition.
//
//go:nosplit
func (t *Task) remember(x uint64, a uint32, y uint64, w, r edit, from cell, origin uint32) *transition {
	m := t.proc().transitionSlot(x, a)
	*m = transition{x, y, from, origin, a, w, r}
	return m
}

// applyTransition returns the history that follows h by transition m.
func (e *Engine) applyTransition(t *Task, h history, m *transition) history {
	g := history{cell: cell{uint32(m.new), uint32(m.new >> 32)}}
	for ok := false; !ok; e.stock(&t.proc().originLists, &e.originLists) {
		var also bool
		g.origins.w, ok = e.editOrigins(t, m.w, h.w, h.origins.w)
		g.origins.r, also = e.editOrigins(t, m.r, h.r, h.origins.r)
		ok = ok && also
	}
	return g
}
