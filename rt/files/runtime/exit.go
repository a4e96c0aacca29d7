//go:build taskinstr_runtime

// The wait at the end. When main has returned, or os.Exit(0) was called, tasks that can
// still run are let run, for what they access counts: until all are blocked, at most
// for the time that the option atexit_wait_ms says. A task that sleeps is waited for
// once, however often it sleeps.
//
// The thread that waits has given up its P, like one in a system call: tasks need no
// help to take its place, and a task that never yields cannot keep it from ending the
// program. What it looks at changes meanwhile; tr_look says why its answer holds.

package runtime

import "unsafe"

const (
	// Between two looks at tasks that run, in microseconds.
	tr_minStep, tr_maxStep = 20, 1000

	// A task in a system call that does not return for so long is taken to be blocked.
	// What has arrived from the network takes no longer to wake who waits for it. In
	// nanoseconds.
	tr_syscallGrace = 10e6
	tr_networkGrace = 1e6

	// Tasks that wake within so many nanoseconds wake together.
	tr_wakeSlack = 50e3
)

//go:nosplit
func racefini() {
	if tr_sched.on {
		systemstack(tr_exited)
	}
	if gp := getg(); gp == gp.m.curg && tr_on && (tr_opt.sleep > 0 || tr_opt.wait > 0) {
		entersyscallblock()
		systemstack(func() {
			tr_sleepUntil(nanotime() + int64(tr_opt.sleep)*1e6)
			if tr_opt.wait > 0 {
				tr_runOn(gp, nanotime()+int64(tr_opt.wait)*1e6)
			}
			for panicking.Load() != 0 {
				usleep(tr_maxStep) // the task that panics ends the program
			}
		})
	}
	systemstack(func() { tr_exit() })
}

func tr_sleepUntil(when int64) {
	for {
		left := when - nanotime()
		if left <= 0 {
			return
		}
		usleep(uint32(min(left, 1e9)/1000 + 1))
	}
}

// tr_runOn returns when no task but self can run, or at the time deadline.
func tr_runOn(self *g, deadline int64) {
	step := uint32(tr_minStep)
	var calm int64   // since when no task ran but those in the same system calls
	var calls uint64 // which these are
	for {
		s := tr_look(self, deadline)
		now := nanotime()
		if now >= deadline {
			return
		}
		grace := int64(0)
		if s.network {
			grace = tr_networkGrace
		}
		if s.calls != 0 {
			grace = tr_syscallGrace
		}
		if s.wake != 0 && s.wake <= now {
			s.busy = true // it will be woken any moment
		}
		if s.busy || calm == 0 || s.calls != calls {
			calm, calls = now, s.calls
		}
		switch {
		case s.busy || now-calm < grace:
			usleep(step)
			step = min(2*step, tr_maxStep)
		case s.wake == 0:
			return
		default:
			tr_serve(self, s.wake)
			tr_sleepUntil(s.wake)
			step, calm = tr_minStep, 0
		}
	}
}

// tr_sight is what there is to see of the program's tasks.
type tr_sight struct {
	busy    bool   // some task can run
	network bool   // some wait for the network
	calls   uint64 // the system calls that some are in, as a sum; 0: none
	wake    int64  // when the next sleeper wakes that is to be waited for; 0: there is none
}

// tr_look looks twice at all goroutines, and at the Ps before and after. If none of
// these is in use and their clocks stand still, and no goroutine was seen running either
// time, none runs: one that was made ready behind the second look at it was made ready
// by another that ran, or by the network poller, which tr_runOn allows for, or by its
// timer, which was seen.
func tr_look(self *g, deadline int64) tr_sight {
	if netpollinited() && netpollAnyWaiters() {
		if list, delta := netpoll(0); !list.empty() {
			injectglist(&list)
			netpollAdjustWaiters(delta)
		}
	}
	before, idle := tr_ticks()
	if !idle {
		return tr_sight{busy: true}
	}
	s := tr_scan(self)
	if s.busy {
		return s
	}
	wake := tr_wakeTime(self, deadline)
	s = tr_scan(self)
	s.wake = wake
	after, idle := tr_ticks()
	s.busy = s.busy || !idle || after != before
	return s
}

// tr_ticks returns a sum that rises whenever a goroutine is put on a P or returns from
// a system call, and whether no P is in use: neither by a task nor by a thread that
// looks for one, or runs a timer's function, which may make one. The runtime's own
// goroutines, which mark and sweep, do not count.
func tr_ticks() (sum uint64, idle bool) {
	idle = true
	lock(&allpLock)
	for _, pp := range allp {
		if pp == nil {
			continue
		}
		sum += uint64(pp.schedtick)<<32 + uint64(pp.syscalltick)
		if pp.status != _Pidle {
			mp := pp.m.ptr()
			idle = idle && mp != nil && mp.curg != nil && isSystemGoroutine(mp.curg, false)
		}
	}
	unlock(&allpLock)
	return sum, idle
}

func tr_scan(self *g) tr_sight {
	var s tr_sight
	ptr, n := atomicAllG()
	for i := uintptr(0); i < n; i++ {
		gp := atomicAllGIndex(ptr, i)
		if gp == self {
			continue
		}
		switch readgstatus(gp) &^ _Gscan {
		case _Grunnable, _Grunning, _Gcopystack, _Gpreempted:
			if !isSystemGoroutine(gp, false) {
				s.busy = true
				return s
			}
		case _Gsyscall:
			// A goroutine that waits for signals is known to be blocked.
			if mp := gp.m; mp != nil && !mp.blocked && !isSystemGoroutine(gp, false) {
				s.calls += gp.goid<<32 + uint64(mp.syscalltick) + 1
			}
		case _Gwaiting:
			switch gp.waitreason {
			case waitReasonIOWait:
				s.network = true
			case waitReasonGCAssistMarking, waitReasonGCAssistWait, waitReasonGCWeakToStrongWait,
				waitReasonGarbageCollection, waitReasonGarbageCollectionScan, waitReasonGCMarkTermination,
				waitReasonWaitForGCCycle, waitReasonStoppingTheWorld, waitReasonFlushProcCaches:
				// The runtime will wake it.
				if !isSystemGoroutine(gp, false) {
					s.busy = true
					return s
				}
			}
		}
	}
	return s
}

// tr_waited remembers for which sleepers the program has been kept waiting: goroutines,
// by number, and timers with a function, by address.
//
// A sleeper is waited for once. But one that sleeps again and again may do so until
// another one has had its turn. So each new sleeper begins a round, in which each is
// waited for once more, at most.
var tr_waited struct {
	round  uint64
	served uintptr // [tr_sleepers]tr_served, open addressing by key
}

type tr_served struct {
	key   uint64
	round uint64
}

const tr_sleepers = 1 << 14 // those past them are not waited for

// tr_servedAt returns the entry of key, or a free one; nil if there is none.
func tr_servedAt(key uint64) *tr_served {
	w := &tr_waited
	if w.served == 0 {
		w.served = uintptr(ti_hostAlloc(tr_sleepers * unsafe.Sizeof(tr_served{})))
	}
	h := uintptr(key * 0x9e3779b97f4a7c15 >> 32)
	for i := uintptr(0); i < tr_sleepers; i++ {
		e := (*tr_served)(unsafe.Pointer(w.served + (h+i)&(tr_sleepers-1)*unsafe.Sizeof(tr_served{})))
		if e.key == key || e.key == 0 {
			return e
		}
	}
	return nil
}

// tr_wakeTime returns when the next sleeper wakes that is to be waited for, 0 if there is
// none before deadline.
func tr_wakeTime(self *g, deadline int64) int64 {
	next, now := deadline, nanotime()
	tr_eachSleeper(self, func(key uint64, when int64) {
		if when >= next {
			return
		}
		// One that wakes at present runs anyway.
		if e := tr_servedAt(key); when <= now || e != nil && (e.key == 0 || e.round < tr_waited.round) {
			next = when
		}
	})
	if next == deadline {
		return 0
	}
	return next
}

// tr_serve notes that the sleepers that wake at that time are being waited for. Others
// may wake before: they have had their turn.
func tr_serve(self *g, wake int64) {
	fresh := false
	tr_eachSleeper(self, func(key uint64, when int64) {
		if when-wake >= 0 && when-wake <= tr_wakeSlack {
			if e := tr_servedAt(key); e != nil && e.key == 0 {
				e.key = key
				fresh = true
			}
		}
	})
	if fresh {
		tr_waited.round++
	}
	tr_eachSleeper(self, func(key uint64, when int64) {
		if when-wake >= 0 && when-wake <= tr_wakeSlack {
			if e := tr_servedAt(key); e != nil && e.key == key {
				e.round = tr_waited.round
			}
		}
	})
}

// tr_eachSleeper calls f for everyone who will wake by himself, with the time.
func tr_eachSleeper(self *g, f func(key uint64, when int64)) {
	ptr, n := atomicAllG()
	for i := uintptr(0); i < n; i++ {
		gp := atomicAllGIndex(ptr, i)
		if gp != self && readgstatus(gp)&^_Gscan == _Gwaiting && gp.waitreason == waitReasonSleep && gp.bubble == nil {
			f(gp.goid, gp.sleepWhen)
		}
	}
	lock(&allpLock)
	for _, pp := range allp {
		if pp == nil {
			continue
		}
		ts := &pp.timers
		ts.lock()
		for i := range ts.heap {
			t := ts.heap[i].timer
			t.lock()
			tr_eachWoken(t, f)
			t.unlock()
		}
		ts.unlock()
	}
	unlock(&allpLock)
}

// tr_eachWoken calls f for everyone whom the timer t, which is locked, will wake: the
// receivers on its channel, which cannot go on while it is locked, or its function.
func tr_eachWoken(t *timer, f func(key uint64, when int64)) {
	if t.state&timerZombie != 0 || t.when == 0 {
		return
	}
	if t.isChan {
		if t.blocked > 0 {
			for sg := t.hchan().recvq.first; sg != nil; sg = sg.next {
				f(sg.g.goid, t.when)
			}
		}
		return
	}
	fn := findfunc(**(**uintptr)(unsafe.Pointer(&t.f)))
	if name := funcname(fn); !tr_hasPrefix(name, "runtime.") || tr_hasPrefix(name, "runtime.netpoll") {
		f(uint64(uintptr(unsafe.Pointer(t))), t.when)
	}
}
