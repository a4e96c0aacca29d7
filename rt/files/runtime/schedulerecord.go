//go:build taskinstr_runtime

// Records of the choices of a schedule (record=FILE).

package runtime

import "unsafe"

func tr_openRecord(p sc_Points) {
	s := &tr_sched
	var name [4096]byte
	if len(s.recordTo) >= len(name) {
		print("taskinstr: record: file name too long\n")
		exit(tr_exitUsage)
	}
	copy(name[:], s.recordTo)
	s.recordFd = tr_create(&name[0])
	if s.recordFd <= 0 {
		print("taskinstr: record: cannot create ", s.recordTo, "\n")
		exit(tr_exitUsage)
	}
	wall := uint64(0)
	if tr_clock.on {
		wall = uint64(tr_clock.wall + tr_clock.start)
	}
	s.recorder.Init(&s.tasks, s.name, s.seed, p, tr_places.chosen, s.crypto, wall)
}

// tr_recordSection records the choice of id, which is about to take a lock, with the
// present position in the trace if one is written.
func tr_recordSection(id sc_ID) {
	s := &tr_sched
	if tr_tracing {
		s.recorder.Events(tr_trace.enc.Events)
	}
	if len(getg().m.p.ptr().timers.heap) > 0 || tr_anybodyLate() {
		s.recorder.Late()
	}
	if tr_points == sc_PointsOps {
		tr_reachChannels()
	}
	s.recorder.Section(id)
}

// tr_anybodyLate reports whether a goroutine of the program sleeps, is in a system call,
// or waits for the network.
func tr_anybodyLate() bool {
	found := false
	forEachGRace(func(gp *g) {
		s := readgstatus(gp) &^ _Gscan
		late := s == _Gsyscall || s == _Gwaiting && (gp.waitreason == waitReasonSleep || gp.waitreason == waitReasonIOWait)
		found = found || late && !isSystemGoroutine(gp, false)
	})
	return found
}

// tr_exited announces that main has returned.
func tr_exited() {
	s := &tr_sched
	if s.recordFd != 0 {
		s.recorder.Exit()
	}
	s.replay.Exited()
	tr_clockEnds(getg().m.curg)
}

// tr_closeRecord writes the rest of the record before the program ends.
func tr_closeRecord() {
	s := &tr_sched
	if s.recordFd != 0 {
		if s.counting {
			s.recorder.Uses(&s.uses)
		}
		s.recorder.Graph(tr_graphHash())
		s.recorder.Close()
		closefd(s.recordFd)
		s.recordFd = 0
	}
}

// sc_hostWrite writes n bytes of a record at p.
func sc_hostWrite(r *sc_Recorder, p unsafe.Pointer, n uintptr) {
	for n > 0 {
		k := write(uintptr(tr_sched.recordFd), p, int32(n))
		if k <= 0 {
			print("taskinstr: record: cannot write ", tr_sched.recordTo, "\n")
			tr_sched.recordFd = 0
			return
		}
		p = add(p, uintptr(k))
		n -= uintptr(k)
	}
}

func sc_hostAlloc(n uintptr) unsafe.Pointer   { return tr_alloc(n) }
func sc_hostFree(p unsafe.Pointer, n uintptr) { me_Free(p, n) }

func sc_hostExhausted(what string) { me_Exhausted(what) }
