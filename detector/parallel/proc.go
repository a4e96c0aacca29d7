package parallel

import (
	"unsafe"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
)

// A proc belongs to one processor of the host. The tasks that take turns on this processor share
// its stocks of free elements and its caches of existing elements. A server has thousands of
// tasks that do the same for a few microseconds each. Each of them finds the places and calling
// contexts of earlier tasks in the proc, whose memory the processor has at hand, and no task
// wastes stocks of its own. Origins, contexts and lists do not belong to a task, so each task
// may use those that another one has made; transitions hold for one record alone.
//
// One thread at a time acts on a proc: the host's thread that has the processor. An entry point of
// the engine that uses stocks or caches calls seat first.
type proc struct {
	link uint32 // of its arena, which frees none

	records     uint32
	lists       uint32
	originLists uint32 // originNodes
	origins     uint32
	ids         uint32 // of tasks
	sections    uint32
	sets        uint32
	splits      uint32
	bodies      mem.Hoard
	clockPages  mem.Hoard
	clockTops   mem.Hoard

	objects [objectCache]uint32 // by address, see objectAt

	contexts context.Cache

	originMemos     [originCache]originMemo
	transitions     [transitionCache]transition
	listMemos       [listCache]listMemo
	originListMemos [originListCache]originListMemo
}

const (
	// The cache of origins is an array of pairs, see context.Cache.
	originBits      = 11
	copyBits        = 8 // two copies of an inlined function seldom begin within so many bits of pc
	originCache     = 1 << originBits
	transitionCache = 1 << 9
	objectCache     = 1 << 10
	listCache       = 1 << 5
	originListCache = 1 << 5

	procStride = (unsafe.Sizeof(proc{}) + mem.CacheLine - 1) &^ (mem.CacheLine - 1)

	// procCost is the cost, in elements, of refilling the caches of a proc, which a sweep
	// empties.
	procCost = originCache + context.CacheSize
)

// seat makes the processor on which the caller runs the one on which t acts. It returns false if
// the processor has no proc yet.
//
//go:nosplit
func (e *Engine) seat(t *Task) bool {
	i := hostProc(t)
	if i != t.seatedAt {
		if i >= mem.Load32(&e.procs.Next) {
			return false
		}
		t.seatedAt = i
		t.seatAddr = e.procs.Base + uintptr(i)*procStride
	}
	return true
}

// mustSeat is seat that makes the proc if necessary.
//
//taskinstr:inline
func (e *Engine) mustSeat(t *Task) {
	for !e.seat(t) {
		e.procs.Extend()
	}
}

// proc returns the proc at which t has its seat.
//
//go:nosplit
func (t *Task) proc() *proc { return (*proc)(unsafe.Add(nil, t.seatAddr)) }

// forgetSwept empties the stocks, whose elements a sweep then finds unused, and the caches of
// elements, which the sweep may free. Stocks of clocks stay.
func (p *proc) forgetSwept() {
	pages, tops := p.clockPages, p.clockTops
	*p = proc{} // in place: a proc is too large for the system stack
	p.clockPages, p.clockTops = pages, tops
}

// objectAt returns the entry for the sync object at an address. The object there may be another one.
//
//go:nosplit
func (p *proc) objectAt(addr uintptr) *uint32 {
	return &p.objects[uint32(addr>>3)*0x9e3779b1>>(32-10)%objectCache]
}

// originSlot returns the first of the two slots for an origin. Neighbouring sites are 4
// bytes apart; a function with several callers has an origin for each site and caller, and
// a function that is inlined several times one for each site and copy.
//
//go:nosplit
func (p *proc) originSlot(site, pc, stack uint32) uint32 {
	h := site >> 2
	if site == 0 {
		h = pc ^ pc>>5
	}
	return (h<<1 ^ (stack*0x9e3779b1^pc>>copyBits*0x85ebca6b)>>(32-originBits)) % originCache
}

// transitionSlot returns the entry for transitions of history x by accesses of record a.
//
//go:nosplit
func (p *proc) transitionSlot(x uint64, a uint32) *transition {
	return &p.transitions[(uint32(x)^uint32(x>>32)*5^a*3)%transitionCache]
}

// stock refills a proc's stock of elements of a, whose chain begins at head, if it is empty. The
// elements count as work for NeedSweep. One edit of lists needs up to 2*maxKept elements of a batch.
func (e *Engine) stock(head *uint32, a *mem.Arena) {
	if *head == 0 {
		e.addWork(mem.Batch)
		*head = a.GetBatch()
	}
}

// draw returns an element from a stock of the caller's proc. It refills an empty stock.
func (e *Engine) draw(head *uint32, a *mem.Arena) uint32 {
	e.stock(head, a)
	i := *head
	*head = *a.LinkOf(i)
	return i
}
