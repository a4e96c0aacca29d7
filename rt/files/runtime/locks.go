//go:build taskinstr_runtime

// Locks by name. A lock is called what the source calls it where it was taken: each task
// notes the place of the call, outside of package sync, and the tables of operations
// (operation.go) have the expression.

package runtime

import (
	"internal/abi"
	"unsafe"
)

// tr_notePlace notes where t takes a lock; fp is the frame of the hook that package sync
// has called. Nearly always the caller of that function is the place.
//
//go:nosplit
func tr_notePlace(gp *g, t *ti_Task, fp uintptr) {
	if !framepointer_enabled {
		return
	}
	fp = *(*uintptr)(unsafe.Pointer(fp))
	pc := *(*uintptr)(unsafe.Pointer(fp + 8))
	if *tr_placeSlot(pc) != pc {
		pc = tr_place(gp, fp, pc)
	}
	t.LockPC = pc
}

// tr_places remembers return addresses that are places of lock operations, and, with bit
// 63 set, those that are not, in package sync and in wrappers that the compiler made.
var tr_places [1 << 8]uintptr

const tr_noPlace = 1 << 63

//go:nosplit
func tr_placeSlot(pc uintptr) *uintptr { return &tr_places[(pc^pc>>8)%uintptr(len(tr_places))] }

// tr_place returns the first place among pc, which is the return address in the frame at
// fp, and those of the frames outwards.
//
//go:nosplit
func tr_place(gp *g, fp, pc uintptr) uintptr {
	for n := 0; n < tr_syncDepth && gp == gp.m.curg; n++ {
		slot := tr_placeSlot(pc)
		v := *slot
		if v&^tr_noPlace != pc {
			v = pc
			systemstack(func() {
				if f := findfunc(pc); f.valid() && (f.funcID == abi.FuncIDWrapper || tr_synchronizes(funcname(f))) {
					v |= tr_noPlace
				}
			})
			*slot = v
		}
		up := *(*uintptr)(unsafe.Pointer(fp))
		if v == pc || up <= fp || up-gp.stack.lo >= gp.stack.hi-gp.stack.lo-16 {
			break
		}
		fp = up
		pc = *(*uintptr)(unsafe.Pointer(fp + 8))
	}
	return pc
}

// tr_syncDepth is how many functions of package sync may lie between a call and the lock.
const tr_syncDepth = 6

// A tr_lock is a lock that one side of a report holds.
type tr_lock struct {
	addr   uintptr
	shared bool
	names  tr_names // what the source calls it where it was taken
	place  tr_line  // where the program called it; no line: not known
}

// tr_maxLocks is how many locks a report names on one side.
const tr_maxLocks = 8

// tr_lockOf returns the i-th lock of a set.
func tr_lockOf(set, i uint32) (l tr_lock, ok bool) {
	if i < tr_maxLocks {
		var h ti_HeldLock
		if h, ok = tr_engine.LockOf(set, i); ok {
			return tr_lockAt(h), true
		}
	}
	return l, false
}

// tr_lockAt returns what is known of a held lock.
func tr_lockAt(h ti_HeldLock) (l tr_lock) {
	l.addr, l.shared = h.Addr, h.Shared
	var ok bool
	if l.place, ok = tr_userFrame(h.PC, 0); !ok {
		return l
	}
	w := tr_wanted{locks: tr_takesExclusive}
	if l.shared {
		w.locks = tr_takesShared
	}
	l.names = *tr_find(&l.place, w)
	if l.names.n == 0 {
		w.locks = tr_takesAny // Cond.Wait, Once.Do, RLocker().Lock
		l.names = *tr_find(&l.place, w)
	}
	return l
}

// put writes the name of a lock, or else its address.
func (l *tr_lock) put() {
	if l.addr == tr_isolationAddr() {
		tr_puts("the lock of Isolated")
		return
	}
	if l.names.n != 0 {
		l.names.put()
		return
	}
	tr_puts("lock 0x")
	tr_puthex(uint64(l.addr), 12)
}

// putFull writes all that is known of a lock.
func (l *tr_lock) putFull() {
	if l.addr == tr_isolationAddr() {
		l.put()
		tr_puts(" (")
	} else if l.names.n != 0 {
		l.names.put()
		if l.shared {
			tr_puts(" for reading")
		}
		tr_puts(" (")
		if d := l.names.decl(); d != "" {
			tr_puts(d)
			tr_puts(", ")
		}
	} else {
		tr_puts("a lock")
		if l.shared {
			tr_puts(" for reading")
		}
		tr_puts(" (")
	}
	tr_puts("0x")
	tr_puthex(uint64(l.addr), 12)
	tr_puts(")")
	if l.place.line != 0 {
		tr_puts(", taken at ")
		l.putPlace()
	}
}

// putPlace writes where the lock was taken.
func (l *tr_lock) putPlace() {
	if l.names.n != 0 {
		tr_puts(tr_strip(l.names.pos))
		return
	}
	tr_puts(tr_strip(l.place.file))
	tr_puts(":")
	tr_putn(uint64(l.place.line))
}

// tr_copied ends the declaration of a lock in a receiver or parameter that is a value.
const tr_copied = ", a copy"

// copied reports whether the lock lies in a copy that the call made of its receiver or
// argument.
func (l *tr_lock) copied() bool {
	d := l.names.decl()
	return len(d) > len(tr_copied) && d[len(d)-len(tr_copied):] == tr_copied
}

// field returns "field F of T" if that is what the lock is declared as.
func (l *tr_lock) field() string {
	d := l.names.decl()
	if l.copied() {
		d = d[:len(d)-len(tr_copied)]
	}
	if !tr_hasPrefix(d, tr_fieldOf) {
		return ""
	}
	return d
}

const tr_fieldOf = "field "
