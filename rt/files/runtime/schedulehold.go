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
	sites  [tr_holdSites]tr_holdSite
}

const (
	tr_holdMost  = 8       // goroutines that are held at the same time
	tr_holdSites = 1 << 12 // entries of a cache of sites
	tr_holdTimes = 16      // how often a goroutine is let go before it is held no more

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
	place  uint8   // a set of bits: the indexes of places
	writes bool
}

type tr_holdSite struct {
	key   uintptr
	place uint8
}

// tr_setHold reads the value of the option hold.
func tr_setHold(val string) bool {
	h := &tr_hold
	h.places[0], h.places[1] = tr_cut(val, ',')
	tr_holds = h.places[0] != "" && h.places[1] != ""
	return tr_holds
}

// tr_holdPlace returns which of the two accesses a check or hook is.
func tr_holdPlace(s *uint32, pc uintptr) uint8 {
	h := &tr_hold
	key := uintptr(unsafe.Pointer(s))
	if s == nil {
		key = pc
	}
	e := &h.sites[key*0x9e3779b1>>16%tr_holdSites]
	if e.key == key {
		return e.place
	}
	e.key, e.place = key, 0
	pos, line := "", -1
	if s != nil {
		pos, _, _, _ = tr_site(key)
		pos = tr_strip(pos)
	} else if f := findfunc(pc); f.valid() {
		var l int32
		pos, l = funcline(f, pc-1)
		pos, line = tr_strip(pos), int(l)
	}
	for i, p := range h.places {
		if line < 0 && p == pos || line >= 0 && tr_placeAt(p, pos, line) {
			e.place |= 1 << i
		}
	}
	return e.place
}

// tr_placeAt reports whether a place is in the line of a file.
func tr_placeAt(place, file string, line int) bool {
	if !tr_hasPrefix(place, file) || len(place) <= len(file) || place[len(file)] != ':' {
		return false
	}
	text, _ := tr_cut(place[len(file)+1:], ':')
	n, ok := tr_atoi(text, 1<<30)
	return ok && n == line
}

// tr_holdAt is called where gp is about to access n bytes at a. It is called if tr_holds is set.
//
//go:nosplit
func tr_holdAt(gp *g, a, n, kind, pc uintptr, s *uint32) {
	if !tr_sched.on || !tr_canPass(gp) {
		return
	}
	pass := false
	systemstack(func() { pass = tr_holdHere(gp, a, n, kind, pc, s) })
	if pass {
		mcall(tr_yield)
	}
}

// tr_holdHere reports whether gp must wait.
func tr_holdHere(gp *g, a, n, kind, pc uintptr, s *uint32) bool {
	h, sc := &tr_hold, &tr_sched
	place := tr_holdPlace(s, pc)
	e := sc.goroutines.find(gp)
	if place == 0 || e == nil || e.id == 0 {
		return false
	}
	writes := kind&tr_write != 0
	met := false
	for i := 0; i < h.n; i++ {
		x := &h.held[i]
		if x.place|place == 3 && a < x.hi && x.lo < a+n && (writes || x.writes) {
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
