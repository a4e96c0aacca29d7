package serial

// A cell is the history of a word byte by byte.
type cell struct {
	free  uint32 // link of the free chain
	bytes [wordBytes]hist
}

// A hist is the history of one byte: the last writer and the readers since, all without
// locks, with their origins, and the accesses under locks that nothing represents.
type hist struct {
	w, r    uint32
	wo, ro  uint32
	lockers uint32
}

func (e *Engine) cell(i uint32) *cell { return (*cell)(e.cells.At(i)) }

// makeCell gives the word of an entry a cell with the same history.
func (e *Engine) makeCell(p *uint64) {
	w, r, m := unpack(*p)
	q := *e.places(p)
	i := e.cells.Take()
	c := e.cell(i)
	*c = cell{}
	for k := range c.bytes {
		if m>>k&1 != 0 {
			c.bytes[k] = hist{w: w, r: r, wo: e.originAtByte(uint32(q), k), ro: e.originAtByte(uint32(q>>32), k)}
		}
	}
	*p = word(hasCell, i, full)
}

// accessCell records an access to some bytes of a word that has a cell.
func (e *Engine) accessCell(t *Task, a uintptr, p *uint64, bytes uint32, k Kind, o, set uint32) {
	_, r, _ := unpack(*p)
	c := e.cell(r)
	for i := 0; i < wordBytes; i++ {
		if bytes>>i&1 == 0 {
			continue
		}
		old := c.bytes[i]
		run := uint32(0)
		for j := i; j < wordBytes && bytes>>j&1 != 0 && c.bytes[j] == old; j++ {
			run |= 1 << j
		}
		h := old
		e.nClash = 0
		e.judge(t, &h, k, o, set)
		for j := i; j < wordBytes && run>>j&1 != 0; j++ {
			c.bytes[j] = h
			i = j
		}
		if e.nClash != 0 {
			e.report(t, a, run, k, o, set)
		}
	}
	e.heal(p, c)
}

// heal replaces a cell by an entry if the entry can express the same history.
func (e *Engine) heal(p *uint64, c *cell) {
	var h hist
	m := uint32(0)
	for i := range c.bytes {
		b := &c.bytes[i]
		if b.lockers != 0 {
			return
		}
		if b.w < e.Base && e.Past(b.r) {
			continue
		}
		switch {
		case m == 0:
			h = *b
		case b.w != h.w || b.r != h.r || IsList(b.r) && b.ro != h.ro:
			return
		default:
			// The origins of accesses that precede everything may have been given up.
			if h.w >= e.Base {
				h.wo = e.joinOrigins(h.wo, m, 1<<i, b.wo)
			}
			if !e.Past(h.r) {
				h.ro = e.joinOrigins(h.ro, m, 1<<i, b.ro)
			}
		}
		m |= 1 << i
	}
	_, i, _ := unpack(*p)
	*c = cell{}
	e.cells.Add(i)
	*p = 0
	if m != 0 {
		*p = word(h.w, h.r, m)
		*e.places(p) = pair(h.wo, h.ro)
	}
}

// judge adds an access of t to a history, and adds the accesses of the history that race
// with it to e.clashes.
func (e *Engine) judge(t *Task, h *hist, k Kind, o, set uint32) {
	write := k.Writes()
	if algParallel(e, t, h.w) {
		e.clash(h.w, h.wo, Write, 0)
	}
	if write {
		for r := h.r; !e.Past(r); {
			unit, origin, rest := e.Newest(r, h.ro)
			if algParallel(e, t, unit) {
				e.clash(unit, origin, Read, 0)
			}
			r = rest
		}
	}
	for i := h.lockers; i != 0; {
		l := e.locker(i)
		if (write || l.kind.Writes()) && algParallel(e, t, l.unit) {
			if !e.exclude(l.set, set) {
				e.clash(l.unit, l.origin, l.kind, l.set)
			} else if e.AtomicConflicts || !(k.Atomic() && l.kind.Atomic()) {
				e.Counts.Protected++
				if e.opt.Conflicts {
					e.noteConflict(o)
				}
			}
		}
		i = l.next
	}
	switch {
	case set != 0:
		e.judgeLocked(t, h, k, o, set)
	case write:
		if h.w != t.Unit || h.r != 0 || h.lockers != 0 {
			*h = hist{w: t.Unit, wo: o}
		}
	default:
		if h.w != t.Unit {
			h.r, h.ro = algRemember(e, t, h.r, h.ro, o)
		}
		h.lockers = e.without(t, h.lockers, Read, 0)
	}
}
