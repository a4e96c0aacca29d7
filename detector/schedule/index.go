package schedule

import "unsafe"

// An index finds living tasks by the hash of their paths. It uses open addressing with
// linear probing; a deletion moves the following entries back.
type index struct {
	table uintptr // [size]ID
	size  uint32  // a power of two
	n     uint32
}

const smallestIndex = 1 << 10

func (x *index) at(i uint32) *ID {
	return (*ID)(unsafe.Add(nil, x.table+uintptr(i&(x.size-1))*unsafe.Sizeof(ID(0))))
}

func (x *index) add(ts *Tasks, t ID) {
	if 2*x.n >= x.size {
		x.grow(ts)
	}
	i := uint32(ts.Hash(t))
	for *x.at(i) != 0 {
		i++
	}
	*x.at(i) = t
	x.n++
}

func (x *index) grow(ts *Tasks) {
	old := *x
	x.size = max(smallestIndex, 2*x.size)
	x.table = uintptr(hostAlloc(uintptr(x.size) * unsafe.Sizeof(ID(0))))
	x.n = 0
	for i := uint32(0); i < old.size; i++ {
		if t := *old.at(i); t != 0 {
			x.add(ts, t)
		}
	}
	if old.size > 0 {
		hostFree(unsafe.Add(nil, old.table), uintptr(old.size)*unsafe.Sizeof(ID(0)))
	}
}

// find returns the living task with the hash h, 0 if there is none.
func (x *index) find(ts *Tasks, h uint64) ID {
	if x.size == 0 {
		return 0
	}
	for i := uint32(h); ; i++ {
		t := *x.at(i)
		if t == 0 || ts.Hash(t) == h {
			return t
		}
	}
}

func (x *index) remove(ts *Tasks, t ID) {
	i := uint32(ts.Hash(t))
	for *x.at(i) != t {
		i++
	}
	x.n--
	for j := i + 1; ; j++ {
		u := *x.at(j)
		if u == 0 {
			break
		}
		// u may move to i unless its home is after i.
		if home := uint32(ts.Hash(u)); (j-home)&(x.size-1) >= (j-i)&(x.size-1) {
			*x.at(i) = u
			i = j
		}
	}
	*x.at(i) = 0
}
