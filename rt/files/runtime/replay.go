//go:build taskinstr_runtime

// Replays (schedule=replay:FILE): waiting for the goroutine that the record names next,
// and reporting where a run differs from the recorded one.

package runtime

import "unsafe"

// tr_exitDiverged is the exit code of a run that differs from the recorded one.
const tr_exitDiverged = 68

// The time, in nanoseconds, that a replay waits for a goroutine that waits for another
// goroutine, or for the system, while a timer, the network or a system call may still
// wake some goroutine. For a goroutine that sleeps a replay waits until the sleep ends.
const (
	tr_patience   = 10e9
	tr_ioPatience = 60e9
)

// tr_openReplay reads the record and returns the kind of scheduling points of its run.
func tr_openReplay(name string) sc_Points {
	s := &tr_sched
	text := tr_readFile(name, "schedule=replay")
	if !s.replay.Init(&s.tasks, unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text))) {
		tr_badRecord()
	}
	s.seed = s.replay.Seed()
	s.crypto = s.replay.Crypto()
	if sites := s.replay.Sites(); sites != "" && !tr_setAccess(sites) {
		tr_badRecord()
	}
	if t := s.replay.Wall(); t != 0 {
		tr_startClock(int64(t))
	}
	return s.replay.Points()
}

func tr_badRecord() {
	s := &tr_sched
	file := s.plan.File
	print("taskinstr: schedule=replay: ", file, ":", s.replay.Line(), ": this is no line of a recorded schedule (taskinstr help schedule); record one with TASKINSTR=\"schedule=random record=", file, "\"\n")
	exit(tr_exitUsage)
}

// tr_await waits until the recorded choice can be made and stores it in id. If a
// goroutine of the runtime can run first, or the scheduler has other work, it returns
// that goroutine or nil, with id 0.
func tr_await(pp *p, id *sc_ID) *g {
	s := &tr_sched
	if !s.replays {
		return nil
	}
	begin := nanotime()
	for step := uint32(tr_minStep); ; step = min(2*step, tr_maxStep) {
		switch s.replay.State() {
		case sc_BadRecord:
			tr_badRecord()
		case sc_EndedEarly, sc_EndedLate:
			tr_diverge()
		}
		if !s.system.empty() {
			return s.system.pop()
		}
		if sched.gcwaiting.Load() {
			gcstopm()
			pp = getg().m.p.ptr()
		}
		if pp.runSafePointFn != 0 {
			runSafePointFn()
		}
		if tr_clock.on {
			tr_replayClock(pp)
		} else {
			pp.timers.check(0, nil)
		}
		waits := false
		if netpollinited() && netpollAnyWaiters() {
			waits = true
			if list, delta := netpoll(0); !list.empty() {
				injectglist(&list)
				netpollAdjustWaiters(delta)
			}
		}
		tr_collect(pp)
		if gp := s.resume.ptr(); gp != nil {
			// It was in a system call for so long that others had their turn, and goes on without a choice.
			s.resume = 0
			return tr_choose(gp)
		}
		if !s.harness.empty() {
			return tr_choose(s.harness.pop())
		}
		if *id = s.strategy.Next(); *id != 0 {
			return nil
		}
		if s.replay.State() == sc_Waiting && s.system.empty() {
			waits = waits || len(pp.timers.heap) > 0 || tr_inCalls()
			if !waits || nanotime()-begin > tr_patienceNow() {
				tr_diverge()
			}
		}
		usleep(step)
	}
}

// tr_inCalls reports whether a goroutine of the program is in a system call.
func tr_inCalls() bool {
	found := false
	forEachGRace(func(gp *g) {
		if gp == tr_clock.ending {
			return
		}
		s := readgstatus(gp) &^ _Gscan
		// A goroutine that has returned from a call and has no P yet has status running.
		if s == _Gsyscall && gp.m != nil && gp.m.blocked {
			return // it waits for signals
		}
		if (s == _Gsyscall || s == _Grunning || s == _Grunnable && tr_unknown(gp)) && !isSystemGoroutine(gp, false) {
			found = true
		}
	})
	return found
}

// tr_unknown reports whether gp can run and the strategy has not been told yet.
func tr_unknown(gp *g) bool {
	s := &tr_sched
	e := s.goroutines.find(gp)
	return e == nil || e.id != 0 && !s.tasks.IsReady(e.id) && (s.waiting == 0 || !s.locks.Waits(e.id))
}

// tr_patienceNow returns the time to wait for the goroutine that the record names next.
func tr_patienceNow() int64 {
	s := &tr_sched
	var name [sc_MaxName]byte
	_, id, _ := s.replay.Wanted(&name)
	if id == 0 {
		return tr_patience
	}
	gp := (*g)(unsafe.Pointer(s.tasks.Host(id)))
	switch readgstatus(gp) &^ _Gscan {
	case _Gsyscall:
		return tr_ioPatience
	case _Gwaiting:
		switch gp.waitreason {
		case waitReasonSleep:
			return maxWhen
		case waitReasonIOWait:
			return tr_ioPatience
		}
	}
	return tr_patience
}

// tr_diverge reports where the run differs from the recorded one, and ends the program.
func tr_diverge() {
	s := &tr_sched
	file := s.plan.File
	print("taskinstr: schedule=replay: the run differs from the recorded one at choice ", s.replay.Count()+1, " (", file, ":", s.replay.Line(), ")\n")
	switch s.replay.State() {
	case sc_EndedEarly:
		print("  main has returned; in the recorded run it had not\n")
	case sc_EndedLate:
		print("  main has not returned; in the recorded run it had\n")
	default:
		var name [sc_MaxName]byte
		n, id, parent := s.replay.Wanted(&name)
		print("  recorded: ")
		gwrite(name[:n])
		switch {
		case id != 0:
			gp := (*g)(unsafe.Pointer(s.tasks.Host(id)))
			print(", which ")
			tr_printState(gp)
			tr_printCreation(gp)
		case parent != 0:
			print(", which does not exist; a goroutine above it is ")
			tr_printTask(parent)
		default:
			print(", which does not exist, nor do those that would have made it\n")
		}
	}
	n := 0
	const most = 10
	for t := s.tasks.First(); t != 0; t = s.tasks.After(t) {
		if !s.tasks.IsReady(t) {
			continue
		}
		if n++; n <= most {
			print("  could run: ")
			tr_printTask(t)
		}
	}
	if n > most {
		print("  and ", n-most, " more\n")
	}
	if n == 0 {
		print("  no goroutine could run\n")
	}
	print("The program, its input, or what it waits for is not the same as in the recorded run.\n")
	tr_closeRecord()
	exit(tr_exitDiverged)
}

func tr_printTask(t sc_ID) {
	var name [sc_MaxName]byte
	n := tr_sched.tasks.Name(t, &name)
	gwrite(name[:n])
	if gp := (*g)(unsafe.Pointer(tr_sched.tasks.Host(t))); gp != nil {
		tr_printCreation(gp)
	} else {
		print(", which has ended\n")
	}
}

func tr_printState(gp *g) {
	switch readgstatus(gp) &^ _Gscan {
	case _Gwaiting:
		print("waits (", gp.waitreason.String(), ")")
	case _Gsyscall:
		print("is in a system call")
	default:
		print("cannot run")
	}
}

// tr_printCreation ends the line with the place where gp was created.
func tr_printCreation(gp *g) {
	if f := findfunc(gp.gopc); gp.gopc != 0 && f.valid() && gp.parentGoid != 0 {
		file, line := funcline(f, gp.gopc-1)
		print(", created by ", funcname(f), " at ", tr_strip(file), ":", line)
	}
	print("\n")
}
