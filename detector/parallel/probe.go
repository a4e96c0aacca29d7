package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// An access takes one of three paths. Probe looks at the history of its bytes and tells
// whether the access needs a record at all. If Probe has found the bytes in one word or
// run, Quick makes the access part of the history, provided that the outcome takes no
// search. Access does everything else. Probe and Quick may run on the task's own stack:
// they wait for locks only briefly, call nothing that grows the stack, and make no
// report.

// A spot is the place at which Probe has found the bytes of an access, for Quick.
type spot struct {
	block uint32
	seq   uint32  // of a block of runs: its mu when Probe read it; of a block of cells: ofCells
	run   uintptr // index of the first run that ends behind the first byte, or the number of runs
}

// ofCells is odd, as no mu is that Quick finds unlocked: meanwhile the block of cells may have become one of runs.
const ofCells = 1

// quickBytes is the length up to which Quick handles an access to a block of cells.
const quickBytes = 1024

// Probe looks at an access of n bytes at addr by t. The access is Covered if the history
// of each byte still contains a record of the task's present step and locks whose kind is
// at least as strong. Every access that races with this one then races with the recorded
// one: it either is not ordered with the step, or came earlier and was judged against the
// record. This does not depend on the site or the calls, so Probe takes neither. Probe
// stores nothing that other tasks see.
//
//go:nosplit
func (e *Engine) Probe(t *Task, addr, n uintptr, k Kind) int {
	if t.filterAt == 0 && t.filterDue() {
		return Unknown
	}
	if t.nHolds != 0 && (!t.setKnown && !e.quickSet(t) || t.foreign != mem.Load32(&e.foreign)) {
		return Unknown
	}
	if t.tableTag != addr>>tableShift && !e.findTable(t, addr) {
		return Unknown
	}
	i := mem.Load64((*uint64)(unsafe.Add(nil, t.table+addr>>blockShift%tableSlots*entryBytes)))
	lo := addr & (blockBytes - 1)
	if lo+n > blockBytes || i == 0 {
		return Unknown
	}
	page := uint32(i >> 32)
	if page == 0 {
		return e.probeRuns(t, addr, lo, n, k, uint32(i))
	}
	t.spot.block, t.spot.seq = uint32(i), ofCells
	c := uintptr(unsafe.Pointer(e.wordAt(page, addr)))
	if addr%wordBytes+n > wordBytes {
		if n > quickBytes {
			return Unknown
		}
		for end := c + (addr%wordBytes+n+wordBytes-1)/wordBytes*unsafe.Sizeof(history{}); c < end; c += unsafe.Sizeof(history{}) {
			if !e.covers(t, mem.Load64((*uint64)(unsafe.Add(nil, c))), k) {
				return Open
			}
		}
	} else if x := mem.Load64((*uint64)(unsafe.Add(nil, c))); uint32(x) != t.records[Write] && !e.covers(t, x, k) &&
		(uint32(x)&isSplit != isSplit || !e.coversBytes(t, addr, n, k, c, x)) {
		return Open
	}
	t.addToFilter(addr, n, k)
	return Covered
}

// covers reports whether the newest records of history x make an access of kind k
// Covered.
//
//go:nosplit
//taskinstr:inline
func (e *Engine) covers(t *Task, x uint64, k Kind) bool {
	w, r := uint32(x), uint32(x>>32)
	if w&listed != 0 && w&isSplit != isSplit {
		w = e.listNode(w & indexOf).record
	}
	if r&listed != 0 {
		r = e.listNode(r & indexOf).record
	}
	switch k {
	case Read:
		return r == t.records[Read] || w == t.records[Write]
	case Write:
		return w == t.records[Write]
	}
	return t.owns(w, k) || !k.Writes() && t.owns(r, k)
}

// coversBytes is covers for the bytes of a split word; c is the address of its cell and x
// the cell's value.
//
//go:nosplit
func (e *Engine) coversBytes(t *Task, addr, n uintptr, k Kind, c uintptr, x uint64) bool {
	b := e.block(t.spot.block)
	v := mem.Load32(&b.mu)
	rest := maskOf(addr, n)
	for i, m := uint32(x)&indexOf, 0; i != 0 && m < wordBytes && rest != 0; m++ {
		s := e.split(i)
		masks := mem.Load32((*uint32)(unsafe.Pointer(&s.masks)))
		for p := range s.pieces {
			if mask := masks >> (8 * p) & rest; mask != 0 {
				if !e.covers(t, mem.Load64((*uint64)(unsafe.Pointer(&s.pieces[p].cell))), k) {
					return false
				}
				rest &^= mask
			}
		}
		i = mem.Load32(&s.next)
	}
	// Meanwhile the splitWord may have been freed and reused for another word.
	return rest == 0 && v&1 == 0 && mem.Load64((*uint64)(unsafe.Add(nil, c))) == x && mem.Load32(&b.mu) == v
}

// probeRuns is Probe for bytes in block i, a block of runs.
//
//go:nosplit
func (e *Engine) probeRuns(t *Task, addr, lo, n uintptr, k Kind, i uint32) int {
	b := e.block(i)
	v := mem.Load32(&b.mu)
	m := uintptr(mem.Load32(&b.n))
	if v&1 != 0 {
		t.spot = spot{block: i, seq: v} // Quick waits and looks for the run itself
		return Open
	}
	if mem.Load32(&b.page) != 0 || m > maxRuns {
		return Unknown
	}
	x := uint64(0)
	j := uintptr(0)
	for ; j < m; j++ {
		r := &b.runs[j]
		if p := mem.Load32((*uint32)(unsafe.Pointer(&r.lo))); uintptr(p>>16) > lo {
			if uintptr(p&0xffff) <= lo && uintptr(p>>16) >= lo+n {
				x = bits(mem.Load32(&r.w), mem.Load32(&r.r))
			}
			break
		}
	}
	t.spot = spot{i, v, j}
	if !e.covers(t, x, k) || mem.Load32(&b.mu) != v {
		return Open
	}
	t.addToFilter(addr, n, k)
	return Covered
}

// findTable notes the directory's table for addr in t, if there is one. On big-endian
// processors it finds none, so that Probe, which reads pairs of fields at once, never
// succeeds there.
//
//go:nosplit
func (e *Engine) findTable(t *Task, addr uintptr) bool {
	i := mem.Load32(e.dir.At32(addr >> tableShift % dirEntries))
	if i == 0 || !e.little {
		return false
	}
	t.tableTag = addr >> tableShift
	t.table = e.tables.Base + uintptr(i)*tableBytes
	return true
}
