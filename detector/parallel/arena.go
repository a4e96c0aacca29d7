package parallel

import "unsafe"

// An arena is an array of equal elements in a reserved address range; memory is committed
// as the array grows. Elements are named by index, with 0 for none, and never move. Free
// elements form chains through one of their words, at offset link; the rest of a free
// element keeps its contents, except for one word of some of them. A chain of stockBatch
// elements is a batch, which procs take and give back as a whole: the first element of a batch
// leads to the next batch through the word at offset ahead. So a proc touches one element of a
// batch in taking it, and each other element when it uses the element.
//
// All threads read base all the time. The fields that change lie in other cache lines.
type arena struct {
	base   uintptr
	size   uintptr // bytes of an element
	link   uintptr
	ahead  uintptr // equal to link in an arena without batches
	limit  uint32
	plural string // the name of the elements in messages

	reserved uintptr // address of the reserved range

	mu        uint32
	next      uint32  // the first index that was never handed out
	batches   uint32  // the first element of the first batch
	free      uint32  // head of the chain of the other free elements
	single    uint32  // length of that chain, less than stockBatch if there are batches
	freed     uint32  // number of free elements
	committed uintptr // bytes with memory behind them
	dirty     uintptr // bytes of these that may be nonzero
	_         [cacheLine - 40]byte
}

const cacheLine = 64

const (
	// arenaChunk is the size of the first memory that an arena commits.
	arenaChunk = 64 << 10

	// midChunk is the unit from then on.
	midChunk = 256 << 10

	// hugeChunk is the unit of arenas beyond hugeFrom: a large page, where the system has them. With
	// small pages most of the elements in use are not in the processor's table of translations. An
	// arena of a few MB would leave the better part of a large page unused, and the system would have
	// filled it with zeros.
	hugeChunk = 2 << 20
	hugeFrom  = 4 << 20
)

func (a *arena) init(size, link uintptr, limit uint32, plural string) {
	a.size = size
	a.link = link
	a.ahead = link
	a.limit = uint32(hostShare(uintptr(limit)))
	a.plural = plural
	a.next = 1
	a.reserved = uintptr(hostReserve(a.span()))
	a.base = roundUp(a.reserved, hugeChunk)
}

// batched makes a an arena with batches, which are chained through the word at offset ahead. No
// reader of free elements, such as a sweep, may rely on that word.
func (a *arena) batched(ahead uintptr) { a.ahead = ahead }

// span returns the size of the reserved range, in which base is aligned for large pages.
func (a *arena) span() uintptr { return chunks(a.size*uintptr(a.limit)) + hugeChunk }

// chunks rounds n up to the size that an arena commits for n bytes.
func chunks(n uintptr) uintptr {
	switch {
	case n > hugeFrom:
		return roundUp(n, hugeChunk)
	case n > arenaChunk:
		return roundUp(n, midChunk)
	}
	return arenaChunk
}

// roundUp returns the least multiple of unit, a power of two, that is at least n.
func roundUp(n, unit uintptr) uintptr { return (n + unit - 1) &^ (unit - 1) }

func (a *arena) at(i uint32) unsafe.Pointer {
	return unsafe.Add(nil, a.base+uintptr(i)*a.size)
}

func (a *arena) linkOf(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(nil, a.base+uintptr(i)*a.size+a.link))
}

// aheadOf returns the word through which i, the first element of a batch, leads to the next batch.
func (a *arena) aheadOf(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(nil, a.base+uintptr(i)*a.size+a.ahead))
}

// get returns an element. It holds zeros or the contents that its last owner left.
func (a *arena) get() uint32 {
	lockWord(&a.mu)
	if a.free == 0 && a.batches != 0 {
		a.free, a.single = a.batches, stockBatch
		a.batches = *a.aheadOf(a.free)
	}
	i := a.free
	if i != 0 {
		a.free = *a.linkOf(i)
		a.single--
		a.freed--
	} else {
		i = a.grow(1)
	}
	store32(&a.mu, 0)
	return i
}

// grow extends the used part by n elements and returns the first. The caller has locked
// a.
func (a *arena) grow(n uint32) uint32 {
	i := a.next
	if n > a.limit-i {
		hostExhausted(a.plural)
	}
	if need := uintptr(i+n) * a.size; need > a.dirty {
		a.dirty = chunks(need)
		if a.dirty > a.committed {
			hostCommit(unsafe.Add(nil, a.base+a.committed), a.dirty-a.committed)
			if large := roundUp(a.committed, hugeChunk); a.dirty > hugeFrom && large < a.dirty {
				hostHuge(unsafe.Add(nil, a.base+large), a.dirty-large)
			}
			a.committed = a.dirty
		}
	}
	// NeedSweep and seat read it without the lock, and seat relies on the memory behind it.
	store32(&a.next, i+n)
	return i
}

// getBatch returns the first element of a chain of stockBatch elements.
func (a *arena) getBatch() uint32 {
	lockWord(&a.mu)
	i := a.batches
	if i != 0 {
		a.batches = *a.aheadOf(i)
		a.freed -= stockBatch
		store32(&a.mu, 0)
		return i
	}
	i = a.grow(stockBatch)
	store32(&a.mu, 0)
	for k := i; k < i+stockBatch-1; k++ {
		*a.linkOf(k) = k + 1
	}
	*a.linkOf(i + stockBatch - 1) = 0
	return i
}

// putBatch frees the batch that begins with element i.
func (a *arena) putBatch(i uint32) {
	lockWord(&a.mu)
	*a.aheadOf(i) = a.batches
	a.batches = i
	a.freed += stockBatch
	store32(&a.mu, 0)
}

// stock refills a proc's stock of elements of a, whose chain begins at head, if it is empty. The
// elements count as work for NeedSweep.
func (e *Engine) stock(head *uint32, a *arena) {
	if *head == 0 {
		add64(&e.work, stockBatch)
		*head = a.getBatch()
	}
}

// draw returns an element from a stock of the caller's proc. It refills an empty stock.
func (e *Engine) draw(head *uint32, a *arena) uint32 {
	e.stock(head, a)
	i := *head
	*head = *a.linkOf(i)
	return i
}

// A hoard is a stock of free elements of an arena that do not count as work. Its owner adds
// to it the elements that the owner frees: n of them in the chain that begins at head, and a batch.
type hoard struct{ head, n, batch uint32 }

// get returns an element of a.
func (h *hoard) get(a *arena) uint32 {
	if h.head == 0 {
		if h.batch == 0 {
			h.batch = a.getBatch()
		}
		*h = hoard{head: h.batch, n: stockBatch}
	}
	i := h.head
	h.head = *a.linkOf(i)
	h.n--
	return i
}

// put frees element i of a.
func (h *hoard) put(a *arena, i uint32) {
	*a.linkOf(i) = h.head
	h.head = i
	if h.n++; h.n == stockBatch {
		if h.batch != 0 {
			a.putBatch(h.batch)
		}
		*h = hoard{batch: h.head}
	}
}

// size returns the number of elements in h.
func (h *hoard) size() uint32 {
	if h.batch != 0 {
		return h.n + stockBatch
	}
	return h.n
}

// put frees element i.
func (a *arena) put(i uint32) {
	lockWord(&a.mu)
	a.add(i)
	store32(&a.mu, 0)
}

// empty, add and shrink rebuild the chains of free elements. The caller has the arena to
// itself.
func (a *arena) empty() {
	a.batches, a.free, a.single, a.freed = 0, 0, 0, 0
}

func (a *arena) add(i uint32) {
	*a.linkOf(i) = a.free
	a.free = i
	a.freed++
	if a.single++; a.single == stockBatch && a.ahead != a.link {
		*a.aheadOf(i) = a.batches
		a.batches = i
		a.free, a.single = 0, 0
	}
}

// shrink declares the elements from next on unused, and returns their memory to the
// system if it is much.
func (a *arena) shrink(next uint32) {
	a.next = next
	keep := chunks(2 * (uintptr(next)*a.size + arenaChunk))
	if a.dirty > keep {
		p, n := unsafe.Add(nil, a.base+keep), a.dirty-keep
		hostRelease(p, n)
		if keep > hugeFrom {
			hostHuge(p, n)
		}
		a.dirty = keep
	}
}

// used returns the number of elements in use.
func (a *arena) used() uint32 { return a.next - 1 - a.freed }

func (a *arena) close() {
	if a.base != 0 {
		hostFree(unsafe.Add(nil, a.reserved), a.span())
		a.base = 0
	}
}

// A zeroed is an array of words in a reserved range. Words never written read as zero.
// The whole range is committed at once; the system supplies pages when they are touched.
type zeroed struct {
	base uintptr
	n    uintptr
}

func (z *zeroed) init(n uintptr) {
	z.n = n
	z.base = uintptr(hostReserve(n))
	hostCommit(unsafe.Add(nil, z.base), n)
}

func (z *zeroed) at32(i uintptr) *uint32 { return (*uint32)(unsafe.Add(nil, z.base+i*4)) }
func (z *zeroed) at64(i uintptr) *uint64 { return (*uint64)(unsafe.Add(nil, z.base+i*8)) }

func (z *zeroed) close() {
	if z.base != 0 {
		hostFree(unsafe.Add(nil, z.base), z.n)
		z.base = 0
	}
}
