package oracle

import (
	"maps"
	"slices"
)

// A lockState is the state of a lock.
type lockState struct {
	holder  int // of an exclusive hold; -1: none
	grant   int // number of exclusive holds so far
	readers int
	era     int // of shared holds; ends with the last reader after a stray unlock
	strayed bool
}

// A held is a task's hold of a lock.
type held struct {
	addr    uintptr
	lock    *lockState
	shared  bool
	grant   int
	count   int
	section *section
	forked  bool // the task has forked since
}

func (h *held) valid(task int) bool {
	if h.shared {
		return h.grant == h.lock.era
	}
	return h.lock.holder == task && h.lock.grant == h.grant
}

// A locker tracks the locks of a trace.
type locker struct {
	locks map[uintptr]*lockState
	holds map[int][]*held
}

func newLocker() *locker {
	return &locker{locks: map[uintptr]*lockState{}, holds: map[int][]*held{}}
}

func (l *locker) at(addr uintptr) *lockState {
	s := l.locks[addr]
	if s == nil {
		s = &lockState{holder: -1}
		l.locks[addr] = s
	}
	return s
}

func (l *locker) canLock(addr uintptr, shared bool) bool {
	s := l.at(addr)
	return s.holder < 0 && (shared || s.readers == 0)
}

func (l *locker) canUnlock(addr uintptr, shared bool) bool {
	s := l.at(addr)
	if shared {
		return s.readers > 0
	}
	return s.holder >= 0
}

// reset forgets the locks in [addr, addr+n).
func (l *locker) reset(addr, n uintptr) {
	maps.DeleteFunc(l.locks, func(a uintptr, _ *lockState) bool { return a >= addr && a < addr+n })
}

// lock takes a lock and returns the hold.
func (l *locker) lock(task int, addr uintptr, shared bool) *held {
	s := l.at(addr)
	h := &held{addr: addr, lock: s, shared: shared, count: 1}
	if shared {
		s.readers++
		h.grant = s.era
		for _, g := range l.holds[task] {
			if g.lock == s && g.shared && g.grant == s.era {
				g.count++
				return g
			}
		}
	} else {
		s.holder = task
		s.grant++
		h.grant = s.grant
	}
	l.holds[task] = append(l.holds[task], h)
	return h
}

// unlock returns the task's hold, nil if it had none, and whether the hold has ended.
func (l *locker) unlock(task int, addr uintptr, shared bool) (h *held, over bool) {
	s := l.at(addr)
	hs := l.holds[task]
	for i := len(hs) - 1; i >= 0; i-- {
		if g := hs[i]; g.lock == s && g.shared == shared && g.valid(task) {
			h = g
			if g.count--; g.count == 0 {
				over = true
				l.holds[task] = slices.Concat(hs[:i], hs[i+1:])
			}
			break
		}
	}
	if !shared {
		s.holder = -1
		return h, over
	}
	s.readers--
	if h == nil {
		s.strayed = true
	}
	if s.readers == 0 && s.strayed {
		s.strayed = false
		s.era++
	}
	return h, over
}

// Legal removes impossible events from a trace: events of tasks that do not live or are in the background, locks
// taken while other tasks hold them, unlocks of free locks, and allocations of memory
// that contains a held lock. It renumbers forks.
func Legal(trace []Event) []Event {
	var out []Event
	l := lives{task: map[int]int{0: 0}, state: map[int]life{0: busy}}
	k := newLocker()
	for _, v := range trace {
		if l.allow(&v) && k.allow(v) {
			out = append(out, v)
		}
	}
	return out
}

// lives are the tasks of a trace.
type lives struct {
	task  map[int]int // number in the trace -> number in the result
	forks int
	state map[int]life // by the number in the result
}

type life uint8

const (
	gone  life = iota
	fresh      // has done nothing
	idle       // in the background
	busy
)

// allow reports whether v is possible for the tasks, and renumbers them in it.
func (l *lives) allow(v *Event) bool {
	if v.Op >= Alloc {
		return true
	}
	if v.Op != Fork || v.Task >= 0 {
		t, ok := l.task[v.Task]
		s := l.state[t]
		if !ok || s == gone || s == idle && v.Op != AcquireAll || s != fresh && v.Op == Background {
			return false
		}
		v.Task = t
	}
	now := busy
	switch v.Op {
	case Fork:
		l.forks++
		l.task[v.Other] = l.forks
		v.Other = l.forks
		l.state[l.forks] = fresh
	case End:
		if v.Task == 0 {
			return false
		}
		now = gone
	case Meet:
		u, ok := l.task[v.Other]
		if s := l.state[u]; !ok || s == gone || s == idle || u == v.Task {
			return false
		}
		v.Other = u
		l.state[u] = busy
	case Background:
		now = idle
	}
	l.state[v.Task] = now
	return true
}

// allow reports whether v is possible for the locks, and makes it.
func (l *locker) allow(v Event) bool {
	switch v.Op {
	case Lock:
		if !l.canLock(v.Addr, v.Shared) {
			return false
		}
		l.lock(v.Task, v.Addr, v.Shared)
	case Unlock:
		if !l.canUnlock(v.Addr, v.Shared) {
			return false
		}
		l.unlock(v.Task, v.Addr, v.Shared)
	case Alloc:
		for a, s := range l.locks {
			if a >= v.Addr && a < v.Addr+v.N && (s.holder >= 0 || s.readers > 0) {
				return false
			}
		}
		l.reset(v.Addr, v.N)
	}
	return true
}
