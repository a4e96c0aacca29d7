package schedule

import "unsafe"

// Locks knows which locks are held, for PointsLocks: a task that is about to take a lock
// is ready only while the lock is free. So no task ever waits inside a lock operation,
// where the host would choose the next holder. With PointsOps it numbers other objects as well, and counts
// those for whom a WaitGroup waits.
//
// Locks are numbered in the order in which tasks are first about to take them. Runs with
// the same beginning number them alike.
type Locks struct {
	ts    *Tasks
	table uintptr // [size]lock, open addressing by address
	size  uintptr // a power of two
	n     uint32
}

type lock struct {
	addr    uintptr
	number  uint32
	tried   bool // a task has tried to take it without waiting
	writers uint32
	readers uint32
}

// A Want is what a task is about to do with a lock or another object; 0 is nothing.
type Want uint32

const (
	WantTake   Want = 1 << iota // the task takes it, or changes it
	WantShared                  // it shares it with others that do so, or leaves it as it is
	WantTry                     // it does not wait for it
	WantGroup                   // it waits until nobody has it, and takes nothing: it waits for a WaitGroup
	WantUnlock                  // it gives it up
	WantChan                    // it is a channel
)

const smallestLocks = 1 << 8

func (l *Locks) Init(ts *Tasks) {
	l.ts = ts
	l.size = smallestLocks
	l.table = uintptr(hostAlloc(l.size * unsafe.Sizeof(lock{})))
}

// find returns the entry of the lock at addr, or a free entry.
func (l *Locks) find(addr uintptr) *lock {
	for i := addr * 0x9e3779b1 >> 8; ; i++ {
		e := (*lock)(unsafe.Add(nil, l.table+(i&(l.size-1))*unsafe.Sizeof(lock{})))
		if e.addr == addr || e.addr == 0 {
			return e
		}
	}
}

func (l *Locks) get(addr uintptr) *lock {
	e := l.find(addr)
	if e.addr != 0 {
		return e
	}
	if 2*uintptr(l.n) >= l.size {
		old := *l
		l.size *= 2
		l.table = uintptr(hostAlloc(l.size * unsafe.Sizeof(lock{})))
		for i := uintptr(0); i < old.size; i++ {
			o := (*lock)(unsafe.Add(nil, old.table+i*unsafe.Sizeof(lock{})))
			if o.addr != 0 {
				*l.find(o.addr) = *o
			}
		}
		hostFree(unsafe.Add(nil, old.table), old.size*unsafe.Sizeof(lock{}))
		e = l.find(addr)
	}
	l.n++
	e.addr = addr
	e.number = l.n
	return e
}

// Want records what t, the running task, is about to do with the object at addr.
func (l *Locks) Want(t ID, addr uintptr, w Want) {
	l.get(addr) // gets its number
	e := l.ts.at(t)
	e.want, e.n, e.own = w, 1, 1
	e.objects[0] = addr
}

// Also adds an object to what t wants: with own, one that t names itself; otherwise one that its operation may
// change at present, until Reach is called.
func (l *Locks) Also(t ID, addr uintptr, own bool) {
	e := l.ts.at(t)
	for i := uint32(0); i < min(e.n, maxObjects); i++ {
		if e.objects[i] == addr {
			return
		}
	}
	l.get(addr)
	if e.n < maxObjects {
		e.objects[e.n] = addr
	}
	e.n++
	if own {
		e.own = e.n
	}
}

// WantsChan reports whether t is about to make an operation on channels.
func (l *Locks) WantsChan(t ID) bool { return l.ts.at(t).want&WantChan != 0 }

// Reach removes the objects that t has not named itself. Object returns the i-th of the others, 0 if there is none.
func (l *Locks) Reach(t ID) { l.ts.at(t).n = l.ts.at(t).own }

func (l *Locks) Object(t ID, i uint32) uintptr {
	if e := l.ts.at(t); i < min(e.n, maxObjects) {
		return e.objects[i]
	}
	return 0
}

// Wanted reports whether t is about to take a lock. Forget ends that state.
func (l *Locks) Wanted(t ID) bool { return l.ts != nil && l.ts.at(t).want != 0 }

func (l *Locks) Forget(t ID) {
	if l.ts != nil {
		l.ts.at(t).want = 0
	}
}

// Free reports whether the lock that t wants is free for it.
func (l *Locks) Free(t ID) bool {
	e := l.ts.at(t)
	k := l.find(e.objects[0])
	return e.want&(WantTry|WantUnlock) != 0 || k.writers == 0 && (e.want&WantShared != 0 || k.readers == 0)
}

// Lost reports whether t is ready although the lock that it wants is not free any more.
func (l *Locks) Lost(t ID) bool { return l.ts.at(t).where == inLocks && !l.Free(t) }

// Wait records that the lock that t wants is not free: t is not ready.
func (l *Locks) Wait(t ID) { l.ts.at(t).where = atLock }

// Waits reports whether t waits for a lock.
func (l *Locks) Waits(t ID) bool { return l.ts.at(t).where == atLock }

// Taken records that a task has taken the lock at addr, Given that it has released it.
func (l *Locks) Taken(addr uintptr, shared bool) {
	if e := l.get(addr); shared {
		e.readers++
	} else {
		e.writers++
	}
}

func (l *Locks) Given(addr uintptr, shared bool) {
	e := l.get(addr)
	if shared && e.readers > 0 {
		e.readers--
	} else if !shared && e.writers > 0 {
		e.writers--
	}
}

// Try records that a task is about to try to take the lock at addr without waiting. Tried reports whether one
// has: that task sees whether the lock is held.
func (l *Locks) Try(addr uintptr) { l.get(addr).tried = true }

func (l *Locks) Tried(addr uintptr) bool { return l.find(addr).tried }

// Count adds n to the number of tasks that a WaitGroup at addr waits for.
func (l *Locks) Count(addr uintptr, n int) {
	e := l.get(addr)
	e.readers = uint32(max(0, int(e.readers)+n))
}
