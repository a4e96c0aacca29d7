//go:build taskinstr_runtime

// The wait at the end. When main has returned or os.Exit(0) was called, the tasks that
// can still run continue, because their accesses count. The wait ends when all tasks are
// blocked, at the latest after the time in the option atexit_wait_ms. For a task that
// sleeps repeatedly the wait lasts for one sleep only.
//
// The waiting thread has given up its P, like a thread in a system call. So tasks need no
// help to take its place, and a task that never yields cannot keep the thread from ending
// the program. The state that the thread reads changes at the same time; tr_look explains
// why its answer is correct.

package runtime

import "unsafe"

const (
	// Microseconds between two looks at running tasks.
	tr_minStep, tr_maxStep = 20, 1000

	// In nanoseconds: a task in a longer system call counts as blocked; data that has
	// arrived from the network wakes its receiver within tr_networkGrace.
	tr_syscallGrace = 10e6
	tr_networkGrace = 1e6

	// Tasks that wake within this many nanoseconds wake together.
	tr_wakeSlack = 50e3
)

//go:nosplit
func racefini() {
	if tr_sched.on {
		systemstack(tr_exited)
	}
	if gp := getg(); gp == gp.m.curg && tr_on && (tr_opt.sleep > 0 || tr_opt.wait > 0 || tr_opt.leaks) {
		entersyscallblock()
		systemstack(func() {
			tr_sleepUntil(nanotime() + int64(tr_opt.sleep)*1e6)
			if tr_opt.wait > 0 {
				tr_runOn(gp, nanotime()+int64(tr_opt.wait)*1e6)
			}
			for panicking.Load() != 0 {
				usleep(tr_maxStep) // the panicking task ends the program
			}
			if tr_opt.leaks {
				tr_putLeaks(gp)
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
	var quiet int64  // the time since which tasks only stayed in the same system calls
	var calls uint64 // the sum that identifies these calls
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
			s.busy = true // it wakes at any moment
			if tr_clock.on {
				wakep() // so that a thread moves the clock
			}
		}
		if s.busy || quiet == 0 || s.calls != calls {
			quiet, calls = now, s.calls
		}
		switch {
		case s.busy || now-quiet < grace:
			usleep(step)
			step = min(2*step, tr_maxStep)
		case s.wake == 0:
			return
		default:
			tr_serve(self, s.wake)
			tr_sleepUntil(s.wake)
			step, quiet = tr_minStep, 0
		}
	}
}

// A tr_activity is the observed state of the program's tasks.
type tr_activity struct {
	busy    bool   // some task can run
	network bool   // some task waits for the network
	calls   uint64 // a sum over the system calls in progress; 0: none
	wake    int64  // when the next sleeper worth waiting for wakes; 0: none
}

// tr_look scans all goroutines twice, and reads the Ps before and after. Suppose that no
// P is in use, the Ps' counters do not change, and neither scan sees a goroutine that can
// run. Then none can: a goroutine that became ready after the second scan had passed it
// was made so by a running goroutine, by the network poller, which tr_runOn allows for,
// or by its timer, which was seen.
func tr_look(self *g, deadline int64) tr_activity {
	if netpollinited() && netpollAnyWaiters() {
		if list, delta := netpoll(0); !list.empty() {
			injectglist(&list)
			netpollAdjustWaiters(delta)
		}
	}
	before, idle := tr_ticks()
	if !idle {
		return tr_activity{busy: true}
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

// tr_ticks returns a sum that rises whenever a P starts a goroutine or a goroutine
// returns from a system call. idle means that no P is in use: none runs a task, searches
// for one, or runs the function of a timer, which may start one. The runtime's own
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

// tr_scan looks once at all goroutines but self.
func tr_scan(self *g) tr_activity {
	var s tr_activity
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
			// A goroutine that waits for signals is marked as blocked.
			if mp := gp.m; mp != nil && !mp.blocked && !isSystemGoroutine(gp, false) {
				s.calls += gp.goid<<32 + uint64(mp.syscalltick) + 1
			}
		case _Gwaiting:
			if gp.waitreason == waitReasonIOWait {
				s.network = true
			} else if tr_runtimeWait(gp.waitreason) && !isSystemGoroutine(gp, false) {
				s.busy = true // the runtime will wake it
				return s
			}
		}
	}
	return s
}

// tr_waited remembers the sleepers for which the program was kept waiting: goroutines by
// number, and timers with a function by address.
//
// The program waits for each sleeper once. But a sleeper that sleeps repeatedly may do so
// until another one has had its turn. So each new sleeper begins a round, in which the
// program waits for every sleeper at most once more.
var tr_waited struct {
	round  uint64
	served uintptr // [tr_sleepers]tr_served, open addressing by key
}

type tr_served struct {
	key   uint64
	round uint64
}

const tr_sleepers = 1 << 14 // the program does not wait for further ones

// tr_servedAt returns the entry of key, or a free one; nil if the table is full.
func tr_servedAt(key uint64) *tr_served {
	w := &tr_waited
	if w.served == 0 {
		w.served = uintptr(tr_alloc(tr_sleepers * unsafe.Sizeof(tr_served{})))
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

// tr_wakeTime returns the time at which the next sleeper worth waiting for wakes, 0 if
// there is none before deadline.
func tr_wakeTime(self *g, deadline int64) int64 {
	if tr_clock.on {
		return tr_clockLeft()
	}
	next, now := deadline, nanotime()
	tr_eachSleeper(self, func(key uint64, when int64) {
		if when >= next {
			return
		}
		// A sleeper whose time has come runs in any case.
		if e := tr_servedAt(key); when <= now || e != nil && (e.key == 0 || e.round < tr_waited.round) {
			next = when
		}
	})
	if next == deadline {
		return 0
	}
	return next
}

// tr_serve notes that the program waits for the sleepers that wake at the time wake.
// Sleepers that wake earlier have had their turn.
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

// tr_eachSleeper calls f for each sleeper with a time at which it wakes.
func tr_eachSleeper(self *g, f func(key uint64, when int64)) {
	ptr, n := atomicAllG()
	for i := uintptr(0); i < n; i++ {
		gp := atomicAllGIndex(ptr, i)
		if gp != self && readgstatus(gp)&^_Gscan == _Gwaiting && gp.waitreason == waitReasonSleep && gp.bubble == nil {
			f(gp.goid, tr_realTime(gp.sleepWhen))
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

// tr_eachWoken calls f for each sleeper that timer t wakes: the receivers on its channel,
// or its function. t is locked, so the receivers cannot continue meanwhile.
func tr_eachWoken(t *timer, f func(key uint64, when int64)) {
	if t.state&timerZombie != 0 || t.when == 0 {
		return
	}
	if t.isChan {
		if t.blocked > 0 {
			for sg := t.hchan().recvq.first; sg != nil; sg = sg.next {
				f(sg.g.goid, tr_realTime(t.when))
			}
		}
		return
	}
	fn := findfunc(**(**uintptr)(unsafe.Pointer(&t.f)))
	if name := funcname(fn); !tr_hasPrefix(name, "runtime.") || tr_hasPrefix(name, "runtime.netpoll") {
		f(uint64(uintptr(unsafe.Pointer(t))), tr_realTime(t.when))
	}
}
