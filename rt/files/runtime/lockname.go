//go:build taskinstr_runtime

// Names of locks. A report names a lock by the source text of the operation that took it.
// Each task notes the place of that call outside of package sync, and the tables of
// operations (operation.go) have the expression.

package runtime

import (
	"internal/abi"
	"unsafe"
)

// tr_noteLockPC notes the place at which t takes a lock. fp is the frame of the hook that
// a function of package sync has called. The place is nearly always in the caller of that
// function.
//
//go:nosplit
func tr_noteLockPC(gp *g, t *ti_Task, fp uintptr) {
	if !framepointer_enabled {
		return
	}
	fp = *(*uintptr)(unsafe.Pointer(fp))
	pc := *(*uintptr)(unsafe.Pointer(fp + 8))
	if *tr_lockPCSlot(pc) != pc {
		pc = tr_lockPC(gp, fp, pc)
	}
	t.LockPC = pc
}

// tr_lockPCs remembers return addresses that are places of lock operations and, with bit
// 63 set, return addresses in package sync, below it (tr_writesFiles), and in wrappers made by the
// compiler.
var tr_lockPCs [1 << 8]uintptr

const tr_notLockPC = 1 << 63

//go:nosplit
func tr_lockPCSlot(pc uintptr) *uintptr { return &tr_lockPCs[(pc^pc>>8)%uintptr(len(tr_lockPCs))] }

// tr_lockPC returns the first return address outside of package sync: pc, which is the
// return address in the frame at fp, or the return address in a frame further out.
//
//go:nosplit
func tr_lockPC(gp *g, fp, pc uintptr) uintptr {
	for n := 0; n < tr_syncDepth && gp == gp.m.curg; n++ {
		slot := tr_lockPCSlot(pc)
		v := *slot
		if v&^tr_notLockPC != pc {
			v = pc
			systemstack(func() {
				if f := findfunc(pc); f.valid() && (f.funcID == abi.FuncIDWrapper || tr_synchronizes(funcname(f)) || tr_writesFiles(funcname(f))) {
					v |= tr_notLockPC
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

// tr_writesFiles reports whether the function called name only leads to a lock of a file.
func tr_writesFiles(name string) bool {
	return tr_hasPrefix(name, "internal/poll.") || tr_hasPrefix(name, "os.(*File).") || tr_hasPrefix(name, "fmt.")
}

// tr_syncDepth is the maximal number of such functions between a call and the
// lock.
const tr_syncDepth = 6

// A tr_lock is a lock that one side of a report holds.
type tr_lock struct {
	addr   uintptr
	shared bool
	names  tr_names // its names in the source, at the place where it was taken
	place  tr_line  // the program's call that took it; line 0: unknown
}

// tr_maxLocks is the number of locks that a report names on one side.
const tr_maxLocks = 8

// tr_lockOf returns the i-th lock of a lockset.
func tr_lockOf(set, i uint32) (l tr_lock, ok bool) {
	if i < tr_maxLocks {
		var h ra_HeldLock
		if h, ok = tr_engine.LockOf(set, i); ok {
			return tr_lockAt(h), true
		}
	}
	return l, false
}

// tr_lockAt returns the description of a held lock.
func tr_lockAt(h ra_HeldLock) (l tr_lock) {
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

// put writes the name of a lock, or its address if it has none.
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

// putFull writes the name, declaration, address and place of a lock.
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

// putPlace writes the place where the lock was taken.
func (l *tr_lock) putPlace() {
	if l.names.n != 0 {
		tr_puts(tr_strip(l.names.pos))
		return
	}
	tr_puts(tr_strip(l.place.file))
	tr_puts(":")
	tr_putn(uint64(l.place.line))
}

// tr_copied ends the declaration of a lock in a receiver or parameter passed by value.
const tr_copied = ", a copy"

// copied reports whether the lock lies in the call's copy of its receiver or argument.
func (l *tr_lock) copied() bool {
	d := l.names.decl()
	return len(d) > len(tr_copied) && d[len(d)-len(tr_copied):] == tr_copied
}

// field returns "field F of T" if the lock is declared as one, else "".
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
