//go:build taskinstr_runtime

// The direct switch from one goroutine of a schedule to the next, without the scheduler.

package runtime

// tr_turnAfter is the number of successive direct switches after which the scheduler
// runs. A turn of the scheduler takes as long as ten direct switches. What the runtime needs at once ends
// a series (tr_handsOver).
const tr_turnAfter = 256

// tr_handedOver counts the successive direct switches.
var tr_handedOver uint32

// tr_userStart is the start function of a goroutine that is known to be the program's
// own.
var tr_userStart uintptr

// tr_isUser reports whether gp is known to run a function of the program.
//
//go:nosplit
func tr_isUser(gp *g) bool { return tr_sched.on && gp.startpc == tr_userStart && tr_userStart != 0 }

// tr_yield is goyield_m for a goroutine that lets another one run first.
func tr_yield(gp *g) {
	if !tr_handsOver() {
		goyield_m(gp)
	}
	casgstatus(gp, _Grunning, _Grunnable)
	dropg()
	tr_taken(gp)
	tr_next()
}

// tr_yieldToChild is tr_yield for a goroutine that has just created another one.
func tr_yieldToChild(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil || e.id == 0 {
		gogo(&gp.sched) // not a goroutine of the program: it continues
	}
	e.spins = 0
	e.why = sc_Resumed
	s.since = 0
	tr_yield(gp)
}

// tr_next is schedule, but skips the scheduler if only the program's goroutines need
// attention.
func tr_next() {
	if tr_handsOver() {
		gp := tr_runqget(getg().m.p.ptr())
		switch {
		case gp == nil:
		case gp.lockedm != 0:
			startlockedm(gp)
		default:
			tr_handedOver++
			execute(gp, false)
		}
	}
	tr_handedOver = 0
	schedule()
}

// tr_handsOver reports whether the scheduler would do nothing but choose the next
// goroutine.
func tr_handsOver() bool {
	mp := getg().m
	return tr_handedOver < tr_turnAfter && !sched.gcwaiting.Load() && gcBlackenEnabled == 0 && mp.p.ptr().runSafePointFn == 0 &&
		mp.locks == 0 && mp.lockedg == 0 && !mp.incgo && !sched.disable.user && !traceEnabled() && !freezing.Load()
}
