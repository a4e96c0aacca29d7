//go:build taskinstr_runtime

// Scheduling points: places where the strategy of a schedule may run another goroutine
// than the current one.

package runtime

import "unsafe"

// tr_points says which places are scheduling points. It is constant after the start.
var tr_points sc_Points

// tr_spinLimit is the number of successive loads of one word, or of successive attempts
// at an operation that can fail, after which other goroutines get their turn. The
// goroutine may be waiting for one of them.
const tr_spinLimit = 10_000

// tr_canPass reports whether the calling goroutine belongs to the program and another one
// may run at this place.
//
//go:nosplit
func tr_canPass(gp *g) bool {
	mp := gp.m
	return gp == mp.curg && mp.locks == 0 && mp.mallocing == 0 && mp.preemptoff == "" && mp.dying == 0 &&
		gp.raceignore == 0 && !gp.throwsplit && mp.p != 0
}

// tr_afterGo is called behind each go statement. It is a scheduling point if the
// statement has created a goroutine of the program.
//
//go:nosplit
func tr_afterGo() {
	if !tr_sched.forked {
		return
	}
	tr_sched.forked = false
	if tr_sched.childFirst && tr_canPass(getg()) {
		mcall(tr_yieldToChild)
		return
	}
	tr_point()
}

// tr_syncPoint is called in front of operations that order tasks.
//
//go:nosplit
func tr_syncPoint() {
	if tr_points == sc_PointsAll {
		tr_point()
	}
}

// tr_point asks the strategy whether the calling goroutine continues.
//
//go:nosplit
func tr_point() {
	gp := getg()
	if !tr_canPass(gp) {
		return
	}
	stay := true
	systemstack(func() {
		s := &tr_sched
		e := s.goroutines.find(gp)
		if e == nil || e.id == 0 {
			return
		}
		e.spins = 0
		s.since = 0
		if stay = s.strategy.Stay(e.id); !stay {
			e.why = sc_Resumed
		} else if s.recordFd != 0 {
			s.recorder.Choice(e.id)
		}
	})
	if !stay {
		mcall(tr_yield)
	}
}

// tr_chanPoint is called in front of an operation on channel c.
//
//go:nosplit
func tr_chanPoint(c *hchan, send, block bool) {
	if !block && c != nil && (send && full(c) || !send && empty(c)) {
		tr_spin(getg(), uintptr(unsafe.Pointer(c)))
	}
	tr_syncPoint()
}

// tr_selectPoint is called in front of a select.
//
//go:nosplit
func tr_selectPoint(block bool) {
	if !block {
		tr_spin(getg(), 0) // all channels count as one
	}
	tr_syncPoint()
}

// tr_spin notes that gp, which runs, has tried something on the word at addr that it may
// repeat until another goroutine changes the word.
//
//go:nosplit
func tr_spin(gp *g, addr uintptr) {
	e := tr_sched.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return
	}
	if e.spinAt != addr {
		e.spinAt, e.spins = addr, 0
	}
	e.spins++
	if e.spins >= tr_spinLimit && tr_canPass(gp) {
		e.spins = 0
		e.why = sc_Yielded
		mcall(goyield_m)
	}
}

// tr_raceLocking is called in front of lock operations.
//
//go:linkname tr_raceLocking internal/race.Locking
//go:nosplit
func tr_raceLocking(addr unsafe.Pointer, shared, try bool) {
	if tr_points == sc_PointsAll {
		tr_point()
		return
	}
	gp := getg()
	if !tr_canPass(gp) || gp.racectx == 0 && uintptr(addr) != tr_isolationLock {
		return // a hidden operation (taskinstr_suspend) is no choice of the program
	}
	if tr_points == sc_PointsStops {
		tr_stop(gp, (*sc_Replay).Locking)
		return
	}
	pass := false
	systemstack(func() {
		s := &tr_sched
		if e := s.goroutines.find(gp); e != nil && e.id != 0 {
			s.locks.Want(e.id, uintptr(addr), shared, try)
			e.why = sc_Locking
			pass = true
		}
	})
	if pass {
		mcall(goyield_m)
	}
}

// tr_stop is called where a line of the record may stop gp, the calling goroutine.
// arrives reports to the replay that gp is there, and returns whether it stops.
//
//go:nosplit
func tr_stop(gp *g, arrives func(*sc_Replay, sc_ID) bool) {
	pass := false
	systemstack(func() {
		if e := tr_sched.goroutines.find(gp); e != nil && e.id != 0 {
			pass = arrives(&tr_sched.replay, e.id)
		}
	})
	if pass {
		tr_point()
	}
}

// tr_lockTaken is called after gp has taken a lock, tr_lockGiven before gp gives one up.
//
//go:nosplit
func tr_lockTaken(gp *g, addr unsafe.Pointer, shared bool) {
	if gp.raceignore == 0 {
		systemstack(func() {
			tr_sched.locks.Taken(uintptr(addr), shared)
			tr_withdrawLockers()
		})
	}
}

//go:nosplit
func tr_lockGiven(gp *g, addr unsafe.Pointer, shared bool) {
	if gp.raceignore == 0 {
		systemstack(func() {
			tr_sched.locks.Given(uintptr(addr), shared)
			tr_wakeLockers(false)
		})
	}
}

// tr_withdrawLockers makes those goroutines wait whose lock another goroutine has just
// taken.
func tr_withdrawLockers() {
	s := &tr_sched
	for t := s.tasks.First(); t != 0 && s.ready != 0; t = s.tasks.After(t) {
		if !s.locks.Lost(t) {
			continue
		}
		if s.replays {
			s.replay.Withdraw(t)
		} else {
			s.serial.Withdraw(t)
		}
		s.locks.Wait(t)
		s.ready--
		s.waiting++
	}
}

// tr_wakeLockers makes those goroutines ready whose locks are free now. If all is set it
// makes every waiting one ready; these will wait inside of the lock operation.
func tr_wakeLockers(all bool) {
	s := &tr_sched
	for t := s.tasks.First(); t != 0 && s.waiting != 0; t = s.tasks.After(t) {
		if !s.locks.Waits(t) {
			continue
		}
		switch {
		case s.locks.Free(t):
			s.strategy.Ready(t, sc_Locking)
		case all:
			s.strategy.Ready(t, sc_Woken)
		default:
			continue
		}
		s.waiting--
		s.ready++
	}
}

// tr_lockedOut is called when every goroutine that could run waits for a lock. If nothing
// can wake the holders of these locks, the program is in a deadlock. Then its goroutines
// take the locks as in a run without a schedule, so that Go's runtime reports the
// deadlock.
func tr_lockedOut(pp *p) {
	s := &tr_sched
	if len(pp.timers.heap) > 0 || netpollinited() && netpollAnyWaiters() || tr_inCalls() {
		return
	}
	if s.recordFd != 0 {
		tr_recordSection(0)
	}
	s.replay.GiveUp()
	tr_wakeLockers(true)
}

//go:linkname tr_racePoint internal/race.Point
//go:nosplit
func tr_racePoint() { tr_syncPoint() }

// tr_randn returns a number less than n for select.
//
//go:nosplit
func tr_randn(n uint32) uint32 {
	if tr_sched.on {
		if x, ok := tr_rand(); ok {
			return uint32((x >> 32) * uint64(n) >> 32)
		}
	}
	return cheaprandn(n)
}

// tr_rand returns a number that depends only on the calling goroutine, the number of its
// previous calls, and the seed of the schedule (splitmix64).
//
//go:nosplit
func tr_rand() (x uint64, ok bool) {
	gp := getg()
	if gp != gp.m.curg {
		return 0, false
	}
	e := tr_sched.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return 0, false
	}
	e.rand += 0x9e3779b97f4a7c15
	x = e.rand
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31, true
}
