//go:build taskinstr_runtime

// Active testing of pairs of accesses (hold=POSITION,POSITION and confirm=FILE; K. Sen, Race
// Directed Random Testing of Concurrent Programs, PLDI 2008). A goroutine that is about to make
// one access of a pair is held before it, until another goroutine is about to make the
// other one to the same memory. Then nothing orders the two accesses, and the engine reports a
// race. Under a schedule, a held goroutine continues without the other one when nothing else can
// run; without a schedule, after a time.
//
// confirm.go reads pairs from a file and says what has become of them.

package runtime

import "unsafe"

// tr_holds says that there are pairs. It is constant after the start.
var tr_holds bool

// A tr_pair is a pair of accesses.
type tr_pair struct {
	sides [2]string // positions (FILE:LINE:COLUMN) or, with a fingerprint, descriptions (tr_holdSide)
	print uint64    // the fingerprint, 0 for a pair of positions
	line  uint32    // in the file of pairs

	predicted bool  // the file calls it a prediction
	raced     bool  // it has been reported as a race
	came      uint8 // a set of bits: the sides to which goroutines came
	held      uint32
	met       uint32
}

// tr_hold holds the pairs. tr_reportLock guards what changes.
var tr_hold struct {
	pairs [tr_holdPairs]tr_pair
	n     int // pairs

	held [tr_holdMost]tr_heldTask
	nth  uint32 // a number for each goroutine that was held
}

const (
	tr_holdPairs = 31 // one bit of a tr_place for each side of a pair
	tr_holdMost  = 8  // goroutines that are held at the same time
	tr_holdTimes = 16 // how often a goroutine is let go under a schedule before it is held no more

	// tr_holdSleep is the time, in nanoseconds, in which a timer must fire for a held
	// goroutine to wait for it.
	tr_holdSleep = 1e9

	// Without a schedule: the time for which a goroutine is held, that between two looks, both in
	// nanoseconds, and how often goroutines are held for a pair.
	tr_holdTime  = 100e6
	tr_holdStep  = 50e3
	tr_holdsLive = 20

	// tr_heldBack is the reason for which a goroutine is with tr_hold, and not with the strategy.
	tr_heldBack sc_Reason = 1 << 16
)

// A tr_heldTask is a goroutine before one of the accesses.
type tr_heldTask struct {
	nth    uint32 // 0: a free place
	id     sc_ID  // under a schedule
	lo, hi uintptr
	mask   tr_place // the sides that it is about to make: bits 2i and 2i+1 for pair i
	writes bool
}

// tr_setHold reads the value of the option hold.
func tr_setHold(val string) bool {
	p := &tr_hold.pairs[0]
	p.sides[0], p.sides[1] = tr_cut(val, ',')
	tr_hold.n = 1
	tr_holds = p.sides[0] != "" && p.sides[1] != ""
	tr_sited = tr_sited || tr_holds
	return tr_holds
}

// tr_others returns the other sides of the pairs to which the sides in mask belong.
func tr_others(mask tr_place) tr_place {
	const first = 0x5555555555555555
	return mask&first<<1 | mask>>1&first
}

// tr_holdAt is called where gp is about to access n bytes at a, the sides of pairs in mask.
//
//go:nosplit
func tr_holdAt(gp *g, a, n, kind uintptr, mask tr_place) {
	held := uint32(0)
	systemstack(func() {
		lock(&tr_reportLock)
		held = tr_holdHere(gp, a, n, kind, mask)
		unlock(&tr_reportLock)
	})
	switch {
	case held == 0:
	case tr_sched.on:
		mcall(tr_yield)
	default:
		tr_holdLive(held)
	}
}

// tr_holdHere returns a number by which gp must wait, 0 if it may go on.
func tr_holdHere(gp *g, a, n, kind uintptr, mask tr_place) uint32 {
	h, sc := &tr_hold, &tr_sched
	var e *tr_goroutine
	if sc.on {
		if e = sc.goroutines.find(gp); e == nil || e.id == 0 {
			return 0
		}
	}
	writes := kind&tr_write != 0
	met := false
	for i := range h.held {
		x := &h.held[i]
		if x.nth != 0 && tr_others(x.mask)&mask != 0 && a < x.hi && x.lo < a+n && (writes || x.writes) {
			tr_eachPair(tr_others(x.mask)&mask, func(p *tr_pair, _ uint8) { p.met++ })
			tr_holdNote("met ", x.id)
			tr_letGo(x)
			met = true
		}
	}
	wants := false
	tr_eachPair(mask, func(p *tr_pair, side uint8) {
		p.came |= side
		wants = wants || sc.on || !p.raced && p.held < tr_holdsLive
	})
	if met || !wants || sc.on && (e.let >= tr_holdTimes || sc.tasks.Living() == 1) {
		return 0
	}
	for i := range h.held {
		x := &h.held[i]
		if x.nth != 0 {
			continue
		}
		h.nth++
		*x = tr_heldTask{nth: h.nth, lo: a, hi: a + n, mask: mask, writes: writes}
		tr_eachPair(mask, func(p *tr_pair, _ uint8) { p.held++ })
		if sc.on {
			x.id, e.why = e.id, tr_heldBack
			tr_holdNote("held ", e.id)
		}
		return x.nth
	}
	return 0
}

// tr_eachPair calls f with each pair of which mask has a side, and with a set of its sides.
func tr_eachPair(mask tr_place, f func(p *tr_pair, sides uint8)) {
	for i := range tr_hold.n {
		if m := uint8(mask >> (2 * i) & 3); m != 0 {
			f(&tr_hold.pairs[i], m)
		}
	}
}

// tr_holdLive lets the calling goroutine wait, without a schedule, until it is let go.
//
//go:noinline
func tr_holdLive(nth uint32) {
	for until := nanotime() + tr_holdTime; ; {
		timeSleep(tr_holdStep)
		over, held := nanotime() >= until, false
		systemstack(func() {
			lock(&tr_reportLock)
			for i := range tr_hold.held {
				if x := &tr_hold.held[i]; x.nth == nth {
					if held = true; over {
						tr_letGo(x)
					}
				}
			}
			unlock(&tr_reportLock)
		})
		if over || !held {
			return
		}
	}
}

// tr_letGo ends the wait of a held goroutine.
func tr_letGo(x *tr_heldTask) {
	s, id := &tr_sched, x.id
	*x = tr_heldTask{}
	if s.on {
		s.strategy.Ready(id, sc_Woken)
		s.ready++
	}
}

// tr_letOneGo is called when only held goroutines could run, under a schedule. It lets the one go that
// was held first.
func tr_letOneGo(pp *p) {
	var first *tr_heldTask
	for i := range tr_hold.held {
		if x := &tr_hold.held[i]; x.nth != 0 && (first == nil || x.nth < first.nth) {
			first = x
		}
	}
	if when := pp.timers.wakeTime(); first == nil || when != 0 && when-tr_nanotime() < tr_holdSleep {
		return
	}
	tr_holdNote("alone ", first.id)
	if e := tr_sched.goroutines.find((*g)(unsafe.Pointer(tr_sched.tasks.Host(first.id)))); e != nil {
		e.let++
	}
	tr_letGo(first)
}

// tr_holdNote records what has become of a goroutine, as a comment.
func tr_holdNote(what string, id sc_ID) {
	if tr_sched.recordFd != 0 {
		tr_sched.recorder.Note(what, id)
	}
}
