//go:build taskinstr_runtime

// Uses of a sync.Pool. In Go's memory model a Put precedes the Get that returns the same object, and no other one. With -race, a
// Pool drops a quarter of the objects that are put into it, since the order that they make is an accident, and may hide a race. But most
// objects come back to the task that has put them, or to one that follows it, and order nobody anew. So a Pool drops objects when
// it hands them out, and of those alone that would order tasks.

package runtime

import "unsafe"

// tr_poolPut is race.Put.
//
//go:linkname tr_poolPut internal/race.Put
func tr_poolPut(object unsafe.Pointer) {
	tr_outsideGraph(true)
	racereleasemerge(tr_poolAddr(object))
	tr_outsideGraph(false)
}

// tr_poolGot is race.Got.
//
//go:linkname tr_poolGot internal/race.Got
func tr_poolGot(object unsafe.Pointer) bool {
	a := tr_poolAddr(object)
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

// tr_poolDrops is race.Drops. In a trace nobody knows yet whom an object orders, and a schedule must not depend on what the engine
// knows.
//
//go:linkname tr_poolDrops internal/race.Drops
func tr_poolDrops() bool { return (tr_tracing || tr_sched.on) && randn(4) == 0 }

// tr_poolAddr returns the address that stands for an object in a Pool. The object may begin with a lock, so it is not its own address.
func tr_poolAddr(object unsafe.Pointer) unsafe.Pointer { return unsafe.Pointer(uintptr(object) ^ 1) }

// tr_outsideGraph says whether what a schedule does next is no part of the graph: which of the objects of a Pool a goroutine gets makes
// no difference to the program.
func tr_outsideGraph(outside bool) {
	if tr_sched.on {
		tr_graph.off = outside
	}
}
