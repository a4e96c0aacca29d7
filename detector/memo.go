package detector

import "unsafe"

// Tasks mostly repeat recent work, so each has caches of its origins, calling contexts
// and transitions. A task whose loops call few functions needs few entries. A task that
// formats text or walks a syntax tree returns to hundreds of places and makes a duplicate
// origin for each one it has forgotten. Many tasks do almost nothing, and a program may
// have a hundred thousand of them at a time. So a task starts with tiny caches, which are
// a part of the Task, and without a filter. It gets a filter, then small caches, then
// large ones as its misses show the need; large ones only while few tasks have them. It
// returns all of them at its end, for other tasks.

// tiny are the caches that every task has, 512 B.
type tiny [cacheWords]uint64

// small are the caches of a task that misses often in the tiny ones.
type small struct {
	link   uint32
	sweeps uint32 // Engine.sweeps when its contents were valid
	words  [cacheWords << smallBits]uint64
}

// large are the caches of a task that misses often in the small ones.
type large struct {
	link   uint32
	sweeps uint32
	words  [cacheWords << largeBits]uint64
}

const (
	// A cache of origins or frames is an array of pairs, see frameMemo.
	originBits      = 3
	originCache     = 1 << originBits
	frameBits       = 3
	frameCache      = 1 << frameBits
	transitionBits  = 3
	transitionCache = 1 << transitionBits

	originBytes     = originCache * unsafe.Sizeof(originMemo{})
	transitionBytes = transitionCache * unsafe.Sizeof(transition{})
	frameBytes      = frameCache * unsafe.Sizeof(frameMemo{})
	cacheWords      = (originBytes + transitionBytes + frameBytes) / 8

	smallBits = 3
	largeBits = 6
	maxLarge  = 512  // tasks that have them at a time: 16 MB
	tinyLimit = 40   // entries replaced before a task gets small caches
	missLimit = 1024 // entries replaced before it gets large ones, by default
)

// memos holds the addresses of a task's caches. They have 1<<wide times as many entries
// as tiny.
type memos struct {
	origins, transitions, frames uintptr
	wide                         uint32
}

// setBase makes m the caches that begin at p.
func (m *memos) setBase(p unsafe.Pointer, wide uint32) {
	m.wide = wide
	m.origins = uintptr(p)
	m.transitions = m.origins + originBytes<<wide
	m.frames = m.transitions + transitionBytes<<wide
}

// originMemo returns an entry of the cache of origins.
//
//go:nosplit
func (m *memos) originMemo(slot uint32) *originMemo {
	return (*originMemo)(unsafe.Add(nil, m.origins+uintptr(slot)*unsafe.Sizeof(originMemo{})))
}

// originSlot returns the first of the two slots for an origin. Neighbouring sites are 4
// bytes apart; a function with several callers has an origin for each site and caller.
//
//go:nosplit
func (m *memos) originSlot(site, pc, stack uint32) uint32 {
	h := site >> 2
	if site == 0 {
		h = pc ^ pc>>5
	}
	return (h<<1 ^ stack*0x9e3779b1>>((32-originBits-m.wide)&31)) & (originCache<<m.wide - 1)
}

// transitionSlot returns the entry for transitions of history x by accesses of kind k.
//
//go:nosplit
func (m *memos) transitionSlot(x uint64, k Kind) *transition {
	i := (uint32(x) ^ uint32(x>>32)*5 ^ uint32(k)*3) & (transitionCache<<m.wide - 1)
	return (*transition)(unsafe.Add(nil, m.transitions+uintptr(i)*unsafe.Sizeof(transition{})))
}

//go:nosplit
func (m *memos) frameMemo(slot uint32) *frameMemo {
	return (*frameMemo)(unsafe.Add(nil, m.frames+uintptr(slot)*unsafe.Sizeof(frameMemo{})))
}

//go:nosplit
func (m *memos) frameSlot(parent uint32, pc uintptr) uint32 {
	return (uint32(pc) ^ parent*0x85ebca6b) * 0x9e3779b1 >> ((32 - frameBits - m.wide) & 31)
}

// forget drops the transitions.
func (m *memos) forget() {
	for i := uintptr(0); i < transitionCache<<m.wide; i++ {
		*(*transition)(unsafe.Add(nil, m.transitions+i*unsafe.Sizeof(transition{}))) = transition{}
	}
}

// initCaches gives t, a new task, the caches that every task has.
func (e *Engine) initCaches(t *Task) {
	t.memos.setBase(unsafe.Pointer(&t.tiny), 0)
	t.store, t.misses, t.limit = 0, 0, min(tinyLimit, e.opt.Misses)
	t.filter, t.filterAt, t.patience = e.filters.base, 0, min(filterLimit, e.opt.Misses)
	t.entries, t.entryMask = uintptr(unsafe.Pointer(&t.noEntry)), 0
}

// releaseCaches takes the filter and the larger caches back from t, which ends.
func (e *Engine) releaseCaches(t *Task) {
	if t.filterAt != 0 {
		e.filters.put(t.filterAt)
	}
	e.putStore(t.wide, t.store)
	e.initCaches(t)
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

// clearStore empties caches whose contents a sweep has made stale.
func (e *Engine) clearStore(wide, i uint32) {
	if wide == smallBits {
		*e.smallOf(i) = small{sweeps: e.sweeps}
	} else {
		*e.largeOf(i) = large{sweeps: e.sweeps}
	}
}

// batch is the number of elements that t takes from an arena at once.
func (t *Task) batch() uint32 { return 4 << t.wide }

// widen gives t larger caches, if any are left, and copies its origins and contexts into
// them. Entries that another task has left there since the last sweep are valid too. No
// access of t is in progress.
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
		t.memos.setBase(unsafe.Pointer(&s.words), smallBits)
		t.limit = e.opt.Misses
	case t.wide == smallBits && e.larges.used() < maxLarge:
		t.store = e.larges.get()
		l := e.largeOf(t.store)
		if l.sweeps != e.sweeps {
			e.clearStore(largeBits, t.store)
		}
		t.memos.setBase(unsafe.Pointer(&l.words), largeBits)
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
