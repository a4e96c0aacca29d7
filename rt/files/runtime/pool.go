//go:build taskinstr_runtime

// Uses of a sync.Pool. In Go's memory model a Put precedes the Get that returns the same object, and no other Get. With -race, a
// Pool drops a quarter of the objects that are put into it: the order that an object makes is an accident, and may hide a race. But most
// objects come back to the task that has put them, or to a task that follows it, and make no new order. So here a Pool drops an
// object at Get, and only if the object would make a new order.

package runtime

import (
	"internal/abi"
	"unsafe"
)

// tr_poolPut is race.Put.
//
//go:linkname tr_poolPut internal/race.Put
func tr_poolPut(x any) {
	tr_outsideGraph(true)
	racereleasemerge(tr_poolAddr(x))
	tr_outsideGraph(false)
}

// tr_poolGot is race.Got.
//
//go:linkname tr_poolGot internal/race.Got
func tr_poolGot(x any) bool {
	a := tr_poolAddr(x)
	if t := tr_taskOf(getg()); t != nil && !tr_tracing && !tr_sched.on {
		if tr_engine.Acquired(t, uintptr(a)) {
			return true
		}
		if randn(4) == 0 {
			return false
		}
	}
	tr_outsideGraph(true)
	raceacquire(a)
	tr_outsideGraph(false)
	return true
}

// tr_poolDrops is race.Drops. A trace keeps no clocks that tell which objects make a new order. A schedule must not depend on the
// engine's clocks, which the collector's pace changes.
//
//go:linkname tr_poolDrops internal/race.Drops
func tr_poolDrops() bool { return (tr_tracing || tr_sched.on) && randn(4) == 0 }

// tr_poolAddr returns the address of x's sync object. The memory of x may begin with a lock, whose sync object has the memory's own address.
func tr_poolAddr(x any) unsafe.Pointer { return unsafe.Pointer(uintptr(efaceOf(&x).data) ^ 1) }

// tr_outsideGraph begins or ends a part of a schedule that the graph leaves out: the choice among the objects of a Pool makes no
// difference to the program.
func tr_outsideGraph(begins bool) {
	if tr_sched.on {
		tr_graph.off = begins
	}
}

// taskinstr_copies reports whether w is a writer of std that copies its argument, and hands it to no other Go code: an array of an
// object of a pool stays the owner's own.
//
//go:linkname taskinstr_copies
func taskinstr_copies(w any) bool {
	t := efaceOf(&w)._type
	if t == nil {
		return false
	}
	if t.Kind() == abi.Pointer {
		t = (*ptrtype)(unsafe.Pointer(t)).Elem
	}
	name := tr_typeName(t)
	switch toRType(t).pkgpath() {
	case "os":
		return name == "File"
	case "bytes":
		return name == "Buffer"
	case "strings":
		return name == "Builder"
	case "io":
		return name == "discard"
	}
	return false
}
