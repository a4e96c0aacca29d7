package espbags

import "unsafe"

// sweepAfter is the least number of tasks between two sweeps.
const sweepAfter = 1 << 18

// NeedSweep reports whether enough was taken since the last sweep for another one to
// pay: in proportion to what there is to look at.
//
//go:nosplit
func (e *Engine) NeedSweep() bool {
	return e.taken > sweepAfter && e.taken > 2*int32(e.kept) && e.taken > int32(e.chunks.next)*(chunkBytes/wordBytes/64) ||
		e.lockers.due() || e.cells.due() || e.frames.due() || e.origins.due() || e.sets.due() || e.octets.due() || e.scopes.due()
}

// due reports whether an arena has grown so much since the last sweep that one pays.
//
//go:nosplit
func (a *arena) due() bool { return a.next > 2*a.kept+sweepAfter }

// Sweep gives back what nothing leads to: task ids that no entry, cell or bag names,
// and origins, calling contexts, locksets and lists of accesses under locks. Entries
// about tasks that precede everything become empty.
func (e *Engine) Sweep() {
	e.sweeps++
	e.taken = 0
	e.shared = noEntry // its reader's id may be another task's soon
	for i := e.base; i < e.nextID; i++ {
		if p := e.up(i); *p != 0 && *p&isRoot == 0 {
			*p = e.find(i)
		}
	}
	e.markShadow()
	for i := uint32(0); i < e.nConflict; i++ {
		e.markOrigin(e.conflicts[i])
	}
	for i := uint32(1); i < e.bodies.next; i++ {
		if t := e.body(i); t.self == i && t.alive {
			e.keepTask(t.id)
			e.keepTask(t.bag)
			e.markStack(e.infoOf(t.id).stack)
			t.known, t.set, t.atomic = false, 0, 0
			t.Act++
		}
	}
	e.keepTask(e.escaped)
	e.sweepScopes()
	// Whoever is kept has ancestors that a report may name, and a root.
	for i := e.base; i < e.nextID; i++ {
		if n := e.infoOf(i); n.mark == e.sweeps {
			if p := *e.up(i); p != 0 && p&isRoot == 0 {
				e.keepTask(p)
			}
			for i := n.parent; i >= e.base && e.infoOf(i).mark != e.sweeps; i = e.infoOf(i).parent {
				e.keepTask(i)
				e.markStack(e.infoOf(i).stack)
			}
			e.markStack(n.stack)
		}
	}
	e.infos.free = 0
	e.kept = 0
	for i := e.nextID - 1; i >= e.base; i-- {
		if e.infoOf(i).mark == e.sweeps {
			e.kept++
		} else {
			e.dropID(i)
		}
	}
	e.origins.keep(e.sweeps, hashOrigin)
	e.frames.keep(e.sweeps, hashFrame)
	e.sets.keep(e.sweeps, hashSet)
	e.octets.keep(e.sweeps, hashOctet)
	e.joins = [joinMemos]joinMemo{}
	for _, a := range [...]*arena{&e.lockers, &e.cells, &e.scopes, &e.frames.arena, &e.origins.arena, &e.sets.arena, &e.octets.arena} {
		a.kept = a.next
	}
	e.memo = [originMemos]originMemo{}
	e.fmemo = [frameMemos]frameMemo{}
}

func (e *Engine) keepTask(id uint32) {
	if id >= e.base {
		e.infoOf(id).mark = e.sweeps
	}
}

func (e *Engine) markStack(id uint32) {
	for id != 0 && e.frames.see(id, e.sweeps) {
		id = e.frame(id).parent
	}
}

func (e *Engine) markOrigin(id uint32) {
	if id&isOctet != 0 {
		if e.octets.see(id&^isOctet, e.sweeps) {
			for _, o := range e.octet(id).of {
				e.markOrigin(o)
			}
		}
		return
	}
	if id != 0 && e.origins.see(id, e.sweeps) {
		e.markStack(e.originAt(id).stack)
	}
}

// markShadow marks what the entries and cells name, and chains the cells and lists
// that are not in use.
func (e *Engine) markShadow() {
	e.cells.free = 0
	for i := e.cells.next - 1; i > 0; i-- {
		e.cell(i).free = 0
	}
	const used = 1<<32 - 1
	var last uint64
	var lastPlaces uint64
	var lastLine *line
	for i := uint32(1); i < e.chunks.next; i++ {
		p := e.chunk(i)
		for k := 0; k < chunkBytes/wordBytes; k++ {
			q := at64(p, k)
			x := *q
			if x == 0 {
				continue
			}
			o := *e.places(q)
			if x == last && o == lastPlaces {
				continue
			}
			if x == inLine {
				if l := e.line(uintptr(unsafe.Pointer(q)) - e.shadow); l != lastLine {
					lastLine = l
					w, r, _ := unpack(l.entry)
					e.keepTask(w)
					e.keepTask(r)
					e.markPlaces(w, r, uint32(l.places), uint32(l.places>>32))
				}
				continue
			}
			w, r, _ := unpack(x)
			if w == hasCell {
				if e.cell(r).free != used {
					e.cell(r).free = used
					e.markCell(e.cell(r))
				}
				continue
			}
			if w < e.base && r < e.base {
				*q = 0
				continue
			}
			last, lastPlaces = x, o
			e.keepTask(w)
			e.keepTask(r)
			e.markPlaces(w, r, uint32(o), uint32(o>>32))
		}
	}
	for i := e.cells.next - 1; i > 0; i-- {
		if c := e.cell(i); c.free != used {
			*c = cell{}
			e.cells.put(i)
		}
	}
	e.lockers.free = 0
	for i := e.lockers.next - 1; i > 0; i-- {
		if l := e.locker(i); l.mark != e.sweeps {
			*l = locker{}
			e.lockers.put(i)
		}
	}
}

// markPlaces marks the origins of those of a writer and a reader that count.
func (e *Engine) markPlaces(w, r, wo, ro uint32) {
	if w >= e.base {
		e.markOrigin(wo)
	}
	if r >= e.base {
		e.markOrigin(ro)
	}
}

func (e *Engine) markCell(c *cell) {
	for i := range c.bytes {
		h := &c.bytes[i]
		e.keepTask(h.w)
		e.keepTask(h.r)
		e.markPlaces(h.w, h.r, h.wo, h.ro)
		for l := h.lockers; l != 0 && e.locker(l).mark != e.sweeps; l = e.locker(l).next {
			n := e.locker(l)
			n.mark = e.sweeps
			e.keepTask(n.task)
			e.markOrigin(n.origin)
			for s := n.set; s != 0; s = e.setAt(s).rest {
				e.sets.see(s, e.sweeps)
			}
		}
	}
}

// sweepScopes gives back the scopes whose bag is empty and that no task that runs is
// to end in.
func (e *Engine) sweepScopes() {
	for i := uint32(1); i < e.bodies.next; i++ {
		if t := e.body(i); t.self == i && t.alive && t.scope != 0 {
			e.scopeAt(t.scope).keep = true
		}
	}
	for s := 0; s < scopeSlots; s++ {
		l := at32(e.slots, s)
		for *l != 0 {
			i := *l
			c := e.scopeAt(i)
			if c.bag == 0 && !c.keep && e.settled(c.joiner) && e.settled(c.late) {
				*l = c.next
				*c = scope{}
				e.scopes.put(i)
				continue
			}
			c.keep = false
			e.keepTask(c.bag)
			e.keepTask(c.joiner)
			e.keepTask(c.late)
			l = &c.next
		}
	}
}

// settled reports whether a task precedes all that comes.
func (e *Engine) settled(id uint32) bool { return id < e.base }
