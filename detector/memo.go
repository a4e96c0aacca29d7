package detector

import "unsafe"

// Most of what a task does it has done shortly before, and what came of it is in its
// caches: records, calling contexts, and what became of a history. A task that calls
// few functions in its loops needs few entries; one that formats text or walks a
// syntax tree comes back to hundreds of places, and if it has forgotten a context by
// then it makes a new one, with new records of all that is accessed there. So a task
// starts with small caches, and is given large ones once it has missed often, as long
// as there are not too many such tasks.

// small are the caches that each task has, 9 KiB.
type small struct {
	recs   [recCache]recMemo
	memos  [memoCache]memo
	bytes  [byteCache]byteMemo
	frames [frameCache]frameMemo
}

// large are those of a task that needs more.
type large struct {
	recs   [recCache << largeBits]recMemo
	memos  [memoCache << largeBits]memo
	bytes  [byteCache << largeBits]byteMemo
	frames [frameCache << largeBits]frameMemo
}

const (
	recBits   = 6
	recCache  = 1 << recBits
	memoCache = 32
	byteCache = 64
	frameBits = 6
	// Neighbours are a pair, see frameMemo.
	frameCache = 1 << frameBits

	largeBits = 3
	maxLarge  = 512  // at a time: 36 MB
	missLimit = 1024 // entries replaced before a task is given large caches
)

// memos are the addresses of a task's caches, which have 1<<wide times the entries of
// small.
type memos struct {
	recs, judged, bytes, frames uintptr
	wide                        uint32
}

// place puts the caches at p, a small (wide is 0) or a large (largeBits).
func (m *memos) place(p unsafe.Pointer, wide uint32) {
	at := uintptr(p)
	*m = memos{at + unsafe.Offsetof(small{}.recs), at + unsafe.Offsetof(small{}.memos), at + unsafe.Offsetof(small{}.bytes), at + unsafe.Offsetof(small{}.frames), wide}
	if wide != 0 {
		*m = memos{at + unsafe.Offsetof(large{}.recs), at + unsafe.Offsetof(large{}.memos), at + unsafe.Offsetof(large{}.bytes), at + unsafe.Offsetof(large{}.frames), wide}
	}
}

// recMemo returns the memo of a record by its slot.
//
//go:nosplit
func (m *memos) recMemo(slot uint32) *recMemo {
	return (*recMemo)(unsafe.Add(nil, m.recs+uintptr(slot)*unsafe.Sizeof(recMemo{})))
}

// otherRec returns the second slot that a record may have.
//
//go:nosplit
func (m *memos) otherRec(slot uint32) uint32 { return slot ^ recCache/2<<m.wide }

// recSlot returns the slot of the memo of accesses at o of how. Neighbouring sites
// are 4 bytes apart; a function called from several places has as many records of
// each site.
//
//go:nosplit
func (m *memos) recSlot(o origin, how uint32) uint32 {
	h := o.site >> 2
	if o.site == 0 {
		h = o.pc ^ o.pc>>5
	}
	return (h ^ how>>stackBits<<3 ^ how<<2*0x9e3779b1>>((32-recBits-m.wide)&31)) & (recCache<<m.wide - 1)
}

//go:nosplit
func (m *memos) memoOf(rec, w, r uint32) *memo {
	i := (rec*7 ^ w*3 ^ r*5) & (memoCache<<m.wide - 1)
	return (*memo)(unsafe.Add(nil, m.judged+uintptr(i)*unsafe.Sizeof(memo{})))
}

//go:nosplit
func (m *memos) byteMemoOf(old uint64, rec uint32, lo, n uintptr) *byteMemo {
	i := (uint32(old)*5 ^ uint32(old>>32)*3 ^ rec*7 ^ uint32(lo%wordBytes)*9 ^ uint32(n)) & (byteCache<<m.wide - 1)
	return (*byteMemo)(unsafe.Add(nil, m.bytes+uintptr(i)*unsafe.Sizeof(byteMemo{})))
}

//go:nosplit
func (m *memos) frameMemo(slot uint32) *frameMemo {
	return (*frameMemo)(unsafe.Add(nil, m.frames+uintptr(slot)*unsafe.Sizeof(frameMemo{})))
}

//go:nosplit
func (m *memos) frameSlot(parent uint32, pc uintptr) uint32 {
	return (uint32(pc) ^ parent*0x85ebca6b) * 0x9e3779b1 >> ((32 - frameBits - m.wide) & 31)
}

// forget drops the answers that are good for an epoch.
func (m *memos) forget() {
	for i := uint32(0); i < recCache<<m.wide; i++ {
		m.recMemo(i).epoch = 0
	}
	for i := uintptr(0); i < memoCache<<m.wide; i++ {
		*(*memo)(unsafe.Add(nil, m.judged+i*unsafe.Sizeof(memo{}))) = memo{}
	}
	for i := uintptr(0); i < byteCache<<m.wide; i++ {
		*(*byteMemo)(unsafe.Add(nil, m.bytes+i*unsafe.Sizeof(byteMemo{}))) = byteMemo{}
	}
}

func (e *Engine) largeOf(t *Task) *large { return (*large)(e.larges.at(t.large)) }

// widen gives t large caches, which are empty, if there are some to be had. No access
// of t is under way.
func (e *Engine) widen(t *Task) {
	t.misses = 0
	if t.large != 0 || e.larges.used() >= maxLarge {
		return
	}
	t.large = e.larges.get()
	*e.largeOf(t) = large{}
	t.memos.place(unsafe.Pointer(e.largeOf(t)), largeBits)
}

// narrow takes them back.
func (e *Engine) narrow(t *Task) {
	if t.large != 0 {
		e.larges.put(t.large)
		t.large = 0
		t.memos.place(unsafe.Pointer(&t.small), 0)
	}
}
