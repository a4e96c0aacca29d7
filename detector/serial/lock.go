package serial

import "taskinstr/detector/mem"

// A hold is an element of the list of locks that a task holds. The list is in descending
// order of addresses, so that equal sets of locks are equal lists.
type hold struct {
	next   uint32
	pc     uint32 // Task.LockPC less Options.PCBase
	addr   uintptr
	shared bool
}

// A lockSet is a lock and the rest of a set; the locks of the rest have smaller addresses.
type lockSet struct {
	rest   uint32 // also the link of the free chain
	pc     uint32 // where it was taken when the set was made
	addr   uintptr
	shared bool
	mark   uint32 // of the last sweep that found it in use
}

// atomicLock is the address of the lock that all atomic accesses hold. It is the smallest.
const atomicLock = 0

func (e *Engine) hold(i uint32) *hold { return (*hold)(e.holds.At(i)) }

func (e *Engine) setAt(i uint32) *lockSet { return (*lockSet)(e.sets.At(i)) }

// Lock says that t has taken a lock.
func (e *Engine) Lock(t *Task, addr uintptr, shared bool) {
	i := e.holds.Take()
	h := e.hold(i)
	*h = hold{addr: addr, shared: shared, pc: uint32(t.LockPC - e.opt.PCBase)}
	at := &t.held
	for *at != 0 && e.hold(*at).addr > addr {
		at = &e.hold(*at).next
	}
	h.next = *at
	*at = i
	t.known = false
	t.Act++
	if !e.quiet {
		e.Counts.Locks++
	}
}

// Unlock says that t is about to give up a lock. It returns false if t does not hold it.
func (e *Engine) Unlock(t *Task, addr uintptr, shared bool) bool {
	for i := t.held; i != 0; i = e.hold(i).next {
		if h := e.hold(i); h.addr == addr && h.shared == shared {
			e.dropHold(t, i)
			return true
		}
	}
	return false
}

func (e *Engine) dropHold(t *Task, i uint32) {
	at := &t.held
	for *at != i {
		at = &e.hold(*at).next
	}
	*at = e.hold(i).next
	e.holds.Add(i)
	t.known = false
}

// lockset returns the set of the locks that t holds, 0 for none.
func (e *Engine) lockset(t *Task, atomic bool) uint32 {
	if !t.known {
		t.known = true
		t.set, t.atomic = e.setOf(t.held, 0), 0
	}
	if !atomic {
		return t.set
	}
	if t.atomic == 0 {
		t.atomic = e.setOf(t.held, e.cons(&hold{addr: atomicLock}, 0))
	}
	return t.atomic
}

func (e *Engine) setOf(held, last uint32) uint32 {
	if held == 0 {
		return last
	}
	h := e.hold(held)
	return e.cons(h, e.setOf(h.next, last))
}

// cons returns the set of a lock and the locks of rest.
func (e *Engine) cons(h *hold, rest uint32) uint32 {
	x := uint64(rest)<<40 ^ uint64(h.addr)<<1
	if h.shared {
		x ^= 1
	}
	i, slot, tag := e.sets.Find(x)
	if s := e.setAt(i); i == 0 || s.addr != h.addr || s.rest != rest || s.shared != h.shared {
		i = e.sets.Take()
		*e.setAt(i) = lockSet{rest: rest, pc: h.pc, addr: h.addr, shared: h.shared}
		mem.Intern(slot, tag, i)
	}
	return i
}

// exclude reports whether two locksets have a common lock that one of them holds
// exclusively.
func (e *Engine) exclude(x, y uint32) bool {
	for ; x != 0; x = e.setAt(x).rest {
		s := e.setAt(x)
		for i := y; i != 0; i = e.setAt(i).rest {
			if u := e.setAt(i); u.addr == s.addr && !(s.shared && u.shared) {
				return true
			}
		}
	}
	return false
}

// within reports whether lockset y has each lock of x, and holds it at least as strongly.
func (e *Engine) within(x, y uint32) bool {
	if x == y {
		return true
	}
	for ; x != 0; x = e.setAt(x).rest {
		s, found := e.setAt(x), false
		for i := y; i != 0 && !found; i = e.setAt(i).rest {
			u := e.setAt(i)
			found = u.addr == s.addr && (s.shared || !u.shared)
		}
		if !found {
			return false
		}
	}
	return true
}

// LockOf returns the i-th lock of a lockset, as a Report names it.
func (e *Engine) LockOf(set, i uint32) (l HeldLock, ok bool) {
	for ; set != 0; set = e.setAt(set).rest {
		s := e.setAt(set)
		if s.addr == atomicLock {
			continue
		}
		if i == 0 {
			return HeldLock{Addr: s.addr, Shared: s.shared, PC: e.opt.PCBase + uintptr(s.pc)}, true
		}
		i--
	}
	return l, false
}
