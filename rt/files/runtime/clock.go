//go:build taskinstr_runtime

// The clock of the program under a schedule (docs/design/schedule.md).
//
// A virtual clock stands still while goroutines run. When none can run, it moves to the time of the
// next timer at once. At points it may move to a timer that is due soon, and it moves a little after many points without
// such a wait. While a goroutine waits for the system (the network, a system call), it moves as
// the system's clock does. So what a program sees of the time depends on its schedule alone, apart
// from waits for the system, which the record contains.
//
// A loop that waits for a time by reading the clock, or that polls, must end. So each reading moves the
// clock a little, and so do attempts that may be repeated.
//
// The runtime itself keeps the system's clock. The border between the two is package time and the
// runtime's timers: package time, deadlines and the times in timers are the program's, times for which the scheduler
// waits are the system's.

package runtime

// tr_clock is the virtual clock. Times are in nanoseconds.
var tr_clock struct {
	on     bool // constant after the start
	checks bool // timers are run now; at other times the scheduler only looks at them
	now    int64
	wall   int64  // the wall clock at the time 0
	start  int64  // the first value of now
	since  int64  // not 0: the system's time since which the program waits for the system
	reads  uint32 // readings since a goroutine last waited
	ending *g     // the goroutine that ends the program, in the wait at the end (exitwait.go)
	last   int64  // the time to which the clock moves at most, in that wait
}

const (
	// How far the clock moves with a reading, or an attempt that may be repeated: first, and after many since a
	// goroutine last waited. Points, and calls of Gosched, move it like readings after many.
	tr_readTime     = 100
	tr_readLongTime = 1e3
	tr_manyReads    = 1000
)

// tr_startClock starts the virtual clock. wall is the wall clock in nanoseconds, 0 for the system's.
func tr_startClock(wall int64) {
	c := &tr_clock
	sec, nsec, _ := time_now()
	c.on = true
	c.now = nanotime()
	c.start = c.now
	if wall == 0 {
		wall = sec*1e9 + int64(nsec)
	}
	c.wall = wall - c.now
}

// tr_nanotime returns the program's time.
//
//go:nosplit
func tr_nanotime() int64 {
	c := &tr_clock
	switch {
	case !c.on:
		return nanotime()
	case c.since != 0:
		return c.now + nanotime() - c.since
	}
	return c.now
}

// tr_tick moves the clock because the calling goroutine reads it or tries something.
//
//go:nosplit
func tr_tick() {
	c := &tr_clock
	gp := getg()
	if gp != gp.m.curg || c.since != 0 {
		return
	}
	if c.reads++; c.reads > tr_manyReads {
		c.now += tr_readLongTime
	} else {
		c.now += tr_readTime
	}
}

// tr_clockEnds is called when gp ends the program. The clock goes on to move to the time of the next timer for
// the time of the option atexit_wait_ms.
func tr_clockEnds(gp *g) {
	if c := &tr_clock; c.on {
		c.ending, c.last = gp, tr_nanotime()+int64(tr_opt.wait)*1e6
	}
}

// tr_clockLeft returns a time that has passed if the clock is still to move, in the wait at the end, 0 if not.
func tr_clockLeft() int64 {
	for _, pp := range allp {
		if pp == nil {
			continue
		}
		if when := pp.timers.wakeTime(); when != 0 && when <= tr_clock.last {
			return 1
		}
	}
	return 0
}

// tr_timeNow is time.now for the program.
func tr_timeNow() (sec int64, nsec int32, mono int64) {
	mono = tr_nanotime()
	tr_tick()
	t := mono + tr_clock.wall
	return t / 1e9, int32(t % 1e9), mono
}

// tr_timeNano is time.runtimeNano for the program.
func tr_timeNano() int64 {
	t := tr_nanotime()
	tr_tick()
	return t
}

// tr_realTime returns the system's time at which the program's time will be when, if it waits for the
// system until then. 0 is no time.
func tr_realTime(when int64) int64 {
	if !tr_clock.on || when == 0 || when >= maxWhen/2 {
		return when
	}
	return when + nanotime() - tr_nanotime()
}

// tr_peekTimers is timers.check for the scheduler, which must not run timers: a schedule does so before
// choices only.
func tr_peekTimers(ts *timers) (now, pollUntil int64, ran bool) {
	return nanotime(), tr_realTime(ts.wakeTime()), false
}

// tr_runTimers runs the timers whose time has come.
func tr_runTimers(pp *p) {
	c := &tr_clock
	when := pp.timers.wakeTime()
	now := tr_nanotime()
	if when == 0 || when > now {
		return
	}
	// At a point a goroutine is current. It is not the one that makes the goroutine of a timer's function: what was done before the
	// timer was set happens before the function, and not what the current goroutine has done.
	mp := getg().m
	gp := mp.curg
	setGNoWB(&mp.curg, nil)
	c.checks = true
	pp.timers.check(now, nil)
	c.checks = false
	setGNoWB(&mp.curg, gp)
	tr_collect(pp)
}

// tr_passTime is called at a point. The clock may move to a timer that is due soon, before the choice: in a replay as it did in the
// recorded run.
func tr_passTime(pp *p) {
	s, c := &tr_sched, &tr_clock
	if s.replays {
		if s.replay.Due() {
			tr_replayClock(pp)
		}
		return
	}
	when := pp.timers.wakeTime()
	if when == 0 || !s.lapse.Due(when-tr_nanotime()) {
		return
	}
	c.now = max(c.now, when)
	c.reads = 0
	if s.recordFd != 0 {
		s.recorder.Timer(uint64(c.now - c.start))
	}
	tr_runTimers(pp)
}

// tr_advance is called when no goroutine can run. It moves the clock to the next timer and runs it, unless
// the program waits for the system. It reports whether a goroutine may be able to run now.
func tr_advance(pp *p) bool {
	c := &tr_clock
	if netpollinited() && netpollAnyWaiters() {
		tr_pollNet(pp)
		tr_netQuiet(pp)
		if tr_pending() {
			return true
		}
	}
	for {
		when := pp.timers.wakeTime()
		if when == 0 || c.ending != nil && when > c.last {
			return false
		}
		if tr_waitsForSystem() {
			if c.since == 0 && !tr_replaying() {
				c.since = nanotime()
			}
			tr_runTimers(pp)
			return tr_pending()
		}
		tr_endWait()
		tr_sched.lapse.Idle()
		c.now = max(c.now, when)
		tr_runTimers(pp)
		if tr_pending() {
			return true
		}
	}
}

// tr_endWait ends a wait for the system: a goroutine can run.
func tr_endWait() {
	c := &tr_clock
	if c.since == 0 {
		return
	}
	c.now += nanotime() - c.since
	c.since = 0
	c.reads = 0
	tr_sched.lapse.Idle()
	if tr_sched.recordFd != 0 {
		tr_sched.recorder.Clock(uint64(c.now - c.start))
	}
}

// tr_waitsForSystem reports whether the system may wake a goroutine of the program.
func tr_waitsForSystem() bool {
	return netpollinited() && netpollAnyWaiters() && tr_netWaits() || tr_inCalls()
}

// tr_replaying reports whether the choices, and the waits for the system, are those of a record.
func tr_replaying() bool { return tr_sched.replays && !tr_sched.replay.Free() }

// tr_replayClock moves the clock as it moved in the recorded run before the choice that is due.
func tr_replayClock(pp *p) {
	c := &tr_clock
	if t, timer, ok := tr_sched.replay.Clock(); ok && c.on {
		c.now = max(c.now, c.start+int64(t))
		c.reads = 0
		if !timer {
			tr_sched.lapse.Idle()
		}
		tr_runTimers(pp)
		switch {
		case tr_sched.recordFd == 0:
		case timer:
			tr_sched.recorder.Timer(t)
		default:
			tr_sched.recorder.Clock(t)
		}
	}
}
