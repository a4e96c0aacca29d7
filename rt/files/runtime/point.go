//go:build taskinstr_runtime

// Scheduling points: places where the strategy of a schedule may run another goroutine
// than the current one.

package runtime

import (
	"internal/goarch"
	"unsafe"
)

// tr_points says which places are scheduling points. It is constant after the start.
var tr_points sc_Points

// tr_orders says that goroutines announce their operations and wait there until others have come to theirs
// (PointsLocks, PointsOps). It is constant after the start.
var tr_orders bool

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
func tr_syncPoint(op sc_Op, object uintptr) {
	switch tr_points {
	case sc_PointsAll:
		tr_pointAt(op, object)
	case sc_PointsOps:
		want := sc_WantTake | sc_WantTry
		if op == sc_OpRead {
			want |= sc_WantShared
		}
		tr_announce(object, want)
	}
}

// tr_announce lets others run until each of them is about to make an operation, too. The calling goroutine is about
// to make one on the object at addr, and runs again when it is chosen to make it.
//
//go:nosplit
func tr_announce(addr uintptr, want sc_Want) {
	gp := getg()
	if !tr_canPass(gp) || gp.racectx == 0 && addr != tr_isolationLock {
		return // a hidden operation (taskinstr_suspend) is no choice of the program
	}
	pass := false
	systemstack(func() {
		s := &tr_sched
		if e := s.goroutines.find(gp); e != nil && e.id != 0 {
			s.locks.Want(e.id, addr, want)
			e.why = sc_Locking
			pass = true
		}
	})
	if pass {
		mcall(goyield_m)
	}
}

// tr_announceSelect is tr_announce for a select with n cases.
//
//go:nosplit
func tr_announceSelect(cas0 *scase, n int) {
	gp := getg()
	if !tr_canPass(gp) || gp.racectx == 0 {
		return
	}
	pass := false
	systemstack(func() {
		s := &tr_sched
		e := s.goroutines.find(gp)
		if e == nil || e.id == 0 {
			return
		}
		for i := 0; i < n; i++ {
			c := (*scase)(add(unsafe.Pointer(cas0), uintptr(i)*unsafe.Sizeof(scase{}))).c
			switch {
			case c == nil:
			case !pass:
				s.locks.Want(e.id, uintptr(unsafe.Pointer(c)), sc_WantTake|sc_WantTry|sc_WantChan)
				pass = true
			default:
				s.locks.Also(e.id, uintptr(unsafe.Pointer(c)), true)
			}
		}
		if pass {
			e.why = sc_Locking
		}
	})
	if pass {
		mcall(goyield_m)
	}
}

// tr_reachChannels adds to what goroutines want the channels that their operations decide about because a goroutine
// waits for one of them in a select.
func tr_reachChannels() {
	s := &tr_sched
	for t := s.tasks.First(); t != 0; t = s.tasks.After(t) {
		if !s.locks.WantsChan(t) {
			continue
		}
		s.locks.Reach(t)
		for i := uint32(0); ; i++ {
			c := (*hchan)(unsafe.Pointer(s.locks.Object(t, i)))
			if c == nil {
				break
			}
			tr_reachFrom(t, &c.recvq)
			tr_reachFrom(t, &c.sendq)
		}
	}
}

// tr_sudogChan returns the address of the channel for which sg waits. Since Go 1.26 the field is two words, of which the
// second is always set.
func tr_sudogChan(sg *sudog) uintptr {
	p := unsafe.Pointer(&sg.c)
	if unsafe.Sizeof(sg.c) > goarch.PtrSize {
		p = add(p, goarch.PtrSize)
	}
	return *(*uintptr)(p)
}

func tr_reachFrom(t sc_ID, q *waitq) {
	for sg := q.first; sg != nil; sg = sg.next {
		if !sg.isSelect {
			continue
		}
		for x := sg.g.waiting; x != nil; x = x.waitlink {
			tr_sched.locks.Also(t, tr_sudogChan(x), false)
		}
	}
}

// tr_point is a point where no operation is due that the strategy could know.
//
//go:nosplit
func tr_point() { tr_pointAt(sc_OpNone, 0) }

// tr_pointAt asks the strategy whether the calling goroutine continues. The goroutine is about to make an
// operation on an object.
//
//go:nosplit
func tr_pointAt(op sc_Op, object uintptr) {
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
		s.since = 0
		lapse := s.lapse.Point()
		if e.waits != s.lapse.Waits() {
			e.waits = s.lapse.Waits()
			e.points = 0
		}
		if e.points++; tr_clock.on && e.points <= tr_manyReads {
			tr_clock.now += lapse
		} else if tr_clock.on {
			// It may wait in a loop for a timer.
			tr_clock.now += tr_readLongTime
			if e.points > tr_spinLimit {
				e.points = tr_manyReads
				e.why = sc_Yielded
				stay = false
				return
			}
		}
		if s.limited && (e.harness&1 != 0 || !s.begun) {
			return
		}
		if !s.harness.empty() {
			e.why = sc_Woken
			stay = false
			return
		}
		if tr_net.dirty {
			tr_pollNet(getg().m.p.ptr())
		}
		if tr_clock.on {
			tr_passTime(getg().m.p.ptr())
		}
		s.tasks.About(e.id, op, object)
		if s.counting {
			s.uses.Note(e.id)
		}
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
	if tr_points == sc_PointsOps {
		tr_announce(uintptr(unsafe.Pointer(c)), sc_WantTake|sc_WantTry|sc_WantChan)
		return
	}
	tr_syncPoint(sc_OpChan, uintptr(unsafe.Pointer(c)))
}

// tr_selectPoint is called in front of a select.
//
//go:nosplit
func tr_selectPoint(cas0 *scase, n int, block bool) {
	if !block {
		tr_spin(getg(), 0) // all channels count as one
	}
	if tr_points == sc_PointsOps {
		tr_announceSelect(cas0, n)
		return
	}
	tr_syncPoint(sc_OpSelect, 0)
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
	if tr_clock.on {
		tr_tick()
	}
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
		if gp := getg(); try {
			tr_spin(gp, uintptr(addr))
			if tr_canPass(gp) {
				systemstack(func() { tr_sched.locks.Try(uintptr(addr)) })
			}
		}
		op := sc_OpWrite
		if shared {
			op = sc_OpRead
		}
		tr_pointAt(op, uintptr(addr))
		return
	}
	gp := getg()
	if tr_points == sc_PointsStops {
		if tr_canPass(gp) && (gp.racectx != 0 || uintptr(addr) == tr_isolationLock) {
			tr_stop(gp, (*sc_Replay).Locking)
		}
		return
	}
	want := sc_WantTake
	if shared {
		want |= sc_WantShared
	}
	if try {
		want |= sc_WantTry
	}
	tr_announce(uintptr(addr), want)
}

// tr_heldPoint is called after the calling goroutine has taken a lock. It is a point if goroutines try to take this lock
// without waiting: what these do depends on whether it is held.
//
//go:nosplit
func tr_heldPoint(addr unsafe.Pointer, shared bool) {
	if !tr_sched.locks.Tried(uintptr(addr)) {
		return
	}
	op := sc_OpWrite
	if shared {
		op = sc_OpRead
	}
	tr_pointAt(op, uintptr(addr))
}

// tr_raceCounting is called in front of WaitGroup.Add, tr_raceWaiting in front of WaitGroup.Wait.
//
//go:linkname tr_raceCounting internal/race.Counting
//go:nosplit
func tr_raceCounting(addr unsafe.Pointer, n int) {
	if tr_points != sc_PointsOps {
		tr_syncPoint(sc_OpWrite, uintptr(addr))
		return
	}
	if n > 0 {
		tr_announce(uintptr(addr), sc_WantTake|sc_WantShared|sc_WantTry)
	}
	gp := getg()
	if gp != gp.m.curg {
		return
	}
	systemstack(func() {
		tr_sched.locks.Count(uintptr(addr), n)
		tr_wakeLockers(false)
	})
}

//go:linkname tr_raceWaiting internal/race.Waiting
//go:nosplit
func tr_raceWaiting(addr unsafe.Pointer) {
	if tr_points == sc_PointsOps {
		tr_announce(uintptr(addr), sc_WantTake|sc_WantGroup)
		return
	}
	tr_syncPoint(sc_OpWrite, uintptr(addr))
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
