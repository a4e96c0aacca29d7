//go:build taskinstr_runtime

// The race hooks that package runtime and its callers invoke wherever raceenabled is
// true: goroutines, channels, timers, allocation, maps. They translate the runtime's
// actions into events of the detector.
//
// A hook may run on a user stack or g0, inside malloc, under channel and timer locks, and
// without a P. So each is nosplit and works on the system stack, where it is not
// preempted. None allocates Go memory or blocks.

package runtime

import (
	"internal/abi"
	"internal/runtime/atomic"
	"internal/runtime/sys"
	"unsafe"
)

const raceenabled = true

// tr_on says that the engine runs. It is set once, when the main goroutine is created,
// before any instrumented code can run.
var tr_on bool

var tr_engine ti_Engine

// tr_idle serves as the task of code that has none: the scheduler, and system goroutines
// before their first event. Its accesses are never recorded.
var tr_idle struct {
	_    [64]byte
	task ti_Task
	_    [64]byte
}

//go:nosplit
func tr_idleTask() *ti_Task { return &tr_idle.task }

// tr_taskOf returns gp's task. It returns nil if gp has none or its synchronization is
// ignored (RaceDisable).
//
//go:nosplit
func tr_taskOf(gp *g) *ti_Task {
	if gp.raceignore != 0 {
		return nil
	}
	return (*ti_Task)(unsafe.Pointer(gp.racectx))
}

// The bounds of the heap and the data segments, in which accesses are checked. The
// detector does not see the allocators of memory from C and mmap.
var tr_heapLo, tr_heapHi, tr_dataLo, tr_dataHi uintptr

//go:nosplit
func tr_owned(a uintptr) bool {
	return a-tr_heapLo < tr_heapHi-tr_heapLo || a-tr_dataLo < tr_dataHi-tr_dataLo
}

//go:nosplit
func raceinit() (gctx, pctx uintptr) {
	tr_initIdle()
	d := &firstmoduledata
	tr_dataLo = min(d.noptrdata, d.data, d.noptrbss, d.bss)
	tr_dataHi = max(d.enoptrdata, d.edata, d.enoptrbss, d.ebss)
	return 0, 1
}

//go:nosplit
func raceproccreate() uintptr { return 1 }

//go:nosplit
func raceprocdestroy(ctx uintptr) {}

//go:nosplit
func racemapshadow(addr unsafe.Pointer, size uintptr) {
	if a := uintptr(addr); tr_heapLo == 0 || a < tr_heapLo {
		tr_heapLo = a
	}
	if e := uintptr(addr) + size; e > tr_heapHi {
		tr_heapHi = e
	}
}

// Tasks.

//go:nosplit
func racegostart(pc uintptr) uintptr {
	var t *ti_Task
	gp := getg()
	systemstack(func() { t = tr_fork(gp, pc) })
	return uintptr(unsafe.Pointer(t))
}

// tr_fork creates a task as a child of the goroutine that executes the go statement; gp
// is the running one, often g0. The first call, during bootstrap, creates the main task.
func tr_fork(gp *g, pc uintptr) *ti_Task {
	if !tr_on {
		return tr_start()
	}
	parent := gp
	if gp.m.curg != nil {
		parent = gp.m.curg
	}
	p := (*ti_Task)(unsafe.Pointer(parent.racectx))
	var stack uint32
	if p != nil && parent != gp && parent.sched.bp != 0 {
		stack = tr_stackFrom(parent, p, parent.sched.bp, pc)
		stack, _ = tr_engine.Frame(stack) // pc is kept separately
	}
	if p != nil {
		tr_released(p)
	}
	t := tr_engine.Fork(p, stack, pc)
	if p != nil {
		tr_begins(t, p, pc)
	}
	if tr_tracing {
		if tr_systemFunc(findfunc(pc)) {
			tr_engine.SetBackground(t)
		}
		tr_traceFork(p, t, stack, pc)
		return t
	}
	if pc != tr_userPC {
		switch f := findfunc(pc); {
		case tr_systemFunc(f):
			tr_engine.SetBackground(t)
		case p != nil && tr_lends(f):
			tr_engine.Lend(p)
			if tr_benchLock == 0 && tr_hasPrefix(funcname(f), "testing.(*B).") {
				tr_benchTask = t
			}
		default:
			tr_userPC = pc
		}
	}
	return t
}

// Package testing holds a lock of its own while a benchmark runs, so that there is one at
// a time. This is no critical section of the program: if it were one, no task would ever
// be alone. Instead it orders benchmarks like a channel. It is the first lock that a
// benchmark's task takes.
var (
	tr_benchTask *ti_Task
	tr_benchLock uintptr
)

// tr_isBenchLock reports whether addr is that lock. t is about to take it or give it up.
//
//go:nosplit
func tr_isBenchLock(t *ti_Task, addr uintptr) bool {
	if t == tr_benchTask && tr_benchLock == 0 {
		tr_benchTask, tr_benchLock = nil, addr
	}
	return addr == tr_benchLock
}

// tr_userPC is the start function of a goroutine that is known to be the program's own.
var tr_userPC uintptr

// tr_lends reports whether f, after it has created a goroutine, only waits for it.
// Package testing runs tests and benchmarks so.
func tr_lends(f funcInfo) bool {
	if !f.valid() {
		return false
	}
	name := funcname(f)
	if !tr_hasPrefix(name, "testing.") {
		return false
	}
	switch name[len("testing."):] {
	case "(*T).Run", "(*B).run1", "(*B).doBench", "runFuzzTests":
		return true
	}
	return tr_hasPrefix(name, "testing.(*F).Fuzz.")
}

// tr_systemFunc reports whether a goroutine that f creates belongs to the runtime.
func tr_systemFunc(f funcInfo) bool {
	return f.valid() && tr_hasPrefix(funcname(f), "runtime.")
}

//go:nosplit
func racegoend() {
	gp := getg()
	t := (*ti_Task)(unsafe.Pointer(gp.racectx))
	if t == nil && !tr_sched.on {
		return
	}
	tr_sweepIfDue(gp) // a program may do nothing but start goroutines
	systemstack(func() {
		if tr_sched.on {
			tr_ended(gp)
		}
		if t != nil {
			tr_taskEnd(t)
		}
	})
	gp.racectx = 0
}

func tr_taskEnd(t *ti_Task) {
	if tr_tracing {
		tr_traceTaskEnd(t, 0)
	}
	tr_forgetWalk(t)
	tr_engine.End(t)
}

//go:nosplit
func racectxstart(pc, spawnctx uintptr) uintptr {
	var t *ti_Task
	systemstack(func() {
		p := (*ti_Task)(unsafe.Pointer(spawnctx))
		t = tr_engine.Fork(p, 0, pc)
		if tr_tracing {
			tr_traceFork(p, t, 0, pc)
		}
	})
	return uintptr(unsafe.Pointer(t))
}

//go:nosplit
func racectxend(racectx uintptr) {
	if t := (*ti_Task)(unsafe.Pointer(racectx)); t != nil {
		systemstack(func() { tr_taskEnd(t) })
	}
}

// racefingo announces that the calling goroutine is about to run finalizers or cleanups.
// From here on it is a task like any other.
func racefingo() {
	t := (*ti_Task)(unsafe.Pointer(getg().racectx))
	if t == nil {
		return
	}
	stw := stopTheWorld(stwGCMarkTerm)
	systemstack(func() {
		tr_engine.SetForeground(t)
		if tr_tracing {
			tr_traceFork(nil, t, 0, 0)
			tr_traceOperator(nil, t, tw_Event{Op: tw_Acquire}, tr_noFrame)
			return
		}
		tr_engine.AcquireAll(t)
	})
	startTheWorld(stw)
}

// tr_timerRelease is called where the program creates a timer. The function of the timer,
// if it has one, may later start a task that is ordered after this release and nothing
// later. No live task represents that order until then, so the engine must keep its
// history from here on. The alarm of package testing needs none of this: its task only
// ends the program.
//
//go:nosplit
func tr_timerRelease(addr unsafe.Pointer, function bool, arg any) {
	if function && !tr_alarm(arg) {
		systemstack(func() { tr_engine.KeepHistory() })
	}
	racerelease(addr)
}

// tr_alarm reports whether arg, the function of a timer by time.AfterFunc, is the one by
// which package testing ends tests that run too long.
//
//go:nosplit
func tr_alarm(arg any) bool {
	e := efaceOf(&arg)
	if e._type == nil || e._type.Kind() != abi.Func || e.data == nil {
		return false
	}
	f := findfunc((*funcval)(e.data).fn)
	return f.valid() && tr_hasPrefix(funcname(f), "testing.(*M).startAlarm.")
}

// Synchronization.

//go:nosplit
func raceacquire(addr unsafe.Pointer) { raceacquireg(getg(), addr) }

//go:nosplit
func raceacquireg(gp *g, addr unsafe.Pointer) {
	if getg().raceignore != 0 || gp.raceignore != 0 {
		return
	}
	if tr_sched.on {
		tr_graphed(gp, uintptr(addr), tr_graphAcquire)
	}
	if t := (*ti_Task)(unsafe.Pointer(gp.racectx)); tr_tracing && t != nil {
		tr_traceSync(gp, t, tw_Acquire, uintptr(addr))
		return
	}
	raceacquirectx(gp.racectx, addr)
}

//go:nosplit
func raceacquirectx(racectx uintptr, addr unsafe.Pointer) {
	if t := (*ti_Task)(unsafe.Pointer(racectx)); t != nil {
		if tr_tracing {
			tr_traceSync(nil, t, tw_Acquire, uintptr(addr))
			return
		}
		tr_acquire(t, uintptr(addr))
	}
}

//go:nosplit
func tr_acquire(t *ti_Task, a uintptr) {
	if !tr_engine.Acquired(t, a) {
		systemstack(func() { tr_engine.Acquire(t, a) })
	}
}

// tr_releaser returns the task of gp, which is about to release. It returns nil if gp has
// none or if either goroutine ignores synchronization.
//
//go:nosplit
func tr_releaser(gp *g) *ti_Task {
	if getg().raceignore != 0 {
		return nil
	}
	t := tr_taskOf(gp)
	if t != nil {
		tr_released(t)
	}
	return t
}

//go:nosplit
func racerelease(addr unsafe.Pointer) { racereleaseg(getg(), addr) }

//go:nosplit
func racereleaseg(gp *g, addr unsafe.Pointer) {
	if t := tr_releaser(gp); t != nil {
		if tr_sched.on {
			tr_graphed(gp, uintptr(addr), tr_graphRelease)
		}
		if tr_tracing {
			tr_traceSync(gp, t, tw_Release, uintptr(addr))
			return
		}
		systemstack(func() { tr_engine.Release(t, uintptr(addr)) })
	}
}

//go:nosplit
func racereleaseacquire(addr unsafe.Pointer) { racereleaseacquireg(getg(), addr) }

//go:nosplit
func racereleaseacquireg(gp *g, addr unsafe.Pointer) {
	if t := tr_releaser(gp); t != nil {
		if tr_tracing {
			tr_graphed(gp, uintptr(addr), tr_graphSwap)
			tr_traceSync(gp, t, tw_ReleaseAcquire, uintptr(addr))
			return
		}
		systemstack(func() {
			if tr_sched.recordFd != 0 {
				tr_graphNote(gp, uintptr(addr), tr_graphSwap)
			}
			tr_engine.ReleaseAcquire(t, uintptr(addr))
		})
	}
}

//go:nosplit
func racereleasemerge(addr unsafe.Pointer) { racereleasemergeg(getg(), addr) }

//go:nosplit
func racereleasemergeg(gp *g, addr unsafe.Pointer) {
	if t := tr_releaser(gp); t != nil {
		if tr_sched.on {
			tr_graphed(gp, uintptr(addr), tr_graphMerge)
		}
		if tr_tracing {
			tr_traceSync(gp, t, tw_ReleaseMerge, uintptr(addr))
			return
		}
		systemstack(func() { tr_engine.ReleaseMerge(t, uintptr(addr)) })
	}
}

// Memory.

//go:nosplit
func racemalloc(p unsafe.Pointer, sz uintptr) {
	if tr_tracing {
		tr_traceMemory(tw_Alloc, uintptr(p), sz, false)
		return
	}
	if tr_on && !tr_new(getg(), uintptr(p), sz) && tr_engine.HasShadow(uintptr(p), sz) {
		systemstack(func() { tr_engine.Alloc(uintptr(p), sz) })
	}
}

//go:nosplit
func racefree(p unsafe.Pointer, sz uintptr) {
	if tr_tracing {
		tr_traceMemory(tw_Free, uintptr(p), sz, true)
		return
	}
	if tr_on && tr_engine.HasShadow(uintptr(p), sz) {
		systemstack(func() { tr_engine.Free(uintptr(p), sz) })
	}
}

// tr_gcflush is called with the world stopped when a collection has marked the live
// objects. Only then can an address change its owner without an event of a task, so every
// task forgets which addresses it has checked.
func tr_gcflush() {
	if tr_tracing {
		atomic.Xadd(&tr_trace.generation, 1)
	}
	if tr_on {
		tr_engine.InvalidateFilters()
	}
}

// Accesses that the runtime makes for the program. callerpc lies in the program's
// function, pc in the runtime's.

//go:nosplit
func racewritepc(addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, 1, tr_write, callerpc, pc, nil)
}

//go:nosplit
func racereadpc(addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, 1, tr_read, callerpc, pc, nil)
}

//go:nosplit
func racereadrangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	tr_access(addr, sz, tr_read, callerpc, pc, nil)
}

//go:nosplit
func racewriterangepc(addr unsafe.Pointer, sz, callerpc, pc uintptr) {
	tr_access(addr, sz, tr_write, callerpc, pc, nil)
}

//go:nosplit
func raceReadObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, t.Size_, tr_read, callerpc, pc, nil)
}

//go:nosplit
func raceWriteObjectPC(t *_type, addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, t.Size_, tr_write, callerpc, pc, nil)
}

// Functions to which package internal/race links.

//go:linkname tr_raceRead internal/race.Read
//go:nosplit
func tr_raceRead(addr unsafe.Pointer) {
	tr_access(addr, 1, tr_read, 0, sys.GetCallerPC(), nil)
}

//go:linkname tr_raceWrite internal/race.Write
//go:nosplit
func tr_raceWrite(addr unsafe.Pointer) {
	tr_access(addr, 1, tr_write, 0, sys.GetCallerPC(), nil)
}

//go:linkname tr_raceReadRange internal/race.ReadRange
//go:nosplit
func tr_raceReadRange(addr unsafe.Pointer, n int) {
	tr_access(addr, uintptr(n), tr_read, 0, sys.GetCallerPC(), nil)
}

//go:linkname tr_raceWriteRange internal/race.WriteRange
//go:nosplit
func tr_raceWriteRange(addr unsafe.Pointer, n int) {
	tr_access(addr, uintptr(n), tr_write, 0, sys.GetCallerPC(), nil)
}

//go:linkname tr_raceReadPC internal/race.ReadPC
//go:nosplit
func tr_raceReadPC(addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, 1, tr_read, callerpc, pc, nil)
}

//go:linkname tr_raceWritePC internal/race.WritePC
//go:nosplit
func tr_raceWritePC(addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, 1, tr_write, callerpc, pc, nil)
}

//go:linkname tr_raceReadObjectPC internal/race.ReadObjectPC
//go:nosplit
func tr_raceReadObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, t.Size_, tr_read, callerpc, pc, nil)
}

//go:linkname tr_raceWriteObjectPC internal/race.WriteObjectPC
//go:nosplit
func tr_raceWriteObjectPC(t *abi.Type, addr unsafe.Pointer, callerpc, pc uintptr) {
	tr_access(addr, t.Size_, tr_write, callerpc, pc, nil)
}

//go:linkname tr_raceAcquire internal/race.Acquire
//go:nosplit
func tr_raceAcquire(addr unsafe.Pointer) { raceacquire(addr) }

//go:linkname tr_raceRelease internal/race.Release
//go:nosplit
func tr_raceRelease(addr unsafe.Pointer) { racerelease(addr) }

//go:linkname tr_raceReleaseMerge internal/race.ReleaseMerge
//go:nosplit
func tr_raceReleaseMerge(addr unsafe.Pointer) { racereleasemerge(addr) }

//go:linkname tr_raceDisable internal/race.Disable
//go:nosplit
func tr_raceDisable() { getg().raceignore++ }

//go:linkname tr_raceEnable internal/race.Enable
//go:nosplit
func tr_raceEnable() { getg().raceignore-- }

// tr_raceErrors is called by package testing before and after each test. A race that an
// earlier test was told of is to be reported in the next test as well.
//
//go:linkname tr_raceErrors internal/race.Errors
func tr_raceErrors() int {
	n := atomic.Load(&tr_failures)
	if n != atomic.Load(&tr_failuresTold) {
		atomic.Store(&tr_failuresTold, n)
		tr_engine.ReportAgain()
	}
	return int(n)
}

// Lock operations. Package sync calls these functions instead of acquire and release (see
// the patches of internal/sync and sync).

//go:linkname tr_raceLock internal/race.Lock
//go:nosplit
func tr_raceLock(addr unsafe.Pointer, shared bool) {
	gp := getg()
	if tr_orders {
		tr_lockTaken(gp, addr, shared)
	}
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	if tr_isBenchLock(t, uintptr(addr)) {
		raceacquireg(gp, addr)
		return
	}
	if tr_sched.on {
		tr_graphed(gp, uintptr(addr), tr_graphAcquire)
	}
	tr_lockWord(gp, t, addr, sys.GetCallerPC())
	tr_noteLockPC(gp, t, getfp())
	if tr_tracing {
		tr_traceLock(gp, t, tw_Lock, uintptr(addr), shared)
	} else {
		systemstack(func() { tr_engine.Lock(t, uintptr(addr), shared) })
	}
	switch tr_points {
	case sc_PointsAll:
		tr_heldPoint(addr, shared)
	case sc_PointsStops:
		tr_stop(gp, (*sc_Replay).Took)
	}
}

//go:linkname tr_raceUnlock internal/race.Unlock
//go:nosplit
func tr_raceUnlock(addr unsafe.Pointer, shared bool) {
	gp := getg()
	if tr_orders {
		if tr_points == sc_PointsOps {
			want := sc_WantUnlock
			if shared {
				want |= sc_WantShared
			}
			tr_announce(uintptr(addr), want)
		}
		tr_lockGiven(gp, addr, shared)
	}
	t := tr_taskOf(gp)
	if t == nil {
		return
	}
	if tr_isBenchLock(t, uintptr(addr)) {
		racereleaseg(gp, addr)
		return
	}
	if tr_sched.on {
		op := tr_graphRelease
		if shared {
			op = tr_graphMerge // the next writer comes after all readers
		}
		tr_graphed(gp, uintptr(addr), op)
	}
	tr_lockWord(gp, t, addr, sys.GetCallerPC())
	if tr_tracing {
		tr_traceLock(gp, t, tw_Unlock, uintptr(addr), shared)
		return
	}
	fp := getfp()
	systemstack(func() {
		if !tr_engine.Unlock(t, uintptr(addr), shared) && tr_opt.verdict && gp == gp.m.curg {
			tr_noteCaller(gp, t, tr_choiceHandover, fp)
		}
	})
}

// tr_lockWord records that a lock operation accesses the lock's own memory, so that
// overwriting a lock in use is a race. The access is atomic, because operations of one
// lock do not race with each other. Lock operations are frequent, so only one is recorded
// for each lock between two releases of the task other than unlocks. An overwrite ordered
// after the recorded operation but not after a later one is still a predicted race.
//
//go:nosplit
func tr_lockWord(gp *g, t *ti_Task, addr unsafe.Pointer, pc uintptr) {
	a := uintptr(addr)
	w := (*tr_walk)(unsafe.Pointer(t.Host))
	if w != nil && w.locks.has(a) {
		return
	}
	if gp != gp.m.curg || tr_engine.Alone(t) || !tr_owned(a) || a-gp.stack.lo < gp.stack.hi-gp.stack.lo {
		return
	}
	off := gp.stack.hi - getfp()
	n := uintptr(1)
	if a%8 == 0 {
		n = 8 // the whole lock, so that the word stays whole; RWMutex begins with a Mutex
	}
	probe := tr_engine.Probe(t, a, n, tr_atomic|tr_write)
	added := w != nil && w.locks.due() == 0
	if added {
		w.locks.put(a)
	}
	if added && probe == ra_Covered {
		return
	}
	t.Act++
	t.Word = true
	if !added || probe != ra_Open || !tr_roomForHook(gp) || !tr_quickHook(gp, t, a, n, tr_atomic|tr_write, pc, pc, off, nil) {
		systemstack(func() {
			if !added {
				tr_walkOf(t).locks.add(a)
			}
			if probe != ra_Covered {
				tr_recordHere(gp, t, a, n, tr_atomic|tr_write, pc, pc, off, nil, probe)
			}
		})
	}
	t.Word = false
}

// tr_released is called at each release of t other than an unlock.
//
//go:nosplit
func tr_released(t *ti_Task) {
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); w != nil {
		w.locks.forget()
	}
}

// A tr_lockMemo has addresses of locks whose operations were recorded as accesses since the
// task's last release other than an unlock.
type tr_lockMemo struct {
	few    [4]uintptr
	missed uint32         // additions so far
	tag    uint16         // of the valid entries of many, in their upper bits
	many   unsafe.Pointer // a table of mask+1 numbers; nil in tasks with few additions
	mask   uintptr
}

// A task gets a table of 256 entries with its 64th addition, and one of 4096 with its 2048th.
const (
	tr_lockPatience, tr_lockTable         = 64, 256
	tr_lockManyPatience, tr_lockManyTable = 2048, 4096
)

//go:nosplit
func (m *tr_lockMemo) has(a uintptr) bool {
	return m.few[a>>3%uintptr(len(m.few))] == a || m.many != nil && *m.entry(a) == uint64(m.tag)<<48|uint64(a)
}

//go:nosplit
func (m *tr_lockMemo) entry(a uintptr) *uint64 {
	return (*uint64)(add(m.many, (a>>3^a>>11)&m.mask*8))
}

func (m *tr_lockMemo) add(a uintptr) {
	if n := m.due(); n != 0 {
		m.grow(n)
	}
	m.put(a)
}

// due returns the number of entries of the table that m needs for its next addition, 0 if it has enough.
//
//go:nosplit
func (m *tr_lockMemo) due() uintptr {
	switch m.missed + 1 {
	case tr_lockPatience:
		return tr_lockTable
	case tr_lockManyPatience:
		return tr_lockManyTable
	}
	return 0
}

// put adds a where no table is due.
//
//go:nosplit
func (m *tr_lockMemo) put(a uintptr) {
	m.missed++
	m.few[a>>3%uintptr(len(m.few))] = a
	if m.many != nil {
		*m.entry(a) = uint64(m.tag)<<48 | uint64(a)
	}
}

// grow gives m an empty table of n entries, n a power of two.
func (m *tr_lockMemo) grow(n uintptr) {
	m.many, m.mask, m.tag = persistentalloc(n*8, 8, &memstats.other_sys), n-1, 1
}

//go:nosplit
func (m *tr_lockMemo) forget() {
	m.few = [4]uintptr{}
	if m.many != nil {
		if m.tag++; m.tag == 0 {
			memclrNoHeapPointers(m.many, (m.mask+1)*8)
			m.tag = 1
		}
	}
}
