package mem

import "unsafe"

// An Arena is an array of equal elements in a reserved address range; memory is committed
// as the array grows. Elements are named by index, with 0 for none, and never move. Free
// elements form chains through one of their words, at offset link; the rest of a free
// element keeps its contents, except for one word of some of them. A chain of Batch
// elements is a batch, which stocks take and give back as a whole: the first element of a batch
// leads to the next batch through the word at offset ahead. So the owner of a stock touches one
// element of a batch in taking it, and each other element when it uses the element.
//
// All threads read Base all the time. The fields that change lie in other cache lines.
type Arena struct {
	Base   uintptr // the address of element 0
	size   uintptr // bytes of an element
	link   uintptr
	ahead  uintptr // equal to link in an arena without batches
	Limit  uint32
	plural string // the name of the elements in messages

	reserved uintptr // address of the reserved range

	mu        uint32
	Next      uint32  // the first index that was never handed out
	batches   uint32  // the first element of the first batch
	free      uint32  // head of the chain of the other free elements
	single    uint32  // length of that chain, less than Batch if there are batches
	freed     uint32  // number of free elements
	kept      uint32  // Next at the last sweep, see Due
	Committed uintptr // bytes with memory behind them
	dirty     uintptr // bytes of these that may be nonzero
	small     uintptr // bytes in small pages, up to the beginning of a large one
	_         [CacheLine - 56]byte
}

const (
	CacheLine = 64

	// Batch is the number of elements of a batch.
	Batch = 64

	// firstChunk is the size of the first memory that an arena commits.
	firstChunk = 64 << 10

	// midChunk is the unit from then on.
	midChunk = 256 << 10

	// hugeChunk is the unit of arenas beyond hugeFrom, or hotFrom: a large page, where the system has them. An access of
	// the program visits elements of eight arenas, which are hot. With small pages most of them are not in the processor's table
	// of translations: while arenas had small pages up to 4 MB, five servers took a fifth more time. An arena begins
	// near the end of a large page. So small programs take little memory, and no element moves.
	hugeChunk = 2 << 20
	hugeFrom  = 1 << 20
	hotFrom   = 512 << 10
)

// Init makes a an array of at most limit elements of a size, which it chains through the word at
// offset link. The plural names the elements in the message about a full arena.
func (a *Arena) Init(size, link uintptr, limit uint32, plural string) {
	a.size = size
	a.link = link
	a.ahead = link
	a.Limit = uint32(Share(uintptr(limit)))
	a.plural = plural
	a.Next = 1
	a.reserved = uintptr(Reserve(a.span()))
	a.Base = roundUp(a.reserved, hugeChunk) + hugeChunk - hugeFrom
	a.small = hugeFrom
}

// Hot says, before the first element is handed out, that most accesses of the program visit elements of a.
func (a *Arena) Hot() {
	a.Base += hugeFrom - hotFrom
	a.small = hotFrom
}

// Batched makes a an arena with batches, which are chained through the word at offset ahead. No
// reader of free elements, such as a sweep, may rely on that word.
func (a *Arena) Batched(ahead uintptr) { a.ahead = ahead }

// span returns the size of the reserved range. Base lies in its first two large pages.
func (a *Arena) span() uintptr { return roundUp(a.size*uintptr(a.Limit), hugeChunk) + 3*hugeChunk }

// chunks rounds n up to the size that a commits for n bytes.
func (a *Arena) chunks(n uintptr) uintptr {
	switch {
	case n > a.small:
		return a.small + roundUp(n-a.small, hugeChunk)
	case n > firstChunk:
		return min(roundUp(n, midChunk), a.small)
	}
	return firstChunk
}

// roundUp returns the least multiple of unit, a power of two, that is at least n.
func roundUp(n, unit uintptr) uintptr { return (n + unit - 1) &^ (unit - 1) }

// At returns the address of element i. Where the size of an element is a constant, Base and the
// constant are quicker.
//
//go:nosplit
func (a *Arena) At(i uint32) unsafe.Pointer { return unsafe.Add(nil, a.Base+uintptr(i)*a.size) }

// LinkOf returns the word through which i, a free element, leads to the next one.
func (a *Arena) LinkOf(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(nil, a.Base+uintptr(i)*a.size+a.link))
}

// aheadOf returns the word through which i, the first element of a batch, leads to the next batch.
func (a *Arena) aheadOf(i uint32) *uint32 {
	return (*uint32)(unsafe.Add(nil, a.Base+uintptr(i)*a.size+a.ahead))
}

// Get returns an element. It holds zeros or the contents that its last owner left.
//
//taskinstr:inline
func (a *Arena) Get() uint32 {
	Lock(&a.mu)
	i := a.Take()
	Unlock(&a.mu)
	return i
}

// Put frees element i.
//
//taskinstr:inline
func (a *Arena) Put(i uint32) {
	Lock(&a.mu)
	a.Add(i)
	Unlock(&a.mu)
}

// Take is Get for a caller that has the arena to itself.
//
//taskinstr:inline
func (a *Arena) Take() uint32 {
	if a.free == 0 && a.batches != 0 {
		a.free, a.single = a.batches, Batch
		a.batches = *a.aheadOf(a.free)
	}
	i := a.free
	if i == 0 {
		return a.grow(1)
	}
	a.free = *a.LinkOf(i)
	a.single--
	a.freed--
	return i
}

// Add is Put for a caller that has the arena to itself.
func (a *Arena) Add(i uint32) {
	*a.LinkOf(i) = a.free
	a.free = i
	a.freed++
	if a.single++; a.single == Batch && a.ahead != a.link {
		*a.aheadOf(i) = a.batches
		a.batches = i
		a.free, a.single = 0, 0
	}
}

// Extend hands out the element Next.
func (a *Arena) Extend() {
	Lock(&a.mu)
	a.grow(1)
	Unlock(&a.mu)
}

// grow extends the used part by n elements and returns the first. The caller has locked
// a, or has it to itself.
func (a *Arena) grow(n uint32) uint32 {
	i := a.Next
	if n > a.Limit-i {
		Exhausted(a.plural)
	}
	if need := uintptr(i+n) * a.size; need > a.dirty {
		a.dirty = a.chunks(need)
		if a.dirty > a.Committed {
			Commit(unsafe.Add(nil, a.Base+a.Committed), a.dirty-a.Committed)
			a.enlarge(a.Committed)
			a.Committed = a.dirty
		}
	}
	// A reader without the lock relies on the memory behind the elements below Next.
	Store32(&a.Next, i+n)
	return i
}

// enlarge asks for large pages behind the bytes [start, a.dirty), where a has them.
func (a *Arena) enlarge(start uintptr) {
	if start = max(start, a.small); start < a.dirty {
		Huge(unsafe.Add(nil, a.Base+start), a.dirty-start)
	}
}

// GetBatch returns the first element of a chain of Batch elements.
func (a *Arena) GetBatch() uint32 {
	Lock(&a.mu)
	i := a.batches
	if i != 0 {
		a.batches = *a.aheadOf(i)
		a.freed -= Batch
		Unlock(&a.mu)
		return i
	}
	i = a.grow(Batch)
	Unlock(&a.mu)
	for k := i; k < i+Batch-1; k++ {
		*a.LinkOf(k) = k + 1
	}
	*a.LinkOf(i + Batch - 1) = 0
	return i
}

// putBatch frees the batch that begins with element i.
func (a *Arena) putBatch(i uint32) {
	Lock(&a.mu)
	*a.aheadOf(i) = a.batches
	a.batches = i
	a.freed += Batch
	Unlock(&a.mu)
}

// Empty forgets which elements are free: the caller, which has the arena to itself, adds them anew.
func (a *Arena) Empty() {
	a.batches, a.free, a.single, a.freed = 0, 0, 0, 0
}

// Restart takes all elements back, and leaves their contents and the memory behind them. The caller
// has the arena to itself.
func (a *Arena) Restart() {
	a.Empty()
	a.Next = 1
}

// Sweep frees the elements whose word at offset mark differs from used. The caller has the arena to
// itself.
func (a *Arena) Sweep(mark uintptr, used uint32) {
	a.Empty()
	top := uint32(0)
	for i := a.Next - 1; i > 0; i-- {
		if *(*uint32)(unsafe.Add(a.At(i), mark)) == used {
			top = max(top, i)
		} else if top != 0 {
			a.Add(i)
		}
	}
	a.Shrink(top + 1)
}

// Shrink declares the elements from next on unused, and returns their memory to the
// system if it is much. The caller has the arena to itself.
func (a *Arena) Shrink(next uint32) {
	a.Next = next
	keep := a.chunks(2 * (uintptr(next)*a.size + firstChunk))
	if a.dirty > keep {
		Release(unsafe.Add(nil, a.Base+keep), a.dirty-keep)
		a.enlarge(keep)
		a.dirty = keep
	}
}

// Used returns the number of elements in use.
func (a *Arena) Used() uint32 { return a.Next - 1 - a.freed }

// Bytes returns how much memory the elements that were ever in use take.
func (a *Arena) Bytes() uint64 { return uint64(a.Next) * uint64(a.size) }

// DueFrom is the least growth between two sweeps of an arena, in elements.
const DueFrom = 1 << 18

// Due reports whether a has grown so much since the last call of Swept that a sweep pays.
//
//go:nosplit
func (a *Arena) Due() bool { return a.Next > 2*a.kept+DueFrom }

// Swept says that a sweep has looked at all elements.
func (a *Arena) Swept() { a.kept = a.Next }

// Close gives the addresses back, if Init has reserved them.
func (a *Arena) Close() {
	if a.Base != 0 {
		Free(unsafe.Add(nil, a.reserved), a.span())
		a.Base = 0
	}
}
