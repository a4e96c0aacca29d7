package online

import "unsafe"

// sweepAfter is the least number of steps and tasks between two sweeps.
const sweepAfter = 1 << 18

// NeedSweep reports whether enough was taken since the last sweep for another one to
// pay: in proportion to what there is to look at.
//
//go:nosplit
func (e *Engine) NeedSweep() bool {
	return e.taken > sweepAfter && e.taken > 2*int32(e.kept) && e.taken > int32(e.chunks.next)*(chunkBytes/wordBytes/64) ||
		e.lockers.due() || e.cells.due() || e.frames.due() || e.origins.due() || e.sets.due() || e.octets.due()
}

// due reports whether an arena has grown so much since the last sweep that one pays.
//
//go:nosplit
func (a *arena) due() bool { return a.next > 2*a.kept+sweepAfter }

// Sweep gives back what nothing leads to: steps that no entry or cell names, tasks that
// no step, join or object names, and what hangs on them. Entries about steps that precede all
// tasks that run become empty.
func (e *Engine) Sweep() {
	e.sweeps++
	e.taken = 0
	e.queued = 0
	e.answers = [answers]answer{}
	e.markShadow()
	for i := uint32(0); i < e.nConflict; i++ {
		e.markOrigin(e.conflicts[i])
	}
	for i := uint32(1); i < e.bodies.next; i++ {
		if t := e.body(i); t.self == i && t.alive {
			e.stepOf(t.step).mark = e.sweeps
			e.keepTask(t.id)
			e.keepTask(e.infoOf(t.id).pending)
			// What it remembers names steps, lists, sets and origins that may be given
			// to others.
			t.known, t.set, t.atomic = false, 0, 0
			t.forgetStep()
			t.Act++
		}
	}
	e.sweepObjects()
	for e.queued > 0 {
		id, _ := e.dequeue()
		n := e.infoOf(id)
		e.markStack(n.stack)
		e.keepTask(n.parent)
		e.keepTask(n.to)
		for i := n.joins; i != 0; i = e.joinAt(i).older {
			e.keepTask(e.joinAt(i).task)
		}
	}
	e.keepHeirs()
	e.kept = 0
	e.freeStep = 0
	for i := e.nextStep - 1; i >= e.base; i-- {
		if s := e.stepOf(i); s.mark == e.sweeps && s.task != 0 {
			e.kept++
		} else {
			*s = step{mark: e.freeStep}
			e.freeStep = i
		}
	}
	e.freeInfo = 0
	for i := e.infos.next - 1; i > 0; i-- {
		switch n := e.infoOf(i); {
		case n.mark == e.sweeps:
			e.kept++
		default:
			for j := n.joins; j != 0; {
				older := e.joinAt(j).older
				e.joins.put(j)
				j = older
			}
			e.dropInfo(i)
		}
	}
	e.origins.keep(e.sweeps, hashOrigin)
	e.frames.keep(e.sweeps, hashFrame)
	e.sets.keep(e.sweeps, hashSet)
	e.octets.keep(e.sweeps, hashOctet)
	e.octs = [joinMemos]joinMemo{}
	for _, a := range e.tables() {
		a.kept = a.next
	}
	e.memo = [originMemos]originMemo{}
	e.fmemo = [frameMemos]frameMemo{}
	e.answers = [answers]answer{}
	e.listed = [listMemos]uint32{}
}

// keepTask marks a task, or 0, and puts it into the queue of those whose past is to be
// marked.
func (e *Engine) keepTask(id uint32) {
	if id != 0 && e.infoOf(id).mark != e.sweeps {
		e.infoOf(id).mark = e.sweeps
		e.enqueue(id, 0)
	}
}

// keepStep marks a step that an entry names.
func (e *Engine) keepStep(id uint32) {
	if id < e.base {
		return
	}
	if s := e.stepOf(id); s.mark != e.sweeps {
		s.mark = e.sweeps
		e.keepTask(s.task)
	}
}

// keepReaders marks readers, and their origins.
func (e *Engine) keepReaders(r, origin uint32) {
	for !e.past(r) {
		step, o, rest := e.newestOf(r, origin)
		if r&isList != 0 {
			x := e.readerAt(r)
			if x.mark == e.sweeps {
				return
			}
			x.mark = e.sweeps
		}
		e.keepStep(step)
		e.markOrigin(o)
		r = rest
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
				l := e.lineAt(uintptr(unsafe.Pointer(q)) - e.shadow)
				k += lineWords - 1
				e.keepEntry(*l, *e.linePlaces(l))
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
			if e.behindAll(w) && e.readersBehindAll(r) {
				*q = 0
				continue
			}
			e.keepEntry(x, o)
			last, lastPlaces = x, o
		}
	}
	for i := e.cells.next - 1; i > 0; i-- {
		c := e.cell(i)
		if c.free != used {
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
	e.freeReader = 0
	for i := e.nextList - 1; i >= e.listBase; i-- {
		if x := e.readerAt(i | isList); x.mark != e.sweeps {
			*x = reader{rest: e.freeReader}
			e.freeReader = i | isList
		}
	}
}

// keepEntry marks what an entry and its origins name.
func (e *Engine) keepEntry(x, o uint64) {
	w, r, _ := unpack(x)
	if w >= e.base {
		e.keepStep(w)
		e.markOrigin(uint32(o))
	}
	e.keepReaders(r, uint32(o>>32))
}

func (e *Engine) markCell(c *cell) {
	for i := range c.bytes {
		h := &c.bytes[i]
		if h.w >= e.base {
			e.keepStep(h.w)
			e.markOrigin(h.wo)
		}
		e.keepReaders(h.r, h.ro)
		for l := h.lockers; l != 0 && e.locker(l).mark != e.sweeps; l = e.locker(l).next {
			n := e.locker(l)
			n.mark = e.sweeps
			e.keepStep(n.step)
			e.markOrigin(n.origin)
			for s := n.set; s != 0; s = e.setAt(s).rest {
				e.sets.see(s, e.sweeps)
			}
		}
	}
}

// sweepObjects marks what the points of objects name, and drops points that precede all
// tasks that run: joining them does nothing.
func (e *Engine) sweepObjects() {
	for s := 0; s < objectSlots; s++ {
		l := at32(e.slots, s)
		for *l != 0 {
			i := *l
			o := e.objectAt(i)
			if o.joiner != 0 && e.infoOf(o.joiner).mark != e.sweeps {
				o.joiner = 0
			}
			old := true
			for p := o.points; p != 0 && old; p = e.pointAt(p).older {
				old = e.placeBehindAll(e.pointAt(p).task, e.pointAt(p).at)
			}
			if old {
				e.dropPoints(o)
				*l = o.next
				*o = object{}
				e.objects.put(i)
				continue
			}
			for p := o.points; p != 0; p = e.pointAt(p).older {
				e.keepTask(e.pointAt(p).task)
			}
			l = &o.next
		}
	}
}

// maxCompared is how many tasks may run for placeBehindAll to compare with them.
const maxCompared = 64

// placeBehindAll reports whether forks, links and heirs put a place in front of all tasks that
// run or wait to go on.
func (e *Engine) placeBehindAll(task, at uint32) bool {
	if e.live > maxCompared {
		return false
	}
	for i := e.head; i != 0; i = e.body(i).next {
		if !e.behindTask(task, at, e.body(i)) {
			return false
		}
	}
	for i := e.resting; i != 0; i = e.body(i).next {
		if t := e.body(i); !t.background && !e.behindTask(task, at, t) {
			return false
		}
	}
	return true
}

func (e *Engine) behindTask(task, at uint32, t *Task) bool {
	return e.quickly(task, at, t) || e.inherited(task, at, t)
}

// keepHeirs makes heirs that are given up those that they have in turn.
func (e *Engine) keepHeirs() {
	for i := uint32(1); i < e.infos.next; i++ {
		n := e.infoOf(i)
		if n.mark != e.sweeps {
			continue
		}
		heir, at := n.heir, n.heirAt
		for heir != 0 && e.infoOf(heir).mark != e.sweeps {
			h := e.infoOf(heir)
			if h.heirSeq < at {
				heir = 0
				break
			}
			heir, at = h.heir, h.heirAt
		}
		// All on the way get the same, so that it is gone once.
		for k := n; k.heir != heir && k.heir != 0; {
			h := e.infoOf(k.heir)
			k.heir, k.heirAt = heir, at
			if heir == 0 {
				k.heirSeq = 0
			}
			if h.mark == e.sweeps {
				break
			}
			k = h
		}
	}
}

// behindAll is placeBehindAll for a step, or 0. The answers of the execution, which a
// sweep forgets, make room for those of the sweep.
func (e *Engine) behindAll(id uint32) bool {
	if id < e.base {
		return true
	}
	const sweep = 1<<32 - 1 // no task
	a := e.answer(id, sweep)
	if a.step != id || a.task != sweep {
		s := e.stepOf(id)
		*a = answer{step: id, task: sweep}
		if !e.placeBehindAll(s.task, s.seq) {
			a.not = 1
		}
	}
	return a.not == 0
}

func (e *Engine) readersBehindAll(r uint32) bool {
	for !e.past(r) {
		step, _, rest := e.newestOf(r, 0)
		if !e.behindAll(step) {
			return false
		}
		r = rest
	}
	return true
}
