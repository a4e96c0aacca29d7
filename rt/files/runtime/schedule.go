//go:build taskinstr_runtime

// The program under a schedule (TASKINSTR=schedule=STRATEGY, docs/design/schedule.md): one
// goroutine runs at a time, and a strategy of package detector/schedule chooses it.
//
// There is one P. A goroutine of the program that can run is not in the scheduler's
// queues but with the strategy: runqput passes it on, and goroutines that reach the
// queues in other ways are collected before each choice. The scheduler calls runqget
// first, which returns the strategy's choice; execute sends back goroutines from other
// sources. The runtime's own goroutines are kept separate and alternate with the
// program's.
//
// When the program waits only for the runtime (a collection, a stopped world, the end of
// a time slice), no other goroutine is chosen: the current one continues.
//
// The thread that holds the P calls all of these functions, on g0 or on the system stack.
// The exception is tr_pending, which only reads.

package runtime

import "unsafe"

// tr_sched is the state of the schedule. It refers to goroutines by guintptr: they are
// never freed, and the scheduler may not execute write barriers.
var tr_sched struct {
	on       bool
	procs    int32  // result of GOMAXPROCS for the program
	name     string // value of the option
	plan     sc_Plan
	replays  bool
	strategy sc_Strategy
	tasks    sc_Tasks
	serial   sc_Serial
	random   sc_Random
	pct      sc_PCT
	pos      sc_POS
	surw     sc_SURW
	selected sc_Selective
	preempt  sc_Preempt
	locks    sc_Locks
	replay   sc_Replay
	recorder sc_Recorder
	recordTo string
	clock    int    // value of the option clock
	counts   string // name of the record of an earlier run, whose steps are counted
	counting bool   // this run is to be counted
	uses     sc_Uses
	lapse    sc_Lapse
	recordFd int32 // 0: no record is written
	seed     uint64
	seeded   bool // the random numbers of main depend on seed
	crypto   bool // those of package crypto/rand do, too

	goroutines tr_goroutines
	system     gQueue   // goroutines of the runtime that can run
	harness    gQueue   // goroutines in the code of package testing that can run (scheduletest.go)
	limited    bool     // the points are sc_PointsProgram
	begun      bool     // initialization is over
	turn       bool     // one of these was chosen last
	childFirst bool     // a goroutine that creates another one yields to it
	forked     bool     // a goroutine of the program was created and its go statement has not ended
	waiting    uint32   // goroutines that wait for locks, outside of the strategy
	ready      uint32   // goroutines with the strategy
	cur        guintptr // the goroutine chosen last
	chosen     guintptr // the same, until execute runs it
	resume     guintptr // it yielded only to the runtime, and runs next
	since      int64    // when cur was chosen
	sections   uint32   // choices between goroutines that are about to take locks, plus 1
	holding    bool     // such a choice waits for a sleeping goroutine
	call       uint32   // the system call in progress when sysmon looked last
	callSince  int64
}

// The values of the option clock. A replay has the clock of its record.
const (
	tr_clockDefault = iota
	tr_clockReal
	tr_clockVirtual
)

// tr_slow is the time, in nanoseconds, for which a goroutine may run without a scheduling
// point before others get their turn. It may be waiting for one of them in a loop that
// the schedule cannot see.
const tr_slow = 5e9

// tr_longSleep is the longest time, in nanoseconds, that a choice between goroutines
// about to take locks waits for a sleeping goroutine.
const tr_longSleep = 1e9

// tr_longCall is the duration of a system call, in nanoseconds, after which others get
// their turn.
const tr_longCall = 100e6

// tr_shortCall reports whether the system call in progress is still short. tick
// identifies the call. Only sysmon calls tr_shortCall.
func tr_shortCall(tick uint32, now int64) bool {
	s := &tr_sched
	if s.call != tick || s.callSince == 0 {
		s.call, s.callSince = tick, now
	}
	return now-s.callSince < tr_longCall
}

// A tr_goroutine is the schedule's state of a goroutine.
type tr_goroutine struct {
	g      uintptr
	id     sc_ID // 0: not the program's, or ended
	why    sc_Reason
	spins  uint32 // successive loads of the word at spinAt
	spinAt uintptr
	points uint32  // points in succession without waiting
	waits  uint32  // tr_sched.lapse.Waits at the last point
	swaps  uintptr // the word whose compare-and-swap has had its point
	rand   uint64  // state of the random numbers for select and package rand
	served uint32  // tr_sched.sections when it last woke from a sleep

	harness uint32 // bit 0: it runs the code of package testing; bit 1: so did the caller of that; and so on
	came    bool   // it has waited there

	order    uint64 // a hash of what happens before its next operation (schedulegraph.go)
	acquired uint64 // the value that it acquired last
	let      uint32 // how often it was let go alone (hold.go)

	temporary uint64 // names of temporary files that it has drawn
}

// tr_goroutines is a hash table by address of the goroutine, with open addressing.
// Entries stay, as goroutines do.
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

// get returns the entry of gp and makes it if there is none.
func (s *tr_goroutines) get(gp *g) *tr_goroutine {
	if e := s.find(gp); e != nil {
		return e
	}
	if 2*s.n >= s.size {
		old := *s
		const smallest = 1 << 10
		s.size = max(smallest, 2*old.size)
		s.table = uintptr(tr_alloc(s.size * unsafe.Sizeof(tr_goroutine{})))
		for i := uintptr(0); i < old.size; i++ {
			if e := old.at(i); e.g != 0 {
				*s.free(e.g) = *e
			}
		}
		if old.size > 0 {
			me_Free(unsafe.Pointer(old.table), old.size*unsafe.Sizeof(tr_goroutine{}))
		}
	}
	s.n++
	a := uintptr(unsafe.Pointer(gp))
	e := s.free(a)
	e.g = a
	return e
}

// free returns a free entry for a goroutine at address a.
func (s *tr_goroutines) free(a uintptr) *tr_goroutine {
	i := a * 0x9e3779b1 >> 8
	for s.at(i).g != 0 {
		i++
	}
	return s.at(i)
}

// tr_scheduled tells package sync that its operations are scheduling points.
//
//go:linkname tr_scheduled
var tr_scheduled bool

// tr_wantsSchedule reports whether the environment asks for a schedule; then hashes are
// the same in each run. It is called before the ordinary functions can read the
// environment. If it cannot read the environment it returns false.
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

// tr_procs is called with the number of Ps to create, first before any exists. The first
// call reads the options.
func tr_procs(n int32) int32 {
	if gomaxprocs == 0 {
		tr_readOptions()
	}
	s := &tr_sched
	s.procs = n
	if !s.on {
		return n
	}
	sched.customGOMAXPROCS = true // the runtime must not adapt it
	return 1
}

// tr_procsTold returns the result of GOMAXPROCS if there are n Ps.
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
	if !s.plan.Parse(val) {
		return false
	}
	s.on = s.plan.Kind != sc_KindOff
	s.replays = s.plan.Kind == sc_KindReplay
	return true
}

// tr_startSchedule starts the schedule, if the options ask for one.
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
	points := sc_PointsProgram
	p := &s.plan
	if s.seed = p.Seed; p.Kind.Random() && !p.Seeded {
		s.seed = uint64(cputicks())&0xffff + 1
	}
	counted, steps := tr_countSteps()
	switch p.Kind {
	case sc_KindSerial:
		s.strategy = &s.serial
		points = sc_PointsNone
	case sc_KindDFS:
		s.strategy = &s.serial
		points = sc_PointsLocks
		if p.All {
			points = sc_PointsOps
		}
	case sc_KindRandom:
		s.strategy = &s.random
		s.random.Init(&s.tasks, s.seed)
	case sc_KindPCT:
		s.strategy = &s.pct
		s.pct.Init(&s.tasks, s.seed, p.Depth, steps)
	case sc_KindPOS:
		s.strategy = &s.pos
		s.pos.Init(&s.tasks, s.seed)
	case sc_KindSURW:
		if p.Of != sc_OfAll {
			s.strategy = &s.selected
			s.selected.Init(&s.tasks, s.seed, p.Of)
			s.selected.Read(unsafe.Pointer(unsafe.StringData(counted)), uintptr(len(counted)))
			break
		}
		s.strategy = &s.surw
		s.surw.Init(&s.tasks, s.seed)
	case sc_KindPreempt:
		s.strategy = &s.preempt
		s.preempt.Init(&s.tasks, s.seed, p.Bound, steps)
	case sc_KindReplay:
		s.strategy = &s.replay
		points = tr_openReplay(p.File)
	}
	if !s.replays && (s.clock == tr_clockVirtual || s.clock == tr_clockDefault && (p.Kind.Random() || p.All)) {
		tr_startClock(0)
		if p.Kind.Random() {
			s.lapse.Init(s.seed)
		}
	}
	tr_begin(false)
	tr_points = points
	if s.limited = points == sc_PointsProgram; s.limited {
		tr_points = sc_PointsAll
	}
	if tr_orders = points == sc_PointsLocks || points == sc_PointsOps; tr_orders {
		s.recorder.Number(&s.locks)
		s.sections = 1
	}
	if tr_orders || tr_points == sc_PointsAll {
		s.locks.Init(&s.tasks)
	}
	tr_scheduled = points != sc_PointsNone
	s.childFirst = p.Kind == sc_KindSerial
	if s.recordTo != "" {
		tr_openRecord(points)
		if s.counting = s.counts == "" && (p.Kind == sc_KindSURW || p.Kind == sc_KindPCT || p.Kind == sc_KindPreempt); s.counting {
			s.uses.Init(&s.tasks)
		}
	}
	tr_hideSchedule()
}

// tr_countSteps reads the record that the option counts names. It returns its text, and the number of steps to expect, 0 if it is
// not known.
func tr_countSteps() (text string, steps uint32) {
	s := &tr_sched
	if s.counts == "" {
		return "", s.plan.Steps
	}
	text = tr_readFile(s.counts, "counts")
	c := s.surw.Counts()
	if line, ok := c.Read(unsafe.Pointer(unsafe.StringData(text)), uintptr(len(text))); !ok {
		print("taskinstr: counts: ", s.counts, ":", line, ": this is no line of a recorded schedule (docs/design/schedule.md); record one with TASKINSTR=\"schedule=random record=", s.counts, "\"\n")
		exit(tr_exitUsage)
	}
	if s.plan.Steps != 0 {
		return text, s.plan.Steps
	}
	return text, c.Steps
}

// tr_forked is called when parent, or g0, has created goroutine gp.
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
	if m := s.goroutines.find(parent); m != nil && m.id != 0 {
		e.order = tr_mix(e.order, m.order)
		m.order = tr_mix(m.order, 1)
		if !s.seeded {
			// Initialization is the same in each run.
			s.seeded = true
			m.rand ^= s.seed
		}
	}
}

func tr_newTask(e *tr_goroutine, gp *g, parent sc_ID) {
	s := &tr_sched
	e.id = s.tasks.Fork(parent, uintptr(unsafe.Pointer(gp)))
	e.why = sc_New
	s.forked = true
	e.rand = s.tasks.Hash(e.id)
	if parent != 0 {
		e.rand ^= s.seed
	}
	e.order = s.tasks.Hash(e.id)
	s.strategy.Fork(e.id)
	if s.recordFd != 0 && parent != 0 {
		s.recorder.Fork(parent, e.id)
	}
}

// tr_ended is called, on the system stack, when goroutine gp ends.
func tr_ended(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil || e.id == 0 {
		return
	}
	tr_graph.ended += e.order
	s.strategy.End(e.id)
	s.tasks.End(e.id)
	e.id = 0
	if s.cur.ptr() == gp {
		s.cur = 0
	}
}

// tr_taken passes gp, which can run, to the strategy or to the goroutines of the runtime.
func tr_taken(gp *g) {
	s := &tr_sched
	e := s.goroutines.find(gp)
	if e == nil {
		// No go statement has created gp: it runs a call from C.
		e = s.goroutines.get(gp)
		tr_newTask(e, gp, 0)
	}
	switch {
	case e.id == 0:
		s.system.pushBack(gp)
	case s.resume.ptr() == gp:
	case s.cur.ptr() == gp && e.why == sc_Woken && (tr_runtimeWait(gp.waitreason) || gp.syscallsp != 0 || s.tasks.Living() == 1):
		// No other goroutine was chosen while gp waited for the runtime, or was in a
		// system call, or there is none: before main starts, for example, gp waits for
		// goroutines of the runtime if these have not come first.
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
		} else {
			tr_clock.now += tr_readLongTime
		}
		if why == sc_Woken || why == sc_New {
			tr_clock.reads = 0
			e.points = 0
		}
		if tr_depthFirst && tr_opt.verdict && (why == sc_Woken && s.cur.ptr() != gp || why == sc_Yielded && s.ready != 0) {
			tr_noteLeft(gp)
		}
		if why == tr_heldBack {
			return
		}
		if why == sc_Woken && s.limited && e.harness&1 != 0 {
			e.came = gp.syscallsp == 0
			s.harness.pushBack(gp)
			return
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

// tr_runtimeWait reports whether a goroutine with this wait reason waits for the runtime,
// and not for the program.
func tr_runtimeWait(why waitReason) bool {
	switch why {
	case waitReasonGCAssistMarking, waitReasonGCAssistWait, waitReasonGCWeakToStrongWait,
		waitReasonGarbageCollection, waitReasonGarbageCollectionScan, waitReasonGCMarkTermination,
		waitReasonWaitForGCCycle, waitReasonStoppingTheWorld, waitReasonFlushProcCaches:
		return true
	}
	return false
}

// tr_semReason returns the wait reason for the runtime's own semaphores: collections and
// stops of the world hold them.
func tr_semReason() waitReason {
	if tr_sched.on {
		return waitReasonStoppingTheWorld
	}
	return waitReasonSemacquire
}

// tr_held reports whether the goroutine chosen last waits only for the runtime or was
// preempted, so that it continues and no other is chosen.
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

// tr_pending reports whether runqget would return a goroutine. It may be called without a
// P.
func tr_pending() bool {
	s := &tr_sched
	return !s.system.empty() || s.resume != 0 || (s.ready != 0 && !s.holding || !s.harness.empty()) && !tr_held()
}

// tr_collect takes all goroutines out of the scheduler's queues.
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

// tr_runqget returns the goroutine that runs next, nil if there is none.
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
	if !s.harness.empty() && !tr_held() {
		tr_endWait()
		s.since = 0
		return tr_choose(s.harness.pop())
	}
	if s.ready == 0 && s.waiting != 0 && !tr_held() {
		tr_lockedOut(pp)
	}
	if tr_holds && s.ready == 0 && !tr_held() {
		tr_letOneGo(pp)
	}
	if tr_held() {
		return nil
	}
	tr_netBeforeChoice(pp)
	if tr_clock.on {
		tr_runTimers(pp)
		if s.replays && s.replay.Due() {
			tr_replayClock(pp)
		}
	}
	if s.ready == 0 && s.resume == 0 && s.harness.empty() && (!tr_clock.on || !tr_advance(pp)) {
		return nil
	}
	if s.ready == 0 || s.resume != 0 || !s.harness.empty() {
		return tr_runqget(pp)
	}
	if s.holding = tr_points == sc_PointsLocks && tr_sleeperComes(); s.holding {
		return nil
	}
	tr_endWait()
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
			e.served++ // its own sections do not entitle it to another sleep
		}
	}
	s.locks.Forget(id)
	s.since = 0
	return tr_choose(gp)
}

// tr_sleeperComes reports whether all goroutines that can run are about to take locks,
// and a sleeping one wakes soon enough to take part in the choice. A goroutine that
// sleeps again before another one has entered a section does not count, since it may be
// waiting for that section.
func tr_sleeperComes() bool {
	s := &tr_sched
	if s.replays {
		if s.replay.Due() || !s.replay.AtLocks() {
			return false
		}
	} else if !s.serial.AtLocks() {
		return false
	}
	now := tr_nanotime()
	found := false
	forEachGRace(func(gp *g) {
		if readgstatus(gp)&^_Gscan == _Gwaiting && gp.waitreason == waitReasonSleep && gp.bubble == nil && gp.sleepWhen-now < tr_longSleep {
			e := s.goroutines.find(gp)
			found = found || e != nil && e.id != 0 && e.served != s.sections
		}
	})
	return found
}

// tr_pendingTask reports whether a goroutine of the program can run.
func tr_pendingTask() bool {
	s := &tr_sched
	return s.resume != 0 || (s.ready != 0 || !s.harness.empty()) && !tr_held()
}

// tr_choose makes gp the goroutine that execute runs.
func tr_choose(gp *g) *g {
	s := &tr_sched
	s.cur.set(gp)
	s.chosen.set(gp)
	gp.waitreason = waitReasonZero
	return gp
}

// tr_diverts reports whether gp, which execute is about to run, was not chosen. The
// scheduler must then choose.
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

// tr_givesWay is called when gp calls Gosched or reaches the end of a time slice.
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
		tr_clock.now += tr_slow
	} else if tr_calledByRuntime(gp) {
		s.resume.set(gp)
		return
	}
	e.why = sc_Yielded
}

// tr_calledByRuntime reports whether the runtime called Gosched for gp, for example to
// let others run while gp sweeps. Gosched may be inlined.
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
