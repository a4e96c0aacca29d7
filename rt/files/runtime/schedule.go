//go:build taskinstr_runtime

// The program under a schedule (TASKINSTR=schedule=STRATEGY, docs/schedule.md): one
// goroutine runs at a time, and a strategy of package detector/schedule says which.
//
// There is one P. A goroutine of the program that could run is not in the scheduler's
// queues but with the strategy: runqput hands it over, and what reaches the queues by
// other ways is collected before each choice. runqget, which the scheduler asks first,
// returns the strategy's choice; execute sends back whoever comes from elsewhere. The
// runtime's own goroutines are kept apart and take turns with the program's.
//
// When the program waits for the runtime alone (a collection, a stop of the world, the
// end of a time slice), nobody else is chosen: the goroutine that ran goes on.
//
// All of this is called by the thread that holds the P, on g0 or on the system stack, but
// for tr_pending, which reads only.

package runtime

import "unsafe"

// tr_sched is the state of the schedule. Goroutines are kept as guintptr: they are never
// freed, and the scheduler may not execute write barriers.
var tr_sched struct {
	on       bool
	procs    int32  // what GOMAXPROCS tells the program
	name     string // what the option says
	replays  bool
	strategy sc_Strategy
	tasks    sc_Tasks
	serial   sc_Serial
	random   sc_Random
	locks    sc_Locks
	replay   sc_Replay
	recorder sc_Recorder
	recordTo string
	recordFd int32 // 0: nothing is recorded
	seed     uint64

	goroutines tr_goroutines
	system     gQueue   // goroutines of the runtime that could run
	turn       bool     // one of them was the last to be chosen
	childFirst bool     // whoever makes a goroutine gives way to it in any case
	forked     bool     // a goroutine of the program has been made; no go statement has ended since
	waiting    uint32   // goroutines that wait for locks, outside of the strategy
	ready      uint32   // goroutines that the strategy has
	cur        guintptr // the goroutine that was chosen last
	chosen     guintptr // the same, until it is executed
	resume     guintptr // it gave way to the runtime alone, and is the next to run
	since      int64    // when cur was chosen
	sections   uint32   // choices between goroutines that are about to take locks, and 1
	holding    bool     // such a choice waits for a goroutine that sleeps
	call       uint32   // the system call that sysmon saw last
	callSince  int64
}

// tr_slow is how long a goroutine may run without a point of choice before others get
// their turn, in nanoseconds. It may be waiting for one of them in a loop that the
// schedule knows nothing of.
const tr_slow = 5e9

// tr_longSleep is how long a choice between goroutines that are about to take locks waits at
// most for one that sleeps, in nanoseconds.
const tr_longSleep = 1e9

// tr_longCall is how long a system call takes before others get their turn, in
// nanoseconds.
const tr_longCall = 100e6

// tr_shortCall reports whether the system call that is going on has not taken long. tick
// is another one for each call. Only sysmon calls it.
func tr_shortCall(tick uint32, now int64) bool {
	s := &tr_sched
	if s.call != tick || s.callSince == 0 {
		s.call, s.callSince = tick, now
	}
	return now-s.callSince < tr_longCall
}

// A tr_goroutine says what the schedule knows of a goroutine.
type tr_goroutine struct {
	g      uintptr
	id     sc_ID // 0: it is not the program's, or has ended
	why    sc_Reason
	spins  uint32 // loads of the word at spinAt in succession
	spinAt uintptr
	rand   uint64 // state of what select and package rand get
	served uint32 // tr_sched.sections when it was last woken from its sleep
}

// tr_goroutines is a table by address of the goroutine: open addressing. Entries stay,
// as goroutines do.
type tr_goroutines struct {
	table uintptr // [size]tr_goroutine
	size  uintptr // a power of two
	n     uintptr
}

//go:nosplit
func (s *tr_goroutines) at(i uintptr) *tr_goroutine {
	return (*tr_goroutine)(unsafe.Pointer(s.table + (i&(s.size-1))*unsafe.Sizeof(tr_goroutine{})))
}

// find returns the entry of gp, nil if there is none.
//
//go:nosplit
func (s *tr_goroutines) find(gp *g) *tr_goroutine {
	if s.size == 0 {
		return nil
	}
	a := uintptr(unsafe.Pointer(gp))
	for i := a * 0x9e3779b1 >> 8; ; i++ {
		e := s.at(i)
		if e.g == a {
			return e
		}
		if e.g == 0 {
			return nil
		}
	}
}

// get returns the entry of gp, which it makes if there is none.
func (s *tr_goroutines) get(gp *g) *tr_goroutine {
	if e := s.find(gp); e != nil {
		return e
	}
	if 2*s.n >= s.size {
		old := *s
		const smallest = 1 << 10
		s.size = max(smallest, 2*old.size)
		s.table = uintptr(ti_hostAlloc(s.size * unsafe.Sizeof(tr_goroutine{})))
		for i := uintptr(0); i < old.size; i++ {
			if e := old.at(i); e.g != 0 {
				*s.free(e.g) = *e
			}
		}
		if old.size > 0 {
			ti_hostFree(unsafe.Pointer(old.table), old.size*unsafe.Sizeof(tr_goroutine{}))
		}
	}
	s.n++
	a := uintptr(unsafe.Pointer(gp))
	e := s.free(a)
	e.g = a
	return e
}

// free returns the entry where a goroutine at the address a is to stand.
func (s *tr_goroutines) free(a uintptr) *tr_goroutine {
	i := a * 0x9e3779b1 >> 8
	for s.at(i).g != 0 {
		i++
	}
	return s.at(i)
}

// tr_scheduled tells package sync that its operations are points.
//
//go:linkname tr_scheduled
var tr_scheduled bool

// tr_wantsSchedule reports whether the environment speaks of a schedule. It is called
// before the environment can be read in the ordinary way, and says no where it cannot be
// read at all. Hashes are the same in each run then.
func tr_wantsSchedule() bool {
	if GOOS == "windows" {
		return false
	}
	for i := argc + 1; ; i++ {
		p := argv_index(argv, i)
		if p == nil {
			return false
		}
		val := unsafe.String(p, findnull(p))
		if !tr_hasPrefix(val, "TASKINSTR=") {
			continue
		}
		for val != "" {
			if tr_hasPrefix(val, "schedule=") {
				return true
			}
			val = val[1:]
		}
	}
}

// tr_procs is called with the number of Ps that there are to be, first before there is
// any. It reads the options then.
func tr_procs(n int32) int32 {
	if gomaxprocs == 0 {
		tr_readOptions()
	}
	s := &tr_sched
	s.procs = n
	if !s.on {
		return n
	}
	sched.customGOMAXPROCS = true // nobody is to adapt it
	return 1
}

// tr_procsTold returns what GOMAXPROCS is to return, where there are n Ps.
func tr_procsTold(n int) int {
	if tr_sched.on {
		return int(tr_sched.procs)
	}
	return n
}

// tr_setSchedule reads the value of the option schedule.
func tr_setSchedule(val string) bool {
	s := &tr_sched
	s.name = val
	kind, arg := tr_cut(val, ':')
	switch kind {
	case "off":
		s.on = false
		return arg == ""
	case "serial":
		s.strategy = &s.serial
		s.on = true
		return arg == ""
	case "dfs":
		s.strategy = &s.serial
		s.on = true
		return arg == ""
	case "random":
		s.seed = uint64(cputicks())&0xffff + 1
		ok := true
		if len(arg) > 0 {
			var n int
			n, ok = tr_atoi(arg, 1<<31-1)
			s.seed = uint64(n)
		}
		s.strategy = &s.random
		s.on = true
		return ok
	case "replay":
		s.strategy = &s.replay
		s.replays = true
		s.on = true
		return arg != ""
	}
	return false
}

// tr_startSchedule begins what the options say.
func tr_startSchedule() {
	s := &tr_sched
	if !s.on {
		if s.recordTo != "" {
			print("taskinstr: record needs a schedule: TASKINSTR=\"schedule=serial record=FILE\"\n")
			exit(tr_exitUsage)
		}
		return
	}
	s.tasks.Init()
	s.serial.Init(&s.tasks)
	points := sc_PointsNone
	kind, arg := tr_cut(s.name, ':')
	switch kind {
	case "dfs":
		points = sc_PointsLocks
	case "random":
		s.random.Init(&s.tasks, s.seed)
		points = sc_PointsAll
	case "replay":
		points = tr_openReplay(arg)
	}
	tr_points = points
	if points == sc_PointsLocks {
		s.locks.Init(&s.tasks)
		s.sections = 1
	}
	tr_scheduled = points != sc_PointsNone
	s.childFirst = kind == "serial"
	if s.recordTo != "" {
		tr_openRecord(points)
	}
}

// tr_forked is called when parent, or g0, has made the goroutine gp.
func tr_forked(gp, parent *g) {
	s := &tr_sched
	e := s.goroutines.get(gp)
	*e = tr_goroutine{g: e.g}
	if gp.startpc != tr_userStart {
		if isSystemGoroutine(gp, false) {
			return
		}
		tr_userStart = gp.startpc
	}
	var p sc_ID
	if m := s.goroutines.find(parent); m != nil {
		p = m.id
	}
	tr_newTask(e, gp, p)
}

func tr_newTask(e *tr_goroutine, gp *g, parent sc_ID) {
	s := &tr_sched
	e.id = s.tasks.Fork(parent, uintptr(unsafe.Pointer(gp)))
	e.why = sc_New
	s.forked = true
	e.rand = s.tasks.Hash(e.id) ^ s.seed
	s.strategy.Fork(e.id)
	if s.recordFd != 0 && parent != 0 {
		s.recorder.Fork(parent, e.id)
	}
}

// tr_ended is called, on the system stack, when the goroutine gp ends.
func tr_ended(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return
	}
	s.strategy.End(e.id)
	s.tasks.End(e.id)
	e.id = 0
	if s.cur.ptr() == gp {
		s.cur = 0
	}
}

// tr_taken hands gp, which could run, to the strategy, or to the runtime's own.
func tr_taken(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil {
		// Made by no go statement: it runs what C calls.
		e = s.goroutines.get(gp)
		tr_newTask(e, gp, 0)
	}
	switch {
	case e.id == 0:
		s.system.pushBack(gp)
	case s.resume.ptr() == gp:
	case s.cur.ptr() == gp && e.why == sc_Woken && (tr_runtimeWait(gp.waitreason) || gp.syscallsp != 0):
		// Nobody was chosen while it waited, or while it was in a system call.
		s.resume.set(gp)
	default:
		why := e.why
		e.why = sc_Woken
		s.holding = false
		if gp.waitreason == waitReasonSleep {
			e.served = s.sections
		}
		if why != sc_Yielded {
			e.spins = 0
		}
		if tr_depthFirst && tr_opt.verdict && (why == sc_Woken && s.cur.ptr() != gp || why == sc_Yielded && s.ready != 0) {
			tr_noteLeft(gp)
		}
		if why == sc_Locking && !s.locks.Free(e.id) {
			s.locks.Wait(e.id)
			s.waiting++
			return
		}
		s.strategy.Ready(e.id, why)
		s.ready++
	}
}

// tr_runtimeWait reports whether who waits for that reason waits for the runtime, and
// not for the program.
func tr_runtimeWait(why waitReason) bool {
	switch why {
	case waitReasonGCAssistMarking, waitReasonGCAssistWait, waitReasonGCWeakToStrongWait,
		waitReasonGarbageCollection, waitReasonGarbageCollectionScan, waitReasonGCMarkTermination,
		waitReasonWaitForGCCycle, waitReasonStoppingTheWorld, waitReasonFlushProcCaches:
		return true
	}
	return false
}

// tr_semReason returns why the runtime waits for one of its own semaphores: they are held
// by collections and stops of the world.
func tr_semReason() waitReason {
	if tr_sched.on {
		return waitReasonStoppingTheWorld
	}
	return waitReasonSemacquire
}

// tr_held reports whether the goroutine that was chosen last is still to be waited for.
func tr_held() bool {
	gp := tr_sched.cur.ptr()
	if gp == nil || tr_sched.resume != 0 {
		return false
	}
	switch readgstatus(gp) &^ _Gscan {
	case _Gwaiting:
		return tr_runtimeWait(gp.waitreason)
	case _Gpreempted:
		return true
	}
	return false
}

// tr_pending reports whether runqget would return a goroutine. It may be called without
// a P.
func tr_pending() bool {
	s := &tr_sched
	return !s.system.empty() || s.resume != 0 || s.ready != 0 && !tr_held() && !s.holding
}

// tr_collect takes over what stands in the scheduler's queues.
func tr_collect(pp *p) {
	for pp.runqhead != pp.runqtail || pp.runnext != 0 {
		if next := pp.runnext.ptr(); next != nil {
			pp.runnext = 0
			tr_taken(next)
			continue
		}
		gp := pp.runq[pp.runqhead%uint32(len(pp.runq))].ptr()
		pp.runqhead++
		tr_taken(gp)
	}
	for !sched.runq.empty() {
		lock(&sched.lock)
		gp := sched.runq.pop()
		unlock(&sched.lock)
		if gp != nil {
			tr_taken(gp)
		}
	}
}

// tr_runqget returns the goroutine that runs now, nil if there is none.
func tr_runqget(pp *p) *g {
	s := &tr_sched
	tr_collect(pp)
	if !s.system.empty() && (!s.turn || !tr_pendingTask()) {
		s.turn = true
		return s.system.pop()
	}
	s.turn = false
	if gp := s.resume.ptr(); gp != nil {
		s.resume = 0
		return tr_choose(gp)
	}
	if s.ready == 0 && s.waiting != 0 && !tr_held() {
		tr_lockedOut(pp)
	}
	if s.ready == 0 || tr_held() {
		return nil
	}
	if s.holding = tr_points == sc_PointsLocks && tr_sleeperComes(); s.holding {
		return nil
	}
	id := s.strategy.Next()
	if id == 0 {
		if gp := tr_await(pp, &id); id == 0 {
			return gp
		}
	}
	s.ready--
	if s.recordFd != 0 {
		if s.locks.Wanted(id) && (s.replays && s.replay.OnlyLocks() || !s.replays && s.serial.OnlyLocks()) {
			tr_recordSection(id)
		} else {
			s.recorder.Choice(id)
		}
	}
	gp := (*g)(unsafe.Pointer(s.tasks.Host(id)))
	if s.locks.Wanted(id) {
		s.sections++
		if e := s.goroutines.find(gp); e.served+1 == s.sections {
			e.served++ // its own sections give it no second sleep
		}
	}
	s.locks.Forget(id)
	s.since = 0
	return tr_choose(gp)
}

// tr_sleeperComes reports whether all that can run are about to take locks, and another
// goroutine wakes soon that may want to take part in the choice. One that sleeps again before
// another one has entered a section is not waited for: it may be waiting for that.
func tr_sleeperComes() bool {
	s := &tr_sched
	if s.replays {
		if s.replay.Due() || !s.replay.AtLocks() {
			return false
		}
	} else if !s.serial.AtLocks() {
		return false
	}
	now := nanotime()
	found := false
	forEachGRace(func(gp *g) {
		if readgstatus(gp)&^_Gscan == _Gwaiting && gp.waitreason == waitReasonSleep && gp.bubble == nil && gp.sleepWhen-now < tr_longSleep {
			e := s.goroutines.find(gp)
			found = found || e != nil && e.id != 0 && e.served != s.sections
		}
	})
	return found
}

// tr_pendingTask reports whether one of the program's goroutines can run.
func tr_pendingTask() bool {
	s := &tr_sched
	return s.resume != 0 || s.ready != 0 && !tr_held()
}

// tr_choose makes gp the goroutine that execute lets pass.
func tr_choose(gp *g) *g {
	s := &tr_sched
	s.cur.set(gp)
	s.chosen.set(gp)
	gp.waitreason = waitReasonZero
	return gp
}

// tr_diverts reports whether gp, which is about to be executed, was not chosen. The
// scheduler is to choose then.
func tr_diverts(gp *g) bool {
	s := &tr_sched
	if s.chosen.ptr() == gp {
		s.chosen = 0
		return false
	}
	if e := s.goroutines.find(gp); e != nil && e.id == 0 {
		return false
	}
	if s.resume.ptr() == gp {
		s.resume = 0
		s.cur.set(gp)
		return false
	}
	tr_taken(gp)
	return true
}

// tr_givesWay is called when gp calls Gosched, or is at the end of a time slice.
func tr_givesWay(gp *g, preempted bool) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return
	}
	if preempted {
		now := nanotime()
		if s.since == 0 || s.cur.ptr() != gp {
			s.since = now
		}
		if now-s.since < tr_slow {
			s.resume.set(gp)
			return
		}
	} else if tr_calledByRuntime(gp) {
		s.resume.set(gp)
		return
	}
	e.why = sc_Yielded
}

// tr_calledByRuntime reports whether gp, which is in Gosched, was sent there by the
// runtime: it lets others run while it sweeps, for example. Gosched may be inlined.
func tr_calledByRuntime(gp *g) bool {
	f := findfunc(gp.sched.pc)
	if f.valid() && funcname(f) == "runtime.Gosched" {
		if !framepointer_enabled || gp.sched.bp == 0 {
			return false
		}
		f = findfunc(*(*uintptr)(unsafe.Pointer(gp.sched.bp + 8)))
	}
	return f.valid() && tr_hasPrefix(funcname(f), "runtime.")
}
