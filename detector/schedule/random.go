package schedule

import "unsafe"

// Random chooses each ready task with the same probability. At a point the running task
// counts as ready. Runs with the same seed make the same choices as long as the same
// tasks are ready.
type Random struct {
	ts     *Tasks
	state  uint64
	list   uintptr // [size]ID: the ready tasks
	n      uint32
	size   uint32
	chosen ID // by Stay, for Next
}

func (r *Random) Init(ts *Tasks, seed uint64) {
	r.ts = ts
	r.state = seed
}

// below returns a number less than n (splitmix64, reduced by multiplication).
func (r *Random) below(n uint32) uint32 {
	r.state += 0x9e3779b97f4a7c15
	x := r.state
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return uint32((x >> 32) * uint64(n) >> 32)
}

func (r *Random) at(i uint32) *ID {
	return (*ID)(unsafe.Add(nil, r.list+uintptr(i)*unsafe.Sizeof(ID(0))))
}

func (r *Random) Fork(child ID) {}
func (r *Random) End(t ID)      {}

func (r *Random) Ready(t ID, why Reason) {
	if r.n == r.size {
		r.grow()
	}
	e := r.ts.at(t)
	e.where = inQueue
	e.slot = r.n
	*r.at(r.n) = t
	r.n++
}

func (r *Random) grow() {
	const smallest = 1 << 10
	size := max(smallest, 2*r.size)
	list := uintptr(hostAlloc(uintptr(size) * unsafe.Sizeof(ID(0))))
	old := *r
	r.list, r.size = list, size
	for i := uint32(0); i < old.n; i++ {
		*r.at(i) = *old.at(i)
	}
	if old.size > 0 {
		hostFree(unsafe.Add(nil, old.list), uintptr(old.size)*unsafe.Sizeof(ID(0)))
	}
}

func (r *Random) Stay(t ID) bool {
	if r.n == 0 {
		return true
	}
	i := r.below(r.n + 1)
	if i == r.n {
		return true
	}
	r.chosen = *r.at(i)
	return false
}

func (r *Random) Next() ID {
	t := r.chosen
	r.chosen = 0
	if t == 0 {
		if r.n == 0 {
			return 0
		}
		t = *r.at(r.below(r.n))
	}
	e := r.ts.at(t)
	r.n--
	last := *r.at(r.n)
	*r.at(e.slot) = last
	r.ts.at(last).slot = e.slot
	e.where = nowhere
	return t
}
