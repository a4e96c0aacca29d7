package detector

import "unsafe"

// An arena is an array of equal elements in a reserved address range; memory is committed
// as the array grows. Elements are named by index, with 0 for none, and never move. Free
// elements form a chain through one of their words, at offset link; the rest of a free
// element keeps its contents.
//
// All threads read base all the time. The fields that change lie in other cache lines.
type arena struct {
	base   uintptr
	size   uintptr // bytes of an element
	link   uintptr
	limit  uint32
	plural string // the name of the elements in messages
	_      [cacheLine - 48]byte

	mu        uint32
	next      uint32  // the first index that was never handed out
	free      uint32  // head of the chain of free elements
	freed     uint32  // length of that chain
	committed uintptr // bytes with memory behind them
	dirty     uintptr // bytes of these that may be nonzero
	_         [cacheLine - 32]byte
}

const cacheLine = 64

// arenaChunk is the unit in which an arena commits memory.
const arenaChunk = 256 << 10

func (a *arena) init(size, link uintptr, limit uint32, plural string) {
	a.size = size
	a.link = link
	a.limit = limit
	a.plural = plural
	a.next = 1
	a.base = uintptr(hostReserve(a.span()))
}

// span returns the size of the reserved range.
func (a *arena) span() uintptr {
	return (a.size*uintptr(a.limit) + arenaChunk - 1) &^ (arenaChunk - 1)
}

func (a *arena) at(i uint32) unsafe.Pointer {
	return unsafe.Add(nil, a.base+uintptr(i)*a.size)
}

func (a *arena) linkOf(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(nil, a.base+uintptr(i)*a.size+a.link))
}

// get returns an element. It holds zeros or the contents that its last owner left.
func (a *arena) get() uint32 {
	lockWord(&a.mu)
	i := a.free
	if i != 0 {
		a.free = *a.linkOf(i)
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
	store32(&a.next, i+n) // NeedSweep reads it without the lock
	if need := uintptr(a.next) * a.size; need > a.dirty {
		a.dirty = (need + arenaChunk - 1) &^ (arenaChunk - 1)
		if a.dirty > a.committed {
			hostCommit(unsafe.Add(nil, a.base+a.committed), a.dirty-a.committed)
			a.committed = a.dirty
		}
	}
	return i
}

// getChain returns the head of a chain of n elements; the last one links to 0.
func (a *arena) getChain(n uint32) uint32 {
	lockWord(&a.mu)
	head := uint32(0)
	for ; n > 0 && a.free != 0; n-- {
		i := a.free
		a.free = *a.linkOf(i)
		a.freed--
		*a.linkOf(i) = head
		head = i
	}
	if n > 0 {
		// Chain fresh elements in ascending order, so that they are used in order.
		i := a.grow(n)
		for k := i + n - 1; k >= i; k-- {
			*a.linkOf(k) = head
			head = k
		}
	}
	store32(&a.mu, 0)
	return head
}

// draw returns an element from a stock that belongs to the caller alone. It refills an
// empty stock with n elements, which count as work for NeedSweep.
func (e *Engine) draw(stock *uint32, a *arena, n uint32) uint32 {
	if *stock == 0 {
		*stock = e.chain(a, n)
	}
	i := *stock
	*stock = *a.linkOf(i)
	return i
}

// chain returns a chain of n elements of a, which count as work for NeedSweep.
func (e *Engine) chain(a *arena, n uint32) uint32 {
	add64(&e.work, uint64(n))
	return a.getChain(n)
}

// A hoard is a stock of free elements of an arena that do not count as work. Its owner adds
// to it the elements that the owner frees.
type hoard struct{ head, n uint32 }

// get returns an element of a. It refills an empty hoard with batch elements.
func (h *hoard) get(a *arena, batch uint32) uint32 {
	if h.head == 0 {
		*h = hoard{a.getChain(batch), batch}
	}
	i := h.head
	h.head = *a.linkOf(i)
	h.n--
	return i
}

// put frees element i of a. The hoard keeps up to most elements.
func (h *hoard) put(a *arena, i, most uint32) {
	if h.n >= most {
		a.put(i)
		return
	}
	*a.linkOf(i) = h.head
	*h = hoard{i, h.n + 1}
}

// empty returns all elements to a.
func (h *hoard) empty(a *arena) {
	for h.head != 0 {
		a.put(h.get(a, 0))
	}
}

// put frees element i.
func (a *arena) put(i uint32) {
	lockWord(&a.mu)
	*a.linkOf(i) = a.free
	a.free = i
	a.freed++
	store32(&a.mu, 0)
}

// empty, add and shrink rebuild the chain of free elements. The caller has the arena to
// itself.
func (a *arena) empty() {
	a.free = 0
	a.freed = 0
}

func (a *arena) add(i uint32) {
	*a.linkOf(i) = a.free
	a.free = i
	a.freed++
}

// shrink declares the elements from next on unused, and returns their memory to the
// system if it is much.
func (a *arena) shrink(next uint32) {
	a.next = next
	keep := 2 * (uintptr(next)*a.size + arenaChunk) &^ (arenaChunk - 1)
	if a.dirty > keep {
		hostRelease(unsafe.Add(nil, a.base+keep), a.dirty-keep)
		a.dirty = keep
	}
}

// used returns the number of elements in use.
func (a *arena) used() uint32 { return a.next - 1 - a.freed }

func (a *arena) close() {
	if a.base != 0 {
		hostFree(unsafe.Add(nil, a.base), a.span())
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
