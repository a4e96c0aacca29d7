package schedule

import "unsafe"

// Locks knows which locks are held, for PointsLocks: a task that is about to take a lock
// is ready only while the lock is free. So no task ever waits inside a lock operation,
// where the host would choose the next holder.
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
	writers uint32
	readers uint32
}

// A want is the lock that a task is about to take: its number and these bits; 0 is none.
type want uint32

const (
	wantShared want = 1 << iota
	wantTry         // the task does not wait
	wantNumber = iota
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

// Want records that t, the running task, is about to take the lock at addr.
func (l *Locks) Want(t ID, addr uintptr, shared, try bool) {
	w := want(l.get(addr).number) << wantNumber
	if shared {
		w |= wantShared
	}
	if try {
		w |= wantTry
	}
	e := l.ts.at(t)
	e.want, e.lock = w, addr
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
	k := l.find(e.lock)
	return e.want&wantTry != 0 || k.writers == 0 && (e.want&wantShared != 0 || k.readers == 0)
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
