//go:build taskinstr_runtime

// A hash of the happens-before graph of a run under a schedule, for the record: runs with the
// same hash differ in nothing but the order of operations that commute.
//
// Each goroutine and each synchronization object has a value. A goroutine that acquires
// mixes the object's value into its own one; one that releases mixes its own value into the
// object's. So a value is a hash of all operations that happen before. Releases that merge
// add to the object's value, because their order makes no difference. The hash is
// the sum over the goroutines. It names goroutines by their paths and objects not at all, so
// addresses do not matter.

package runtime

import "unsafe"

// tr_graph has the values of the objects, and the sum over the goroutines that have ended. The
// values of living ones are in tr_goroutine.order.
var tr_graph struct {
	table uintptr // [size]tr_object, open addressing by address
	size  uintptr
	n     uintptr
	ended uint64
	off   bool // the present operation is no part of the graph
}

type tr_object struct {
	addr  uintptr
	value uint64
}

// tr_mix returns a hash of two values (the finalizer of splitmix64 over both).
func tr_mix(x, y uint64) uint64 {
	x += y*0x9e3779b97f4a7c15 + 0x632be59bd9b4e019
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// tr_objectAt returns the value of the object at an address.
func tr_objectAt(addr uintptr) *uint64 {
	o := &tr_graph
	if 2*o.n >= o.size {
		const smallest = 1 << 10
		old := *o
		o.size = max(smallest, 2*old.size)
		o.table = uintptr(tr_alloc(o.size * unsafe.Sizeof(tr_object{})))
		for i := uintptr(0); i < old.size; i++ {
			if e := (*tr_object)(unsafe.Pointer(old.table + i*unsafe.Sizeof(tr_object{}))); e.addr != 0 {
				*tr_objectSlot(e.addr) = *e
			}
		}
		if old.size > 0 {
			me_Free(unsafe.Pointer(old.table), old.size*unsafe.Sizeof(tr_object{}))
		}
	}
	e := tr_objectSlot(addr)
	if e.addr == 0 {
		e.addr = addr
		o.n++
	}
	return &e.value
}

// tr_objectSlot returns the entry of an address, or the free one for it.
func tr_objectSlot(addr uintptr) *tr_object {
	o := &tr_graph
	for i := addr * 0x9e3779b1 >> 8; ; i++ {
		e := (*tr_object)(unsafe.Pointer(o.table + (i&(o.size-1))*unsafe.Sizeof(tr_object{})))
		if e.addr == addr || e.addr == 0 {
			return e
		}
	}
}

// The operations of tr_graphed.
const (
	tr_graphAcquire = iota
	tr_graphRelease // what was released before is forgotten
	tr_graphMerge   // commutes with other merges
	tr_graphSwap    // acquires and releases
	tr_graphStore   // a release that does not commute
)

// tr_graphed records that gp synchronizes on the object at an address. Without a record it does nothing.
//
//go:nosplit
func tr_graphed(gp *g, addr uintptr, op int) {
	if tr_sched.recordFd != 0 && !tr_graph.off {
		systemstack(func() { tr_graphNote(gp, addr, op) })
	}
}

// tr_graphNote is tr_graphed on the system stack.
func tr_graphNote(gp *g, addr uintptr, op int) {
	if tr_sched.recordFd == 0 || tr_graph.off {
		return
	}
	e := tr_sched.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return
	}
	v := tr_objectAt(addr)
	switch op {
	case tr_graphAcquire:
		if *v != e.acquired { // not the next load of a loop that waits
			e.acquired = *v
			e.order = tr_mix(e.order, *v)
		}
	case tr_graphRelease:
		e.order = tr_mix(e.order, 1)
		*v = e.order
	case tr_graphMerge:
		e.order = tr_mix(e.order, 1)
		*v += e.order
	case tr_graphSwap, tr_graphStore:
		x := tr_mix(e.order, *v)
		*v = x
		if e.order = tr_mix(e.order, 1); op == tr_graphSwap {
			e.order = x
		}
	}
}

// tr_graphMeet records that the calling goroutine and gp exchange a value.
//
//go:nosplit
func tr_graphMeet(gp *g) {
	if tr_sched.recordFd == 0 {
		return
	}
	self := getg()
	systemstack(func() {
		x, y := tr_sched.goroutines.find(self), tr_sched.goroutines.find(gp)
		if x != nil && y != nil {
			both := x.order + y.order // each of them may be the one that waited
			x.order, y.order = tr_mix(x.order, both), tr_mix(y.order, both)
		}
	})
}

// tr_graphHash returns the hash of the graph so far.
func tr_graphHash() uint64 {
	s := &tr_sched.goroutines
	sum := tr_graph.ended
	for i := uintptr(0); i < s.size; i++ {
		if e := s.at(i); e.g != 0 && e.id != 0 {
			sum += e.order
		}
	}
	return sum
}
