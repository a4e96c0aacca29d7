package rt

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A patch changes the text of one function of a std package, and no line numbers.
type patch struct {
	pkg, file string
	fn        string // Name or Recv.Name
	old, new  string
	count     int // how often old stands in the function
	why       string
}

// patches are the rows below; a row is for each of its files and each of its functions.
var patches = spread([]patch{
	{"runtime", "mgc.go", "gcMarkTermination", "{", "{ tr_gcflush();", firstOnly,
		"after a collection addresses can have new owners"},
	{"runtime", "time.go", "newTimer", "racerelease(unsafe.Pointer(&t.timer))", "tr_timerRelease(unsafe.Pointer(&t.timer), c == nil, arg)", 1,
		"a timer's function is a task that starts later"},
	{"runtime", "select.go", "selectgo", "{", "{ if tr_sched.on { tr_selectPoint(cas0, nsends+nrecvs, block) }; tr_useSelect(cas0, nsends, nrecvs, sys.GetCallerPC());", firstOnly, "verdict, order of critical sections"},
	{"runtime", "chan.go", "chansend", "{", "{ tr_useChan(c, true, block);", firstOnly, "verdict, order of critical sections"},
	{"runtime", "chan.go", "chanrecv", "{", "{ tr_useChan(c, false, block);", firstOnly, "verdict, order of critical sections"},
	{"runtime", "chan.go", "closechan", "{", "{ if tr_sched.on { tr_syncPoint(sc_OpChan, uintptr(unsafe.Pointer(c))) }; tr_orderChan(c, true, true);", firstOnly, "order of critical sections"},

	{"runtime", "symtab.go", "funcInfo.srcFunc", "f.funcID", "tr_funcID(f.funcID, f.startLine)", 1, "functions that stand for method values"},
	{"runtime", "symtabinl.go", "inlineUnwinder.srcFunc", "t.funcID", "tr_funcID(t.funcID, t.startLine)", 1, "functions that stand for method values"},

	{"runtime", "traceback.go", "funcNamePiecesForPrint", `return name, "", ""`, `a, b := tr_ownName(name); return a, "", b`, firstOnly, "copies of functions have the names of these"},

	{"runtime", "stack.go", "adjustframe", "{", "{ tr_adjustDead(frame, adjinfo);", firstOnly, "stacks are walked by frame pointers, and Go 1.25 leaves that of a frame behind a fault where it was"},

	{"runtime", "chan.go", "chansend", "racenotify(c, c.sendx, nil)", "tr_racenotify(c, c.sendx, nil, tr_chanSend)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "send", "racesync(c, sg)", "tr_racesync(c, sg, tr_chanSend)", 1, "both sides are at hand: nothing need be left in the channel"},
	{"runtime", "chan.go", "send", "racenotify(c, c.recvx, nil)", "tr_racenotify(c, c.recvx, nil, tr_chanSend)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "send", "racenotify(c, c.recvx, sg)", "tr_racenotify(c, c.recvx, sg, tr_chanReceive)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "recv", "racesync(c, sg)", "tr_racesync(c, sg, tr_chanReceive)", 1, "both sides are at hand: nothing need be left in the channel"},
	{"runtime", "chan.go", "recv chanrecv", "racenotify(c, c.recvx, nil)", "tr_racenotify(c, c.recvx, nil, tr_chanReceive)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "recv", "racenotify(c, c.recvx, sg)", "tr_racenotify(c, c.recvx, sg, tr_chanSend)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "chanrecv", "raceacquire(c.raceaddr())", "tr_raceclosed(c, getg())", 2, "trace: which operation it is"},
	{"runtime", "chan.go", "closechan", "racerelease(c.raceaddr())", "tr_raceclose(c)", 1, "trace: which operation it is"},
	{"runtime", "chan.go", "closechan", "raceacquireg(gp, c.raceaddr())", "tr_raceclosed(c, gp)", 2, "trace: which operation it is"},
	{"runtime", "select.go", "selectgo", "racenotify(c, c.recvx, nil)", "tr_racenotify(c, c.recvx, nil, tr_chanReceive)", 1, "trace: which operation it is"},
	{"runtime", "select.go", "selectgo", "racenotify(c, c.sendx, nil)", "tr_racenotify(c, c.sendx, nil, tr_chanSend)", 1, "trace: which operation it is"},
	{"runtime", "select.go", "selectgo", "raceacquire(c.raceaddr())", "tr_raceclosed(c, getg())", 1, "trace: which operation it is"},
	{"runtime", "proc.go", "os_beforeExit", "{", "{ tr_traceEnding(exitCode);", firstOnly, "trace: the last block"},

	// Threads of C (files/runtime/cgo.go).
	{"runtime", "cgocall.go", "cgocall", "racereleasemerge(unsafe.Pointer(&racecgosync))", "tr_callsC()", 1, "callbacks do not order each other"},
	{"runtime", "cgocall.go", "cgocall", "raceacquire(unsafe.Pointer(&racecgosync))", "tr_returnsFromC()", 1, "callbacks do not order each other"},
	{"runtime", "cgocall.go", "cgocallbackg1", "{", "{ tr_fromC();", firstOnly, "each thread of C is a task"},
	{"runtime", "cgocall.go", "cgocallbackg1", "raceacquire(unsafe.Pointer(&racecgosync))", "tr_callbackBegins()", 1, "callbacks do not order each other"},
	{"runtime", "cgocall.go", "cgocallbackg1", "racereleasemerge(unsafe.Pointer(&racecgosync))", "tr_callbackEnds()", 1, "callbacks do not order each other"},
	{"runtime", "proc.go", "oneNewExtraM", "racegostart(abi.FuncPCABIInternal(newextram) + sys.PCQuantum)", "tr_newThread()", 1, "a callback of another thread makes this goroutine"},
	{"runtime", "proc.go", "dropm", "mp.isExtraInSig = false", "mp.isExtraInSig = false; tr_threadEnds(mp.curg)", 1, "each thread of C is a task"},

	// The choice of the goroutine that runs next (files/runtime/schedule.go, point.go).
	{"runtime", "proc.go", "procresize", "{", "{ nprocs = tr_procs(nprocs);", firstOnly, "options are read before there are Ps; a schedule has one"},
	{"runtime", "debug.go", "GOMAXPROCS", "ret := int(gomaxprocs)", "ret := tr_procsTold(int(gomaxprocs))", 1, "programs size their pools by it"},
	{"runtime", "proc.go", "newproc1", "releasem(mp)", "if tr_sched.on { tr_forked(newg, callergp) }; releasem(mp)", 1, "schedule: a goroutine's name"},
	{"runtime", "proc.go", "newproc", "})", "}); if tr_sched.on { tr_afterGo() }", 1, "schedule: a choice"},
	{"runtime", "proc.go", "newproc", "if mainStarted {", "if mainStarted && !tr_sched.on {", 1, "schedule: there is no other P to wake"},
	{"runtime", "proc.go", "goexit0", "schedule()", "if tr_sched.on { tr_next() }; schedule()", 1, "schedule: the next one without a turn of the scheduler"},
	{"runtime", "proc.go", "park_m", "\tschedule()\n", "\tif tr_sched.on { tr_next() }; schedule()\n", 1, "schedule: the next one without a turn of the scheduler"},
	{"runtime", "proc.go", "casgstatus", "casgstatusAlwaysTrack || gp.trackingSeq%gTrackingPeriod == 0", "(casgstatusAlwaysTrack || gp.trackingSeq%gTrackingPeriod == 0) && !tr_sched.on", 1, "schedule: the time that goroutines wait for their turn tells nothing"},
	{"runtime", "traceback.go", "isSystemGoroutine", "{", "{ if tr_isUser(gp) { return false };", firstOnly, "schedule: known functions"},
	{"runtime", "proc.go", "runqput", "{", "{ if tr_sched.on { tr_taken(gp); return };", firstOnly, "schedule: who can run"},
	{"runtime", "proc.go", "runqget", "{", "{ if tr_sched.on { return tr_runqget(pp), false };", firstOnly, "schedule: who runs"},
	{"runtime", "proc.go", "runqempty", "{", "{ if tr_sched.on && tr_pending() { return false };", firstOnly, "schedule: whether anybody can run"},
	{"runtime", "proc.go", "runqputbatch", "if randomizeScheduler {", "if randomizeScheduler && !tr_sched.on {", 1, "schedule: the same order each time"},
	{"runtime", "proc.go", "execute", "{", "{ if tr_sched.on && tr_diverts(gp) { schedule() };", firstOnly, "schedule: nobody runs who was not chosen"},
	{"runtime", "proc.go", "goschedImpl", "{", "{ if tr_sched.on { tr_givesWay(gp, preempted) };", firstOnly, "schedule: time slices are no choices"},
	{"runtime", "proc.go", "retake", "runqempty(pp) && sched.nmspinning", "tr_sched.on && tr_shortCall(pp.syscalltick, now) || runqempty(pp) && sched.nmspinning", 1, "schedule: short system calls are no choices"},
	{"runtime", "proc.go", "os_beforeExit", "{", "{ if tr_sched.on && exitCode != 0 { tr_closeRecord() };", firstOnly, "schedule: the record"},
	{"runtime", "proc.go", "os_beforeExit", "runExitHooks(exitCode)", "runExitHooks(exitCode); tr_failedEnd(exitCode)", 1, "goroutines left behind, pairs of accesses"},
	{"runtime", "panic.go", "dopanic_m", "{", "{ tr_closeRecord(); tr_traceEnding(2);", firstOnly, "schedule: the record; trace: the last block, of a deadlock, too"},
	{"runtime", "panic.go", "startpanic_m", "{", "{ if tr_sched.on { tr_closeRecord() };", firstOnly, "schedule: the record of a program that a signal ends"},
	{"runtime", "mgc.go", "gcenable", "{", "{ if tr_sched.on { gcBgMarkStartWorkers() };", firstOnly, "schedule: the first collection is no choice"},
	{"runtime", "sema.go", "semacquire", "waitReasonSemacquire", "tr_semReason()", 1, "schedule: waiting for a collection is no choice"},
	{"runtime", "time.go", "time_runtimeNow", "return time_now()", "if tr_clock.on { return tr_timeNow() }; return time_now()", 1, "schedule: the program's clock"},
	{"runtime", "time.go", "time_runtimeNano", "return nanotime()", "if tr_clock.on { return tr_timeNano() }; return nanotime()", 1, "schedule: the program's clock"},
	{"runtime", "time.go", "timeSleep", "now = nanotime()", "now = tr_nanotime()", 1, "schedule: the program's clock"},
	{"runtime", "time.go", "timer.maybeRunAsync", "now := nanotime()", "now := tr_nanotime()", ifThere, "schedule: the program's clock"},
	{"runtime", "time.go", "timer.maybeRunChan", "now := nanotime()", "now := tr_nanotime()", 1, "schedule: the program's clock"},
	{"runtime", "time.go", "timers.check", "{", "{ if tr_clock.on && bubble == nil && !tr_clock.checks { return tr_peekTimers(ts) };", firstOnly, "schedule: timers run before choices only"},
	{"runtime", "time.go", "timeSleepUntil", "w := pp.timers.wakeTime()", "w := tr_realTime(pp.timers.wakeTime())", 1, "schedule: the system's clock"},
	{"runtime", "proc.go", "checkTimersNoP", "w := p2.timers.wakeTime()", "w := tr_realTime(p2.timers.wakeTime())", 1, "schedule: the system's clock"},
	{"runtime", "proc.go", "wakeNetPoller", "{", "{ when = tr_realTime(when);", firstOnly, "schedule: the system's clock"},
	{"runtime", "netpoll.go", "poll_runtime_pollSetDeadline", "d += nanotime()", "d += tr_nanotime()", 1, "schedule: the program's clock"},
	{"runtime", "netpoll.go", "poll_runtime_pollOpen", "return pd, 0", "if tr_sched.on { tr_netOpened(pd) }; return pd, 0", 1, "schedule: sockets of the program"},
	{"runtime", "netpoll.go", "poll_runtime_pollClose", "{", "{ if tr_sched.on { tr_netClosed(pd) };", firstOnly, "schedule: sockets of the program"},
	{"runtime", "proc.go", "sysmon", "if netpollinited() && lastpoll != 0", "if !tr_sched.on && netpollinited() && lastpoll != 0", 1, "schedule: the network is polled before choices"},
	{"runtime", "proc.go", "findRunnable", "if netpollinited() && netpollAnyWaiters() && sched.lastpoll.Load() != 0", "if !tr_sched.on && netpollinited() && netpollAnyWaiters() && sched.lastpoll.Load() != 0", 1, "schedule: the network is polled before choices"},
	{"net", "fd_posix.go", "netFD.setAddr", "{", "{ fd.taskinstr_address(laddr, raddr);", firstOnly, "schedule: sockets of the program"},
	{"syscall", "syscall_unix.go", "Read", "n, err = read(fd, p)", "n, err = read(fd, p); if race.Scheduled { taskinstr_moved(fd, n, false) }", 1, "schedule: data on its way"},
	{"syscall", "syscall_unix.go", "Write", "n, err = write(fd, p)", "n, err = write(fd, p); if race.Scheduled { taskinstr_moved(fd, n, true) }", 1, "schedule: data on its way"},
	{"runtime", "sema.go", "notifyListAdd", "{", "{ if tr_sched.on { tr_syncPoint(sc_OpWrite, uintptr(unsafe.Pointer(l))) };", firstOnly, "schedule: a point before Cond.Wait"},
	{"runtime", "sema.go", "notifyListNotifyOne", "{", "{ if tr_sched.on { tr_syncPoint(sc_OpWrite, uintptr(unsafe.Pointer(l))) };", firstOnly, "schedule: a point before Cond.Signal"},
	{"runtime", "sema.go", "notifyListNotifyAll", "{", "{ if tr_sched.on { tr_syncPoint(sc_OpWrite, uintptr(unsafe.Pointer(l))) };", firstOnly, "schedule: a point before Cond.Broadcast"},
	{"runtime", "select.go", "selectgo", "cheaprandn(uint32(norder + 1))", "tr_randn(uint32(norder + 1))", 1, "schedule: the same case each time"},
	{"runtime", "rand.go", "randinit", "globalRand.state.Init(*seed)", "globalRand.state.Init(*seed); if tr_wantsSchedule() { clear(seed[:]); globalRand.state.Init(*seed) }", 1, "schedule: maps and sync.Map look the same each time"},
	{"os", "tempfile.go", "nextRandom", "runtime_rand()", "taskinstr_temporary()", 1, "schedule: a name that exists already changes no other random number"},
	{"crypto/internal/sysrand", "rand.go", "Read", "{", "{ if taskinstr_seeded(b) { return };", firstOnly, "schedule: random bytes, if asked"},
	{"runtime", "rand.go", "rand", "{", "{ if tr_sched.on { if x, ok := tr_rand(); ok { return x } };", firstOnly, "schedule: the same order of maps each time"},

	// The detector distinguishes locks from other synchronization.
	{"internal/sync", "mutex.go", "Mutex.Lock Mutex.TryLock Mutex.lockSlow", "race.Acquire(unsafe.Pointer(m))", "race.Lock(unsafe.Pointer(m), false)", 1, "lock"},
	{"internal/sync", "mutex.go", "Mutex.Unlock", "race.Release(unsafe.Pointer(m))", "race.Unlock(unsafe.Pointer(m), false)", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.RLock RWMutex.TryRLock", "race.Acquire(unsafe.Pointer(&rw.readerSem))", "race.Lock(unsafe.Pointer(rw), true)", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.RUnlock", "race.ReleaseMerge(unsafe.Pointer(&rw.writerSem))", "race.Unlock(unsafe.Pointer(rw), true)", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.Lock RWMutex.TryLock", "race.Acquire(unsafe.Pointer(&rw.readerSem))", "race.Lock(unsafe.Pointer(rw), false)", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.Lock RWMutex.TryLock", "race.Acquire(unsafe.Pointer(&rw.writerSem))", "", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.Unlock", "race.Release(unsafe.Pointer(&rw.readerSem))", "race.Unlock(unsafe.Pointer(rw), false)", 1, "lock"},
	{"sync", "rwmutex.go", "RWMutex.RLock RWMutex.TryRLock RWMutex.RUnlock RWMutex.Lock RWMutex.TryLock RWMutex.Unlock", "race.Read(unsafe.Pointer(&rw.w))", "_ = rw.writerSem", 1, "Lock and Unlock record it; a nil lock must still fault before race.Disable"},

	// Scheduling points.
	{"internal/sync", "mutex.go", "Mutex.Lock", "{", "{ if race.Scheduled { race.Locking(unsafe.Pointer(m), false, false) };", firstOnly, "schedule: a point"},
	{"internal/sync", "mutex.go", "Mutex.TryLock", "{", "{ if race.Noted { race.Trying() }; if race.Scheduled { race.Locking(unsafe.Pointer(m), false, true) };", firstOnly, "schedule: a point"},
	{"internal/sync", "mutex.go", "Mutex.lockSlow", "runtime_nanotime()-waitStartTime > starvationThresholdNs", "!race.Scheduled && runtime_nanotime()-waitStartTime > starvationThresholdNs", 1, "schedule: time decides nothing"},
	{"sync", "rwmutex.go", "RWMutex.RLock", "{", "{ if race.Scheduled { race.Locking(unsafe.Pointer(rw), true, false) };", firstOnly, "schedule: a point"},
	{"sync", "rwmutex.go", "RWMutex.TryRLock", "{", "{ if race.Noted { race.Trying() }; if race.Scheduled { race.Locking(unsafe.Pointer(rw), true, true) };", firstOnly, "schedule: a point"},
	{"sync", "rwmutex.go", "RWMutex.Lock", "{", "{ if race.Scheduled { race.Locking(unsafe.Pointer(rw), false, false) };", firstOnly, "schedule: a point"},
	{"sync", "rwmutex.go", "RWMutex.TryLock", "{", "{ if race.Noted { race.Trying() }; if race.Scheduled { race.Locking(unsafe.Pointer(rw), false, true) };", firstOnly, "schedule: a point"},
	{"sync", "waitgroup.go", "WaitGroup.Add", "{", "{ if race.Scheduled { race.Counting(unsafe.Pointer(wg), delta) };", firstOnly, "schedule: a point"},
	{"sync", "waitgroup.go", "WaitGroup.Wait", "{", "{ if race.Scheduled { race.Waiting(unsafe.Pointer(wg)) };", firstOnly, "schedule: a point"},

	// These functions copy memory for code that has checks of its own, with the
	// expression. Only reflect, which calls the first one without a check, needs the hook.
	{"runtime", "mbarrier.go", "typedslicecopy", "if raceenabled {", "if false {", 1, "copy and append are checked where they stand"},
	{"runtime", "mbarrier.go", "reflect_typedslicecopy", "return typedslicecopy(", "tr_reflectCopy(elemType, dst, src); return typedslicecopy(", 1, "reflect.Copy has no check of its own"},
	{"runtime", "mbarrier.go", "reflect_typedmemclr", "typedmemclr(typ, ptr)", "racewriterangepc(ptr, typ.Size_, sys.GetCallerPC(), abi.FuncPCABIInternal(reflect_typedmemclr)); typedmemclr(typ, ptr)", 1, "nor have Value.SetZero and Value.Set of a zero struct or array (-race misses them)"},
	{"runtime", "mbarrier.go", "reflect_typedarrayclear", "memclrNoHeapPointers(ptr, size)", "racewriterangepc(ptr, size, sys.GetCallerPC(), abi.FuncPCABIInternal(reflect_typedarrayclear)); memclrNoHeapPointers(ptr, size)", 1, "nor Value.Clear of a slice (-race misses it)"},
	{"runtime", "iface.go", "convT convTnoptr", "if raceenabled {", "if false {", 1, "the operand was read by code with checks"},

	{"runtime", "checkptr.go", "checkptrStraddles", "end := add", "if tr_oneObject(uintptr(ptr), size) { return false }; end := add", 1, "the same answer with half of the work"},
	{"runtime", "checkptr.go", "checkptrArithmetic", "{", "{ if tr_sameObject(uintptr(p), originals) { return };", firstOnly, "the same answer with half of the work"},

	// The log of the files and variables that a test run depends on, for the go command's
	// cache of results. (The header of the log has been written before.)
	{"testing/internal/testdeps", "deps.go", "TestDeps.StartTestLog", "log.mu.Unlock()", "log.mu.Unlock(); log.Getenv(\"TASKINSTR\"); log.Getenv(\"GORACE\")", 1, "options of the run"},

	// A nil receiver must fault before the function begins to ignore synchronization.
	// Otherwise a goroutine that recovers from the fault ignores it for ever.
	{"sync", "waitgroup.go", "WaitGroup.Add", "race.Disable()", "_ = wg.sema; race.Disable()", 1, "nil WaitGroup"},
	{"sync", "waitgroup.go", "WaitGroup.Wait", "race.Disable()", "_ = wg.sema; race.Disable()", firstOnly, "nil WaitGroup"},
	{"sync", "pool.go", "Pool.Get Pool.Put", "race.Disable()", "if p != nil { race.Disable() }", 1, "pin panics for a nil Pool"},
	{"sync", "pool.go", "Pool.Get", "race.Acquire(poolRaceAddr(x))", "if !race.Got(x) { x = nil }", 1, "objects that order nobody are used again"},
	{"sync", "pool.go", "Pool.Put", "race.ReleaseMerge(poolRaceAddr(x))", "race.Put(x)", 1, "an object orders its own users only"},
	{"sync", "pool.go", "Pool.Put", "runtime_randn(4) == 0", "p != nil && race.Drops()", 1, "pin panics for a nil Pool, each time; Got drops objects"},

	// The bookkeeping of package testing must not order tests. Its lists of running tests
	// use atomics and maps of package sync.
	{"testing", "testing.go", "T.Parallel", "t.parent.sub = append(t.parent.sub, t)", "func() " + aside + " t.taskinstr_list() }()", 1, "books of tests above"},
	{"testing", "testing.go", "T.Parallel", "running.Delete(t.name)", "race.Disable(); running.Delete(t.name); race.Enable()", 1, "books"},
	{"testing", "testing.go", "T.Parallel T.Run", "running.Store(t.name, highPrecisionTimeNow())", "race.Disable(); running.Store(t.name, highPrecisionTimeNow()); race.Enable()", 1, "books"},
	{"testing", "testing.go", "T.Parallel", "parallelStart.Add(1)", "race.Disable(); parallelStart.Add(1); race.Enable()", 1, "books"},
	{"testing", "testing.go", "tRunner", "parallelStop.Add(1)", "race.Disable(); parallelStop.Add(1); race.Enable()", 1, "books"},
	{"testing", "testing.go", "tRunner", "running.Delete(t.name)", "race.Disable(); running.Delete(t.name); race.Enable()", 2, "books"},
	{"testing", "testing.go", "tRunner", "running.Store(t.name, cleanupStart)", "race.Disable(); running.Store(t.name, cleanupStart); race.Enable()", 1, "books"},
	{"testing", "testing.go", "testState.waitParallel", "{", "{ defer s.taskinstr_got(taskinstr_suspend());", firstOnly, "the limiter"},
	{"testing", "testing.go", "testState.release", "{", "{ s.taskinstr_gives(); defer taskinstr_resume(taskinstr_suspend());", firstOnly, "the limiter"},
	{"testing", "testing.go", "T.report common.checkRaces common.flushPartial common.callSite chattyPrinter.Updatef chattyPrinter.Printf", "{", aside, firstOnly, "books"},
	{"testing", "testing.go", "common.setRan", "c.parent.setRan()", "func() " + aside + " c.parent.setRan() }()", 1, "books of tests above"},
	{"testing", "testing.go", "common.Fail", "c.parent.Fail()", "func() " + aside + " c.parent.Fail() }()", 1, "books of tests above"},
	{"testing", "match.go", "matcher.fullName", "{", aside, firstOnly, "books"},
	{"testing/internal/testdeps", "deps.go", "testLog.add", "{", aside, firstOnly, "books"},

	// Reports name the test that shows them.
	{"testing", "testing.go", "MainStart", "{", "{ taskinstr_package(deps.ImportPath());", firstOnly, "a report's package"},
	{"testing", "testing.go", "tRunner", "{", "{ taskinstr_harness(true); taskinstr_runs(t.name);", firstOnly, "a report's test"},
	{"testing", "fuzz.go", "fRunner", "{", "{ taskinstr_harness(true); taskinstr_runs(f.name);", firstOnly, "a report's test"},
	{"testing", "benchmark.go", "B.runN", "{", "{ taskinstr_runs(b.name);", firstOnly, "a report's test"},
	{"testing", "run_example.go", "runExample", "{", "{ taskinstr_runs(eg.Name); defer taskinstr_runs(\"\");", firstOnly, "a report's test"},

	// A schedule leaves the code of package testing alone (files/runtime/scheduletest.go).
	{"runtime", "proc.go", "main", "needUnlock = false", "needUnlock = false; tr_begin(true)", 1, "schedule: initialization is over"},
	{"testing", "testing.go", "M.Run T.Run T.Parallel common.runCleanup common.Cleanup common.Fail common.Helper common.log", "{", harness, firstOnly, "schedule: no points"},
	{"testing", "testing.go", "common.runCleanup", "\t\tcleanup()", "\t\ttaskinstr_harness(false); cleanup(); taskinstr_harness(true)", 1, "schedule: the program's code"},
	{"testing", "testing.go", "tRunner", "\tfn(t)\n", "\tt.taskinstr_starts(); fn(t); taskinstr_harness(true)\n", 1, "schedule: the program's code"},
	{"testing", "testing.go", "tRunner", "t.done = true", "taskinstr_ends(); t.done = true", 1, "schedule: a point"},
	{"testing", "testing.go", "tRunner", "t.checkRaces()", "taskinstr_harness(true); t.checkRaces()", firstOnly, "schedule: no points"},
	{"testing", "fuzz.go", "F.Fuzz", "{", harness, firstOnly, "schedule: no points"},
	{"testing", "fuzz.go", "fRunner", "fn(f)", "taskinstr_begins(); taskinstr_harness(false); fn(f); taskinstr_harness(true)", 1, "schedule: the program's code"},
	{"testing", "fuzz.go", "fRunner", "f.checkRaces()", "taskinstr_harness(true); f.checkRaces()", firstOnly, "schedule: no points"},
	{"testing", "run_example.go", "runExample", "var buf strings.Builder", "taskinstr_harness(true); var buf strings.Builder", 1, "schedule: no points"},
	{"testing", "run_example.go", "runExample", "eg.F()", "taskinstr_begins(); taskinstr_harness(false); eg.F()", 1, "schedule: the program's code"},
	{"testing", "run_example.go", "runExample", "timeSpent := time.Since(start)", "taskinstr_harness(true); timeSpent := time.Since(start)", 1, "schedule: no points"},

	{"fmt", "print.go", "newPrinter", "ppFree.Get().(*pp)", "taskinstr_printer()", 1, "a printer used again orders nobody"},
	{"fmt", "print.go", "pp.free", "ppFree.Put(p)", "taskinstr_printed(p)", 1, "a printer used again orders nobody"},

	{"log", "log.go", "getBuffer", "bufferPool.Get().(*[]byte)", "taskinstr_buffer()", 1, "a buffer used again orders nobody"},
	{"log", "log.go", "putBuffer", "bufferPool.Put(p)", "taskinstr_buffered(p)", 1, "a buffer used again orders nobody"},
	{"log", "log.go", "Logger.output", "l.outMu.Lock()", "taskinstr_quiet(); l.outMu.Lock()", 1, "who has logged before orders nobody"},
	{"log/slog", "handler.go", "commonHandler.handle", "h.mu.Lock()", "taskinstr_quiet(); h.mu.Lock()", 1, "who has logged before orders nobody"},
	{"log/slog/internal/buffer", "buffer.go", "New", "bufPool.Get().(*Buffer)", "taskinstr_buffer()", 1, "a buffer used again orders nobody"},
	{"log/slog/internal/buffer", "buffer.go", "Buffer.Free", "bufPool.Put(b)", "taskinstr_buffered(b)", 1, "a buffer used again orders nobody"},

	// The lock of a file orders what its users do with the file, and nothing else.
	{"internal/poll", "fd_mutex.go", "fdMutex.incref", "{", asideTask, firstOnly, "the hooks say which lock it is"},
	{"internal/poll", "fd_mutex.go", "fdMutex.incref", "return true", "return mu.taskinstr_refers(task)", 1, "lock"},
	{"internal/poll", "fd_mutex.go", "fdMutex.increfAndClose", "{", "{ mu.taskinstr_interrupts(); " + asideTask[2:], firstOnly, "the hooks say which lock it is"},
	{"internal/poll", "fd_mutex.go", "fdMutex.incref", "return false", "return mu.taskinstr_fails(task)", 1, "close before the operation that fails"},
	{"internal/poll", "fd_mutex.go", "fdMutex.increfAndClose", "return true", "return mu.taskinstr_refers(task)", 1, "lock"},
	{"internal/poll", "fd_mutex.go", "fdMutex.increfAndClose", "return false", "return mu.taskinstr_fails(task)", 1, "close before the operation that fails"},
	{"internal/poll", "fd_mutex.go", "fdMutex.rwlock", "return false", "return mu.taskinstr_fails(task)", firstOnly, "close before the operation that fails"},
	{"internal/poll", "fd_poll_runtime.go", "setDeadlineImpl", "{", "{ fd.fdmu.taskinstr_interrupts();", firstOnly, "deadline before the operation that fails"},
	{"internal/poll", "fd_mutex.go", "fdMutex.decref", "{", "{ mu.taskinstr_forgoes(); " + aside[2:], firstOnly, "lock"},
	{"internal/poll", "fd_mutex.go", "fdMutex.rwlock", "{", asideTask, firstOnly, "the hooks say which lock it is"},
	{"internal/poll", "fd_mutex.go", "fdMutex.rwlock", "return true", "return mu.taskinstr_takes(task, mutexSema)", 1, "lock"},
	{"internal/poll", "fd_mutex.go", "fdMutex.rwunlock", "{", "{ mu.taskinstr_gives(read); " + aside[2:], firstOnly, "lock"},
	{"internal/poll", "fd_unix.go fd_windows.go", "FD.destroy", "{", "{ fd.fdmu.taskinstr_ends(); defer fd.fdmu.taskinstr_ended();", firstOnly, "lock"},

	// The arrival of data from a socket or a pipe happens after the sender's earlier
	// operations. Package syscall has these hooks in read and write only.
	{"syscall", "syscall_unix.go syscall_windows.go", "Connect", "return connect(", "taskinstr_connects(); return connect(", 1, "connect before accept"},
	{"internal/poll", "fd_windows.go", "FD.ConnectEx", "{", "{ taskinstr_connects();", firstOnly, "connect before accept"},
	{"internal/poll", "fd_unix.go", "FD.Accept", `return s, rsa, "", err`, `taskinstr_accepted(); return s, rsa, "", err`, 1, "connect before accept"},
	{"internal/poll", "fd_windows.go", "FD.acceptOne", `return "", nil`, `taskinstr_accepted(); return "", nil`, 1, "connect before accept"},
	{"internal/poll", "fd_posix.go", "FD.eofError", "{", "{ if err == nil && fd.pd.runtimeCtx != 0 { taskinstr_received() };", firstOnly, "any read of a socket or pipe"},
	{"internal/poll", "fd_posix.go", "FD.Shutdown", "{", "{ taskinstr_sends();", firstOnly, "end before EOF"},
	{"internal/poll", "fd_unix.go fd_windows.go", "FD.Close", "fd.pd.evict()", "if fd.pd.runtimeCtx != 0 { taskinstr_sends() }; fd.pd.evict()", 1, "end before EOF"},
	{"internal/poll", "writev.go", "FD.Writev", "{", "{ taskinstr_sends();", firstOnly, "send before receive"},
	{"internal/poll", "fd_unix.go fd_windows.go", "FD.WriteTo FD.WriteToInet4 FD.WriteToInet6 FD.WriteMsg FD.WriteMsgInet4 FD.WriteMsgInet6", "{", "{ taskinstr_sends();", firstOnly, "send before receive"},
})

func spread(rows []patch) (list []patch) {
	for _, p := range rows {
		for file := range strings.FieldsSeq(p.file) {
			for fn := range strings.FieldsSeq(p.fn) {
				one := p
				one.file, one.fn = file, fn
				list = append(list, one)
			}
		}
	}
	return list
}

// A body that begins with aside is not observed: no access and no synchronization of it
// and of its callees is recorded. The function is marked go:norace, because at its start it
// still has its task.
const (
	suspend = "taskinstr_suspend()"
	aside   = "{ defer taskinstr_resume(" + suspend + ");"

	// A body that begins with harness is the code of package testing for a schedule. A deferred call with
	// arguments would change the names of the functions that the compiler makes of go statements.
	harness = "{ taskinstr_enters(); defer taskinstr_leaves();"

	// asideTask is aside with the task in a variable, for code that resumes it earlier.
	asideTask = "{ task := " + suspend + "; defer taskinstr_resume(task);"
)

// firstOnly replaces the first occurrence in the function's body only.
const firstOnly = -1

// ifThere replaces each occurrence, if there is any: the version of Go decides.
const ifThere = -2

// applyPatches changes the text of the file name of package pkg.
func applyPatches(goVersion, pkg, name string, text []byte) ([]byte, bool, error) {
	changed := false
	for _, p := range patches {
		if p.pkg != pkg || p.file != name {
			continue
		}
		start, lo, hi, err := body(name, text, p.fn)
		if err != nil && p.count == ifThere {
			continue
		}
		if err != nil {
			return nil, false, p.fail(goVersion, err.Error())
		}
		fn := text[lo:hi]
		n := bytes.Count(fn, []byte(p.old))
		limit := p.count
		if p.count == firstOnly {
			limit = 1
		}
		if p.count == ifThere {
			limit = n
		} else if n == 0 || p.count != firstOnly && n != p.count {
			return nil, false, p.fail(goVersion, fmt.Sprintf("%q stands there %d times, not %d", p.old, n, limit))
		}
		fn = bytes.Replace(fn, []byte(p.old), []byte(p.new), limit)
		text = bytes.Join([][]byte{text[:lo], fn, text[hi:]}, nil)
		if p.old == "{" && strings.Contains(p.new, suspend) {
			text, err = unchecked(text, start)
			if err != nil {
				return nil, false, p.fail(goVersion, err.Error())
			}
		}
		changed = true
	}
	return text, changed, nil
}

func (p patch) fail(goVersion, what string) error {
	return fmt.Errorf("taskinstr does not know this Go: %s: patch of %s/%s, %s: %s; use a Go that `taskinstr version` lists", goVersion, p.pkg, p.file, p.fn, what)
}

// unchecked marks the function whose declaration begins at offset start as go:norace. The
// directive replaces the line above, which is blank or a comment, so line numbers stay.
func unchecked(text []byte, start int) ([]byte, error) {
	above := bytes.LastIndexByte(text[:max(start-1, 0)], '\n') + 1
	line := bytes.TrimSpace(text[above:start])
	if len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) || bytes.HasPrefix(line, []byte("//go:")) {
		return nil, fmt.Errorf("the line above it, %q, has no room for //go:norace", line)
	}
	return bytes.Join([][]byte{text[:above], []byte("//go:norace\n"), text[start:]}, nil), nil
}

// body returns the offset of a function's declaration, and the range of its body, braces
// included.
func body(name string, text []byte, fn string) (start, lo, hi int, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return 0, 0, 0, err
	}
	found := 0
	for _, d := range f.Decls {
		d, ok := d.(*ast.FuncDecl)
		if ok && d.Body != nil && funcName(d) == fn {
			start = fset.Position(d.Pos()).Offset
			lo, hi = fset.Position(d.Body.Lbrace).Offset, fset.Position(d.Body.Rbrace).Offset+1
			found++
		}
	}
	if found != 1 {
		return 0, 0, 0, fmt.Errorf("the function is declared %d times", found)
	}
	return start, lo, hi, nil
}

func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if s, ok := t.(*ast.StarExpr); ok {
		t = s.X
	}
	if x, ok := t.(*ast.IndexExpr); ok {
		t = x.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + d.Name.Name
	}
	return d.Name.Name
}

// systems maps a file that is not compiled for all systems to its systems: unix means all
// but Windows.
var systems = map[string]string{
	"fd_unix.go":         "unix",
	"fd_windows.go":      "windows",
	"syscall_unix.go":    "unix",
	"syscall_windows.go": "windows",
	"writev.go":          "unix",
}

// compiled reports whether the file is part of a build for the system.
func compiled(file, goos string) bool {
	on := systems[file]
	return on == "" || on == goos || on == "unix" && goos != "windows"
}
