//go:build taskinstr_runtime

// Active testing of a pair of accesses (hold=POSITION,POSITION with a schedule; K. Sen, Race
// Directed Random Testing of Concurrent Programs, PLDI 2008). A goroutine that is about to make
// one of the accesses is held before it, until another goroutine is about to make the
// other one to the same memory. Then nothing orders the two accesses, and the engine reports a
// race. A held goroutine continues without the other one when nothing else can run.

package runtime

import "unsafe"

// tr_holds says that there is a pair. It is constant after the start.
var tr_holds bool

var tr_hold struct {
	places [2]string // FILE:LINE:COLUMN
	n      int
	held   [tr_holdMost]tr_heldTask
}

const (
	tr_holdMost  = 8  // goroutines that are held at the same time
	tr_holdTimes = 16 // how often a goroutine is let go before it is held no more

	// tr_holdSleep is the time, in nanoseconds, in which a timer must fire for a held
	// goroutine to wait for it.
	tr_holdSleep = 1e9

	// tr_heldBack is the reason for which a goroutine is with tr_hold, and not with the strategy.
	tr_heldBack sc_Reason = 1 << 16
)

// A tr_heldTask is a goroutine before one of the accesses.
type tr_heldTask struct {
	id     sc_ID
	lo, hi uintptr // the bytes that it is about to access
	place  tr_place
	writes bool
}

// tr_setHold reads the value of the option hold.
func tr_setHold(val string) bool {
	h := &tr_hold
	h.places[0], h.places[1] = tr_cut(val, ',')
	tr_holds = h.places[0] != "" && h.places[1] != ""
	tr_sited = tr_sited || tr_holds
	return tr_holds
}

// tr_holdAt is called where gp is about to make one of the accesses, to n bytes at a.
//
//go:nosplit
func tr_holdAt(gp *g, a, n, kind uintptr, place tr_place) {
	pass := false
	systemstack(func() { pass = tr_holdHere(gp, a, n, kind, place) })
	if pass {
		mcall(tr_yield)
	}
}

// tr_holdHere reports whether gp must wait.
func tr_holdHere(gp *g, a, n, kind uintptr, place tr_place) bool {
	h, sc := &tr_hold, &tr_sched
	e := sc.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return false
	}
	writes := kind&tr_write != 0
	met := false
	for i := 0; i < h.n; i++ {
		x := &h.held[i]
		if x.place|place == tr_placePair && a < x.hi && x.lo < a+n && (writes || x.writes) {
			tr_holdNote("met ", x.id)
			tr_letGo(i)
			met = true
			i--
		}
	}
	if met || h.n == tr_holdMost || e.let >= tr_holdTimes || sc.tasks.Living() == 1 {
		return false
	}
	h.held[h.n] = tr_heldTask{e.id, a, a + n, place, writes}
	h.n++
	e.why = tr_heldBack
	tr_holdNote("held ", e.id)
	return true
}

// tr_letGo makes the i-th held goroutine ready.
func tr_letGo(i int) {
	h, s := &tr_hold, &tr_sched
	id := h.held[i].id
	h.n--
	h.held[i] = h.held[h.n]
	s.strategy.Ready(id, sc_Woken)
	s.ready++
}

// tr_letOneGo is called when only held goroutines could run. It reports whether it has let
// one of them go.
func tr_letOneGo(pp *p) bool {
	h := &tr_hold
	if when := pp.timers.wakeTime(); h.n == 0 || when != 0 && when-tr_nanotime() < tr_holdSleep {
		return false
	}
	id := h.held[0].id
	tr_holdNote("alone ", id)
	if e := tr_sched.goroutines.find((*g)(unsafe.Pointer(tr_sched.tasks.Host(id)))); e != nil {
		e.let++
	}
	tr_letGo(0)
	return true
}

// tr_holdNote records what has become of a goroutine, as a comment.
func tr_holdNote(what string, id sc_ID) {
	if tr_sched.recordFd != 0 {
		tr_sched.recorder.Note(what, id)
	}
}
