//go:build taskinstr_runtime

// From one goroutine of a schedule to the next without a turn of the scheduler.

package runtime

// tr_turnAfter is how many goroutines in succession are run without a turn of the
// scheduler, which looks after timers and the runtime's own work as well.
const tr_turnAfter = 32

// tr_handedOver counts them.
var tr_handedOver uint32

// tr_userStart is the function of a goroutine that was found to be the program's own.
var tr_userStart uintptr

// tr_isUser reports whether gp is known to run a function of the program.
//
//go:nosplit
func tr_isUser(gp *g) bool { return tr_sched.on && gp.startpc == tr_userStart && tr_userStart != 0 }

// tr_yield is goyield_m, for a goroutine that lets another one run first.
func tr_yield(gp *g) {
	if !tr_handsOver() {
		goyield_m(gp)
	}
	casgstatus(gp, _Grunning, _Grunnable)
	dropg()
	tr_taken(gp)
	tr_next()
}

// tr_yieldToChild is tr_yield for a goroutine that has just made another one.
func tr_yieldToChild(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil || e.id == 0 {
		gogo(&gp.sched) // it is none of the program's, and goes on
	}
	e.spins = 0
	e.why = sc_Resumed
	s.since = 0
	tr_yield(gp)
}

// tr_next is schedule, which it need not ask unless there is something but the program's
// goroutines to look after.
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

// tr_handsOver reports whether the scheduler would have nothing to do but to ask who is next.
func tr_handsOver() bool {
	mp := getg().m
	return tr_handedOver < tr_turnAfter && !sched.gcwaiting.Load() && gcBlackenEnabled == 0 && mp.p.ptr().runSafePointFn == 0 &&
		mp.locks == 0 && mp.lockedg == 0 && !mp.incgo && !sched.disable.user && !traceEnabled() && !freezing.Load()
}
