package schedule

import "unsafe"

// A list holds the ready tasks in no order. Strategies that choose by chance use it.
type list struct {
	ts    *Tasks
	table uintptr // [size]ID
	n     uint32
	size  uint32
}

const smallestList = 1 << 10

func (l *list) at(i uint32) *ID {
	return (*ID)(unsafe.Add(nil, l.table+uintptr(i)*unsafe.Sizeof(ID(0))))
}

func (l *list) add(t ID) {
	if l.n == l.size {
		l.grow()
	}
	e := l.ts.at(t)
	e.where = inList
	e.slot = l.n
	*l.at(l.n) = t
	l.n++
}

func (l *list) grow() {
	old := *l
	l.size = max(smallestList, 2*l.size)
	l.table = uintptr(hostAlloc(uintptr(l.size) * unsafe.Sizeof(ID(0))))
	for i := uint32(0); i < old.n; i++ {
		*l.at(i) = *old.at(i)
	}
	if old.size > 0 {
		hostFree(unsafe.Add(nil, old.table), uintptr(old.size)*unsafe.Sizeof(ID(0)))
	}
}

func (l *list) remove(t ID) {
	e := l.ts.at(t)
	l.n--
	last := *l.at(l.n)
	*l.at(e.slot) = last
	l.ts.at(last).slot = e.slot
	e.where = nowhere
}

// highest returns the task with the highest rank, 0 if there is none.
func (l *list) highest() ID {
	best := ID(0)
	for i := uint32(0); i < l.n; i++ {
		if t := *l.at(i); best == 0 || l.ts.at(t).rank > l.ts.at(best).rank {
			best = t
		}
	}
	return best
}

// An rng is the state of a generator of random numbers (splitmix64).
type rng uint64

func (r *rng) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	return mix(uint64(*r))
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// upTo returns a number less than n, which is not 0. A division takes longer than the rest of a choice, so it is left to
// large n, for which its bias is below n/2^64.
func (r *rng) upTo(n uint64) uint64 {
	if n < 1<<32 {
		return uint64(r.below(uint32(n)))
	}
	return r.next() % n
}

// below returns a number less than n, which is not 0.
func (r *rng) below(n uint32) uint32 { return uint32((r.next() >> 32) * uint64(n) >> 32) }
