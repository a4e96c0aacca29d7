package detector

import "unsafe"

// An arena is an array of equal elements in a reserved address range, backed by
// memory as it grows. Elements are named by index, 0 being none, and never move.
// Freed elements are chained through their link word, at offset link, which is
// the only word of them that is overwritten.
type arena struct {
	base      uintptr
	size      uintptr // of an element
	link      uintptr
	limit     uint32
	mu        uint32
	next      uint32  // the first index never handed out
	free      uint32  // chain of freed elements
	freed     uint32  // their number
	committed uintptr // bytes backed by memory
	dirty     uintptr // of these, bytes that were used since they were zero
	what      string
}

// arenaChunk is the unit in which memory is put behind an arena.
const arenaChunk = 256 << 10

func (a *arena) init(size, link uintptr, limit uint32, what string) {
	a.size = size
	a.link = link
	a.limit = limit
	a.what = what
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

// get returns an element with what its last owner left in it, or zeros.
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

// grow extends the used part by n elements and returns the first. a is locked.
func (a *arena) grow(n uint32) uint32 {
	i := a.next
	if n > a.limit-i {
		hostExhausted(a.what)
	}
	store32(&a.next, i+n) // NeedSweep looks
	if need := uintptr(a.next) * a.size; need > a.dirty {
		a.dirty = (need + arenaChunk - 1) &^ (arenaChunk - 1)
		if a.dirty > a.committed {
			hostCommit(unsafe.Add(nil, a.base+a.committed), a.dirty-a.committed)
			a.committed = a.dirty
		}
	}
	return i
}

// getChain returns the first of n elements that are linked to one another, the
// last one to 0.
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
		// Fresh elements are linked upwards, so that they are used in order.
		i := a.grow(n)
		for k := i + n - 1; k >= i; k-- {
			*a.linkOf(k) = head
			head = k
		}
	}
	store32(&a.mu, 0)
	return head
}

// draw returns an element from a stock that the caller has to itself, which it
// fills with n elements when it is empty. Sweep counts them as work.
func (e *Engine) draw(stock *uint32, a *arena, n uint32) uint32 {
	if *stock == 0 {
		*stock = a.getChain(n)
		add64(&e.work, uint64(n))
	}
	i := *stock
	*stock = *a.linkOf(i)
	return i
}

func (a *arena) put(i uint32) {
	lockWord(&a.mu)
	*a.linkOf(i) = a.free
	a.free = i
	a.freed++
	store32(&a.mu, 0)
}

// empty, add and shrink rebuild the chain of free elements; nobody else uses the
// arena meanwhile.
func (a *arena) empty() {
	a.free = 0
	a.freed = 0
}

func (a *arena) add(i uint32) {
	*a.linkOf(i) = a.free
	a.free = i
	a.freed++
}

// shrink says that the elements from next on are not in use, and gives their
// memory back if it is much.
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

// A zeroed is an array of words over a reserved range that reads as zero where
// nothing was written; all of it is committed at once, the system fills pages
// as they are touched.
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

// interned remembers elements of an arena by what they are, for all tasks, so that equal
// ones are made once, mostly: half a MiB, of which unused pages take no memory. A word
// holds an index below a tag; what else has the same slot mostly has another tag. An element stays what it is until the next
// sweep, so it does no harm that anybody may overwrite the word.
type interned struct{ words zeroed }

const internedBits = 16

func (s *interned) init()  { s.words.init(8 << internedBits) }
func (s *interned) close() { s.words.close() }

// find returns the index of what may be the element that is made of x, 0 if there is
// none, and where it is to be remembered once it is made: see intern.
//
//go:nosplit
func (s *interned) find(x uint64) (i uint32, slot *uint64, tag uint64) {
	const index = 1<<32 - 1
	h := (x ^ x>>29) * 0x9e3779b97f4a7c15
	slot, tag = s.words.at64(uintptr(h>>(64-internedBits))), h<<internedBits&^index
	if y := load64(slot); y&^index == tag {
		i = uint32(y)
	}
	return i, slot, tag
}

// intern remembers element i, which others see from now on.
//
//go:nosplit
func intern(slot *uint64, tag uint64, i uint32) { store64(slot, tag|uint64(i)) }

func (s *interned) forget() { hostRelease(unsafe.Add(nil, s.words.base), s.words.n) }

// lockWord and unlockWord are the engine's locks: held for a few dozen
// instructions, by threads that Go does not deschedule meanwhile.
func lockWord(p *uint32) {
	if !cas32(p, 0, 1) {
		lockSlow(p)
	}
}

func lockSlow(p *uint32) {
	for spins := uint32(0); ; spins++ {
		if load32(p) == 0 && cas32(p, 0, 1) {
			return
		}
		hostYield(spins)
	}
}

// unlockWord is for words outside of Engine.
func (e *Engine) unlockWord(p *uint32) {
	if e.opt.TSO {
		*p = 0
		return
	}
	store32(p, 0)
}

// lockSeq locks a word that counts: it is odd while locked, and each holder
// leaves another value. A reader that finds it even, and unchanged after it has
// read, has read what no holder was about to change.
func lockSeq(p *uint32) {
	if !tryLockSeq(p, load32(p)) {
		lockSeqSlow(p)
	}
}

// tryLockSeq locks the word if it is not locked and still v.
//
//go:nosplit
func tryLockSeq(p *uint32, v uint32) bool { return v&1 == 0 && cas32(p, v, v+1) }

// quickTries is how often quickLockSeq tries: nobody keeps a block for long.
const quickTries = 32

// quickLockSeq tries to lock the word, and returns what it was.
//
//go:nosplit
func quickLockSeq(p *uint32) (v uint32, ok bool) {
	for n := 0; n < quickTries; n++ {
		if v = load32(p); tryLockSeq(p, v) {
			return v, true
		}
		hostPause()
	}
	return v, false
}

func lockSeqSlow(p *uint32) {
	for spins := uint32(0); ; spins++ {
		if tryLockSeq(p, load32(p)) {
			return
		}
		hostYield(spins)
	}
}

func (e *Engine) unlockSeq(p *uint32) {
	if e.opt.TSO {
		*p++
		return
	}
	store32(p, *p+1)
}
