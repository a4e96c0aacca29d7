package serial

import (
	"unsafe"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
)

// NeedSweep reports whether another sweep pays: whether enough was taken since the last one,
// in proportion to the tables and the shadow that a sweep looks at.
//
//go:nosplit
func (e *Engine) NeedSweep() bool {
	return e.Taken > mem.DueFrom && e.Taken > 2*int32(e.Kept) && e.Taken > int32(e.chunks.Next)*(chunkBytes/wordBytes/64) ||
		e.lockers.Due() || e.cells.Due() || e.contexts.Due() || e.origins.Due() || e.sets.Due() || e.octets.Due()
}

// Sweeps returns how often Sweep has run, plus 1.
//
//go:nosplit
func (e *Engine) Sweeps() uint32 { return e.sweeps }

// BeginSweep marks everything that the shadow names, and empties entries about units that
// precede all tasks. Between BeginSweep and EndSweep the algorithm marks everything that its
// own tables name, and calls SweepTask for each task that is alive.
func (e *Engine) BeginSweep() {
	e.sweeps++
	e.Taken = 0
	e.markShadow()
	for i := uint32(0); i < e.nConflict; i++ {
		e.markOrigin(e.conflicts[i])
	}
}

// Bodies returns a bound for the indices of tasks that are alive: they are smaller, and IsTask
// is true for them.
func (e *Engine) Bodies() uint32 { return e.bodies.Next }

// IsTask reports whether the body i belongs to a task that is alive.
func (e *Engine) IsTask(i uint32) bool {
	t := e.Body(i)
	return t.self == i && t.Alive
}

// SweepTask has t forget units, locksets and origins, whose numbers may be given to others.
func (e *Engine) SweepTask(t *Task) {
	t.known, t.set, t.atomic = false, 0, 0
	t.ForgetStep(noEntry)
	t.Act++
}

// EndSweep gives back origins, calling contexts, locksets and lists that are not marked. It returns the number of elements in use.
func (e *Engine) EndSweep() uint64 {
	kept := uint64(e.Kept)
	e.cache = context.Cache{}
	e.contexts.Sweep(e.sweeps)
	e.origins.Sweep(unsafe.Offsetof(origin{}.mark), e.sweeps)
	e.sets.Sweep(unsafe.Offsetof(lockSet{}.mark), e.sweeps)
	e.octets.Sweep(unsafe.Offsetof(octet{}.mark), e.sweeps)
	for _, a := range e.tables() {
		a.Swept()
		kept += uint64(a.Used())
	}
	for i := uint32(1); i < e.bodies.Next; i++ {
		e.Body(i).places = [placeMemos]placeMemo{}
	}
	e.joins = [joinMemos]joinMemo{}
	e.memo = [originMemos]originMemo{}
	if readerLists {
		e.listed = [listMemos]uint32{}
	}
	return kept
}

// MarkInfo marks the calling context that a description names.
func (e *Engine) MarkInfo(n *Info) { e.contexts.Mark(n.stack, e.sweeps) }

func (e *Engine) markOrigin(id uint32) {
	if id&isOctet != 0 {
		if x := e.octet(id); x.mark != e.sweeps {
			x.mark = e.sweeps
			for _, o := range x.of {
				e.markOrigin(o)
			}
		}
		return
	}
	if o := e.originAt(id); id != 0 && o.mark != e.sweeps {
		o.mark = e.sweeps
		e.contexts.Mark(o.stack, e.sweeps)
	}
}

// markShadow marks everything that entries and cells name, and frees the cells and lists that
// are not in use.
func (e *Engine) markShadow() {
	e.cells.Empty()
	for i := e.cells.Next - 1; i > 0; i-- {
		e.cell(i).free = 0
	}
	const used = 1<<32 - 1
	var last, lastPlaces uint64
	var lastLine *line
	for i := uint32(1); i < e.chunks.Next; i++ {
		p := e.chunk(i)
		for k := 0; k < chunkBytes/wordBytes; k++ {
			q := at64(p, k)
			x := *q
			if x == 0 {
				continue
			}
			if x == inLine {
				if l := e.line(uintptr(unsafe.Pointer(q)) - e.shadow.Base); l != lastLine {
					lastLine = l
					e.keepEntry(l.entry, l.places)
				}
				continue
			}
			o := *e.places(q)
			if x == last && o == lastPlaces {
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
			if algBehindAll(e, w) && e.readersBehindAll(r) {
				*q = 0
				continue
			}
			last, lastPlaces = x, o
			e.keepEntry(x, o)
		}
	}
	for i := e.cells.Next - 1; i > 0; i-- {
		if c := e.cell(i); c.free != used {
			*c = cell{}
			e.cells.Add(i)
		}
	}
	e.lockers.Sweep(unsafe.Offsetof(locker{}.mark), e.sweeps)
	if readerLists {
		e.sweepLists()
	}
}

// keepEntry marks the units and origins of an entry.
func (e *Engine) keepEntry(x, o uint64) {
	w, r, _ := unpack(x)
	e.keepWriter(w, uint32(o))
	e.keepReaders(r, uint32(o>>32))
}

func (e *Engine) keepWriter(w, origin uint32) {
	if w >= e.Base {
		algKeep(e, w)
		e.markOrigin(origin)
	}
}

func (e *Engine) markCell(c *cell) {
	for i := range c.bytes {
		h := &c.bytes[i]
		e.keepWriter(h.w, h.wo)
		e.keepReaders(h.r, h.ro)
		for l := h.lockers; l != 0 && e.locker(l).mark != e.sweeps; l = e.locker(l).next {
			n := e.locker(l)
			n.mark = e.sweeps
			e.keepWriter(n.unit, n.origin)
			for s := n.set; s != 0; s = e.setAt(s).rest {
				e.setAt(s).mark = e.sweeps
			}
		}
	}
}
