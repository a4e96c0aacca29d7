package detector

import "unsafe"

// Most of what a task does it has done shortly before, and what came of it is in its
// caches: origins, calling contexts, and what became of a history. A task that calls
// few functions in its loops needs few entries; one that formats text or walks a
// syntax tree comes back to hundreds of places, and makes a new origin where it has
// forgotten one. Many tasks do next to nothing, and a program may have a hundred thousand
// of them at a time. So a task starts with tiny caches, which are in the Task, and no
// filter of its own; it is given a filter, small caches and large ones as it turns out to
// need them, the last as long as there are not too many such tasks. What it is given it
// takes along when it ends, for the next.

// tiny are the caches that each task has, 512 B.
type tiny [cacheWords]uint64

// small are those of a task that does more.
type small struct {
	link   uint32
	sweeps uint32 // Engine.sweeps when its contents were good
	words  [cacheWords << smallBits]uint64
}

// large are those of a task that needs more than that.
type large struct {
	link   uint32
	sweeps uint32
	words  [cacheWords << largeBits]uint64
}

const (
	// Neighbours are a pair, see frameMemo.
	originBits  = 3
	originCache = 1 << originBits
	frameBits   = 3
	frameCache  = 1 << frameBits
	answerBits  = 3
	answerCache = 1 << answerBits

	originBytes = originCache * unsafe.Sizeof(originMemo{})
	answerBytes = answerCache * unsafe.Sizeof(answer{})
	frameBytes  = frameCache * unsafe.Sizeof(frameMemo{})
	cacheWords  = (originBytes + answerBytes + frameBytes) / 8

	smallBits = 3
	largeBits = 6
	maxLarge  = 512  // at a time: 16 MB
	tinyLimit = 40   // entries replaced before a task is given small caches,
	missLimit = 1024 // and large ones
)

// memos are the addresses of a task's caches, which have 1<<wide times the entries of
// tiny.
type memos struct {
	places, answers, frames uintptr
	wide                    uint32
}

// place puts the caches at p.
func (m *memos) place(p unsafe.Pointer, wide uint32) {
	m.wide = wide
	m.places = uintptr(p)
	m.answers = m.places + originBytes<<wide
	m.frames = m.answers + answerBytes<<wide
}

// originMemo returns the memo of an origin by its slot.
//
//go:nosplit
func (m *memos) originMemo(slot uint32) *originMemo {
	return (*originMemo)(unsafe.Add(nil, m.places+uintptr(slot)*unsafe.Sizeof(originMemo{})))
}

// originSlot returns the first of two slots that an origin may have. Neighbouring sites
// are 4 bytes apart; a function called from several places has as many origins of each
// site.
//
//go:nosplit
func (m *memos) originSlot(site, pc, stack uint32) uint32 {
	h := site >> 2
	if site == 0 {
		h = pc ^ pc>>5
	}
	return (h<<1 ^ stack*0x9e3779b1>>((32-originBits-m.wide)&31)) & (originCache<<m.wide - 1)
}

// answerOf returns where the answer for accesses of kind k to history x is remembered.
//
//go:nosplit
func (m *memos) answerOf(x uint64, k Kind) *answer {
	i := (uint32(x) ^ uint32(x>>32)*5 ^ uint32(k)*3) & (answerCache<<m.wide - 1)
	return (*answer)(unsafe.Add(nil, m.answers+uintptr(i)*unsafe.Sizeof(answer{})))
}

//go:nosplit
func (m *memos) frameMemo(slot uint32) *frameMemo {
	return (*frameMemo)(unsafe.Add(nil, m.frames+uintptr(slot)*unsafe.Sizeof(frameMemo{})))
}

//go:nosplit
func (m *memos) frameSlot(parent uint32, pc uintptr) uint32 {
	return (uint32(pc) ^ parent*0x85ebca6b) * 0x9e3779b1 >> ((32 - frameBits - m.wide) & 31)
}

// forget drops the answers.
func (m *memos) forget() {
	for i := uintptr(0); i < answerCache<<m.wide; i++ {
		*(*answer)(unsafe.Add(nil, m.answers+i*unsafe.Sizeof(answer{}))) = answer{}
	}
}

// startSmall gives t, a new task, what each has.
func (e *Engine) startSmall(t *Task) {
	t.memos.place(unsafe.Pointer(&t.tiny), 0)
	t.store, t.misses, t.limit = 0, 0, min(tinyLimit, e.opt.Misses)
	t.filter, t.filterAt, t.patience = e.filters.base, 0, min(filterLimit, e.opt.Misses)
	t.entries, t.entryMask = uintptr(unsafe.Pointer(&t.noEntry)), 0
}

// giveBack takes what t, which ends, was given since.
func (e *Engine) giveBack(t *Task) {
	if t.filterAt != 0 {
		e.filters.put(t.filterAt)
	}
	e.putStore(t.wide, t.store)
	e.startSmall(t)
}

func (e *Engine) smallOf(i uint32) *small { return (*small)(e.smalls.at(i)) }
func (e *Engine) largeOf(i uint32) *large { return (*large)(e.larges.at(i)) }

func (e *Engine) putStore(wide, i uint32) {
	switch wide {
	case smallBits:
		e.smalls.put(i)
	case largeBits:
		e.larges.put(i)
	}
}

// clearStore empties caches that a sweep has made stale.
func (e *Engine) clearStore(wide, i uint32) {
	if wide == smallBits {
		*e.smallOf(i) = small{sweeps: e.sweeps}
	} else {
		*e.largeOf(i) = large{sweeps: e.sweeps}
	}
}

// batch is how many elements t takes from an arena at once.
func (t *Task) batch() uint32 { return 4 << t.wide }

// widen gives t larger caches, if there are some to be had, with what its own had of
// origins and contexts. What another task has left of these since the last sweep is as
// good. No access of t is under way.
func (e *Engine) widen(t *Task) {
	old, store := t.memos, t.store
	t.misses = 0
	switch {
	case t.wide == 0:
		t.store = e.smalls.get()
		s := e.smallOf(t.store)
		if s.sweeps != e.sweeps {
			e.clearStore(smallBits, t.store)
		}
		t.memos.place(unsafe.Pointer(&s.words), smallBits)
		t.limit = e.opt.Misses
	case t.wide == smallBits && e.larges.used() < maxLarge:
		t.store = e.larges.get()
		l := e.largeOf(t.store)
		if l.sweeps != e.sweeps {
			e.clearStore(largeBits, t.store)
		}
		t.memos.place(unsafe.Pointer(&l.words), largeBits)
		t.limit = ^uint32(0)
	default:
		return
	}
	t.forget()
	for i := uint32(0); i < originCache<<old.wide; i++ {
		if m := old.originMemo(i); m.id != 0 {
			*t.originMemo(t.originSlot(m.site, m.pc, m.stack)) = *m
		}
	}
	for i := uint32(0); i < frameCache<<old.wide; i++ {
		if m := old.frameMemo(i); m.pc != 0 {
			*t.frameMemo(t.frameSlot(m.parent, m.pc)) = *m
		}
	}
	e.putStore(old.wide, store)
}

// A filter is what instrumented code looks at before it makes an access known. The
// first is nobody's and stays empty.
type filter [filterSize]uint64

const (
	filterSize  = 512
	filterMask  = 8 * (filterSize - 1)
	filterLimit = 16 // accesses that Probe sees before a task is given a filter
)

func (e *Engine) filterOf(t *Task) *filter { return (*filter)(e.filters.at(t.filterAt)) }

// filterEntry spreads neighbouring words, and the bytes of a word, over the filter.
//
//go:nosplit
func (t *Task) filterEntry(addr uintptr) *uint64 {
	return (*uint64)(unsafe.Add(nil, t.filter+(addr^addr<<9)&filterMask))
}

// lacks reports whether t is to have a filter, which Access gives it.
//
//go:nosplit
func (t *Task) lacks() bool {
	if t.patience != 0 {
		t.patience--
		return false
	}
	return true
}

func (e *Engine) giveFilter(t *Task) {
	t.filterAt = e.filters.get()
	*e.filterOf(t) = filter{}
	t.filter = uintptr(e.filters.at(t.filterAt))
	t.entries, t.entryMask = t.filter, filterMask
}
