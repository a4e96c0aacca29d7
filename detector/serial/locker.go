package serial

// A locker is an element of a list of accesses under locks. Lists do not change once they
// are made, and bytes share them.
type locker struct {
	next   uint32 // also the link of the free chain
	unit   uint32
	origin uint32
	set    uint32
	mark   uint32
	kind   Kind
}

// maxLockers is the longest list.
const maxLockers = 16

func (e *Engine) locker(i uint32) *locker { return (*locker)(e.lockers.At(i)) }

// judgeLocked adds an access under the locks of set to the list of a history, unless an
// element represents it, and drops the elements that it represents.
func (e *Engine) judgeLocked(t *Task, h *hist, k Kind, o, set uint32) {
	write := k.Writes()
	if h.w == t.Unit && (!write || h.r == 0) || h.r == t.Unit && !write {
		return
	}
	n := 0
	for i := h.lockers; i != 0; {
		l := e.locker(i)
		if algRepresents(e, t, l.unit) && (l.kind.Writes() || !write) && e.within(l.set, set) {
			return
		}
		n++
		i = l.next
	}
	rest := e.without(t, h.lockers, k, set)
	if rest == h.lockers && n >= maxLockers {
		e.Counts.Overflows++
		return
	}
	i := e.lockers.Take()
	*e.locker(i) = locker{next: rest, unit: t.Unit, origin: o, set: set, kind: k, mark: e.sweeps}
	h.lockers = i
}

// without returns a list without the elements that precede the present step of t and that an
// access of kind k under set represents.
func (e *Engine) without(t *Task, list uint32, k Kind, set uint32) uint32 {
	if list == 0 {
		return 0
	}
	l := *e.locker(list)
	rest := e.without(t, l.next, k, set)
	if (k.Writes() || !l.kind.Writes()) && !algParallel(e, t, l.unit) && e.within(set, l.set) {
		return rest
	}
	if rest == l.next {
		return list
	}
	i := e.lockers.Take()
	*e.locker(i) = locker{next: rest, unit: l.unit, origin: l.origin, set: l.set, kind: l.kind, mark: e.sweeps}
	return i
}
