//go:build taskinstr_runtime

// The events of a trace, as reported by the hooks.

package runtime

import "unsafe"

// Operations on channels, with the numbers of package detector/trace.
const (
	tr_chanSend = 1 + iota
	tr_chanReceive
	tr_chanClose
	tr_chanClosed // receives from a closed channel
)

// Values of event.Use, for operations that the stack does not reveal.
const (
	tr_useOfSelect = 3
	tr_useOfTimer  = 9
	tr_useOfTry    = 12
)

// tr_traceBegin takes the lock and returns the number of a task, which it introduces if
// the trace does not contain the task yet. ok is false if the trace must not contain the
// event.
func tr_traceBegin(t *ti_Task) (task uint32, ok bool) {
	x := &tr_trace
	me_Lock(&x.lock)
	if x.closed {
		return 0, false
	}
	task = uint32(tr_engine.Serial(t) - 1)
	if t.background && x.tasks.get(uint64(task)+1, 1) == 0 {
		// The runtime's own tasks mostly make no events, so the fork of such a task is
		// written with its first event.
		x.tasks.put(uint64(task)+1, 1, 1)
		e := tw_Event{Op: tw_Fork, Shared: true, Other: task}
		tr_traceRoom(0)
		x.enc.Event(&e)
	}
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); w != nil {
		if w.over {
			return task, false
		}
		if !w.named && t.Name != 0 {
			w.named = true
			tr_traceRoom(0)
			x.enc.Define(tw_TaskName)
			x.enc.Number(uint64(task))
			x.enc.Number(t.Name)
		}
	}
	return task, true
}

func tr_traceEnd() { me_Unlock(&tr_trace.lock) }

// tr_tracePutEvent writes an event of a task and ends the task's step.
func tr_tracePutEvent(t *ti_Task, e *tw_Event) {
	tr_traceRoom(0)
	tr_trace.enc.Event(e)
	if w := (*tr_walk)(unsafe.Pointer(t.Host)); w != nil {
		w.step++
	}
}

// tr_traceContext returns the engine's number of the context of gp, from the frame at fp
// outwards or, if fp is 0, from the point at which it waits.
func tr_traceContext(gp *g, t *ti_Task, fp uintptr) uint32 {
	if fp == 0 {
		fp = gp.sched.bp
	}
	if !framepointer_enabled || fp-gp.stack.lo >= gp.stack.hi-gp.stack.lo-16 {
		return 0
	}
	fresh := t.Host == 0
	w := tr_walkOf(t)
	if fresh {
		t.Name = gp.goid
	}
	tr_walkUp(gp, t, w, fp)
	w.act = 0
	if w.n == 0 {
		return 0
	}
	// The hooks are not part of the program's stack.
	for i := w.n - 1; i >= max(w.n-tr_hookDepth, 0); i-- {
		if f := findfunc(w.at(i).pc); f.valid() && tr_hasPrefix(funcname(f), "internal/race.") {
			if i == 0 {
				return 0
			}
			return w.at(i - 1).id
		}
	}
	return w.at(w.n - 1).id
}

// tr_hookDepth is the maximal number of calls between the recorder and the function
// called by package internal/race.
const tr_hookDepth = 5

// tr_traceSync writes an ordering operation of gp's task t. gp is the caller or waits.
//
//go:nosplit
func tr_traceSync(gp *g, t *ti_Task, op tw_Op, obj uintptr) {
	fp := tr_traceFrame(gp, getfp())
	systemstack(func() { tr_traceOperator(gp, t, tw_Event{Op: op, Obj: uint64(obj)}, fp) })
}

// tr_noFrame says that a goroutine has no stack to walk.
const tr_noFrame = ^uintptr(0)

// tr_traceFrame returns the start of the walk of gp's stack: fp if gp is the caller, 0 if
// it waits.
//
//go:nosplit
func tr_traceFrame(gp *g, fp uintptr) uintptr {
	switch {
	case gp == nil || gp == gp.m0(): // g0 runs the function of a timer
		return tr_noFrame
	case gp == getg():
		return fp
	}
	return 0
}

// m0 returns the goroutine of the system stack of gp's thread, which may be gp itself.
//
//go:nosplit
func (gp *g) m0() *g {
	if gp.m == nil {
		return nil
	}
	return gp.m.g0
}

// tr_traceOperator is tr_traceOperation, called through a variable. The description of
// places contains write barriers, which the compiler forbids below some hooks; without a
// P that code is not reached.
var tr_traceOperator func(gp *g, t *ti_Task, e tw_Event, fp uintptr)

func tr_traceOperation(gp *g, t *ti_Task, e tw_Event, fp uintptr) {
	if t.background && fp != tr_noFrame {
		return // a goroutine of the runtime
	}
	context := uint32(0)
	if fp != tr_noFrame && getg().m.p != 0 {
		context = tr_traceContext(gp, t, fp)
	}
	var ok bool
	if e.Task, ok = tr_traceBegin(t); ok {
		if e.Op == tw_Release || e.Op == tw_ReleaseMerge || e.Op == tw_ReleaseAcquire {
			tr_acquirer(uintptr(e.Obj)).addr = 0
		}
		e.Stack = tr_traceStack(context)
		e.Site = tr_traceSyncPlace(context)
		if e.Stack == 0 && e.Use == 0 {
			e.Use = tr_useOfTimer
		}
		tr_tracePutEvent(t, &e)
	}
	tr_traceEnd()
}

func tr_acquirer(a uintptr) *tr_acquiredBy {
	return (*tr_acquiredBy)(unsafe.Pointer(tr_trace.acquired + (a>>3^a>>18)&(tr_traceSeen-1)*unsafe.Sizeof(tr_acquiredBy{})))
}

// tr_traceLoad writes that an atomic operation acquires, unless the task has acquired
// there before without a release since then: programs wait for words in loops.
//
//go:nosplit
func tr_traceLoad(gp *g, t *ti_Task, a uintptr) {
	fp := getfp()
	systemstack(func() {
		task := uint32(tr_engine.Serial(t))
		me_Lock(&tr_trace.lock)
		by := tr_acquirer(a)
		known := by.addr == a && by.task == task
		*by = tr_acquiredBy{a, task}
		tr_traceEnd()
		if !known {
			tr_traceOperator(gp, t, tw_Event{Op: tw_Acquire, Obj: uint64(a)}, fp)
		}
	})
}

// tr_traceLock writes that t has taken a lock or gives it up.
//
//go:nosplit
func tr_traceLock(gp *g, t *ti_Task, op tw_Op, a uintptr, shared bool) {
	fp := getfp()
	systemstack(func() {
		context := tr_traceContext(gp, t, fp)
		e := tw_Event{Op: op, Obj: uint64(a), Shared: shared}
		if op == tw_Lock {
			e.Taken, t.Quiet = t.Quiet, false
		}
		var ok bool
		if e.Task, ok = tr_traceBegin(t); ok {
			e.Stack = tr_traceStack(context)
			if op == tw_Lock {
				e.Site = tr_traceLockPlace(t.LockPC, shared)
			} else {
				e.Site = tr_traceSyncPlace(context)
			}
			tr_tracePutEvent(t, &e)
		}
		tr_traceEnd()
	})
}

// tr_traceFork writes that parent, which may be nil, has created t. created is the
// context of the go statement at pc.
func tr_traceFork(parent, t *ti_Task, created uint32, pc uintptr) {
	if t.background {
		return // see tr_traceBegin
	}
	e := tw_Event{Op: tw_Fork, Shared: true}
	ok := true
	if parent != nil {
		e.Shared = false
		e.Task, ok = tr_traceBegin(parent)
	} else {
		me_Lock(&tr_trace.lock)
		ok = !tr_trace.closed
	}
	if ok {
		e.Other = uint32(tr_engine.Serial(t) - 1)
		e.Stack = tr_traceStack(created)
		e.Site = tr_traceForkPlace(pc)
		tr_traceRoom(0)
		tr_trace.enc.Event(&e)
		if parent != nil {
			if w := (*tr_walk)(unsafe.Pointer(parent.Host)); w != nil {
				w.step++
			}
		}
	}
	tr_traceEnd()
}

// tr_traceTaskEnd writes that t has ended, as a task of scope unless that is 0.
func tr_traceTaskEnd(t *ti_Task, scope uint64) {
	if t.background {
		me_Lock(&tr_trace.lock)
		silent := tr_trace.tasks.get(tr_engine.Serial(t), 1) == 0
		tr_traceEnd()
		if silent {
			return
		}
	}
	if task, ok := tr_traceBegin(t); ok {
		tr_tracePutEvent(t, &tw_Event{Op: tw_End, Task: task, Obj: scope})
	}
	tr_traceEnd()
}

// tr_traceIsolation is event.Isolation.
const tr_traceIsolation = 1

// tr_traceStructure writes a structural event of package rt/task. Events of a task after
// the end of its function are not part of the task.
func tr_traceStructure(gp *g, t *ti_Task, op uint32, obj uint64) {
	context := uint32(0)
	if m := getg().m; gp == m.curg {
		context = tr_traceContext(gp, t, 0)
	}
	w := tr_walkOf(t)
	e := tw_Event{Obj: obj}
	switch op {
	case tr_eventFinishBegin:
		e.Op = tw_FinishBegin
	case tr_eventFinishEnd:
		e.Op = tw_FinishEnd
	case tr_eventTaskBegin:
		w.scope = obj
		return
	case tr_eventTaskEnd:
		tr_traceTaskEnd(t, w.scope)
		w.over = true
		return
	case tr_eventPromiseSet:
		e.Op = tw_Set
	case tr_eventPromiseGot:
		e.Op = tw_Get
	case tr_eventIsolatedBegin:
		e.Op, e.Obj = tw_Lock, tr_traceIsolation
	case tr_eventIsolatedEnd:
		e.Op, e.Obj = tw_Unlock, tr_traceIsolation
	default:
		return
	}
	var ok bool
	if e.Task, ok = tr_traceBegin(t); ok {
		e.Stack = tr_traceStack(context)
		if op == tr_eventIsolatedBegin {
			e.Site = tr_traceLockPlace(t.LockPC, false)
		} else {
			e.Site = tr_traceSyncPlace(context)
		}
		tr_tracePutEvent(t, &e)
	}
	tr_traceEnd()
}

// tr_traceBranch writes that t decides the branch at s, in code at pc. off locates the
// caller's frame, as for accesses.
func tr_traceBranch(gp *g, t *ti_Task, taken bool, pc, off uintptr, s *uint32) {
	stack := tr_stackHere(gp, t, off)
	w := tr_walkOf(t)
	task, ok := tr_traceBegin(t)
	if ok {
		tr_trace.branches++
		w.branch = tr_trace.branches
		tr_tracePutEvent(t, &tw_Event{Op: tw_Branch, Taken: taken, Task: task, Obj: w.branch,
			Site: tr_tracePlace(uintptr(unsafe.Pointer(s)), pc, stack), Stack: tr_traceStack(stack)})
	}
	tr_traceEnd()
}

// tr_tracePossible writes an access that the other side of the task's last branch would
// have made, under up to three additional locks.
func tr_tracePossible(gp *g, t *ti_Task, a, n, kind, pc, off uintptr, s *uint32, locks [tr_possibleLocks]uintptr) {
	stack := tr_stackHere(gp, t, off)
	w := tr_walkOf(t)
	task, ok := tr_traceBegin(t)
	if ok {
		tr_touch(a, n)
		e := tw_Event{Op: tw_Possible, Kind: uint8(kind), Task: task, Obj: w.branch, Addr: uint64(a), Size: uint64(n),
			Site: tr_tracePlace(uintptr(unsafe.Pointer(s)), pc, stack), Stack: tr_traceStack(stack)}
		for _, l := range locks {
			if l != 0 {
				e.Locks++
			}
		}
		tr_traceRoom(0)
		tr_trace.enc.Event(&e)
		for _, l := range locks {
			if l != 0 {
				tr_trace.enc.Number(uint64(l))
			}
		}
	}
	tr_traceEnd()
}

// tr_possibleLocks is the maximal number of additional locks of a possible access.
const tr_possibleLocks = 3

// tr_traceAccess writes an access. tr_recordHere has found its context.
func tr_traceAccess(t *ti_Task, a, n, kind, pc uintptr, stack uint32, s *uint32) {
	if t.background {
		return
	}
	task, ok := tr_traceBegin(t)
	if ok {
		x := &tr_trace
		site := tr_tracePlace(uintptr(unsafe.Pointer(s)), pc, stack)
		step := uint32(0)
		if w := (*tr_walk)(unsafe.Pointer(t.Host)); w != nil {
			step = w.step
		}
		now := tr_seen{a, n, task, step, site, x.generation, uint32(kind)}
		h := (a>>2 ^ a>>17 ^ uintptr(site)<<7 ^ kind<<13) * 0x9e3779b1 >> 4 & (tr_traceSeen - 1)
		e := (*tr_seen)(unsafe.Pointer(x.seen + h*unsafe.Sizeof(now)))
		if *e != now || tr_opt.traceValues {
			*e = now
			tr_touch(a, n)
			ev := tw_Event{Op: tw_Access, Kind: uint8(kind), Task: task, Site: site, Stack: tr_traceStack(stack), Addr: uint64(a), Size: uint64(n)}
			if tr_opt.traceValues {
				ev.Value, ev.Valued = tr_traceValue(a, n)
			}
			tr_traceRoom(0)
			x.enc.Event(&ev)
		}
	}
	tr_traceEnd()
}

// tr_traceValue returns the contents of the program's memory at the check of an access: all
// of up to 8 bytes, the second word of an access of two or three words.
func tr_traceValue(a, n uintptr) (v uint64, ok bool) {
	if a-tr_dataLo >= tr_dataHi-tr_dataLo && spanOf(a) == nil {
		return 0, false
	}
	p := unsafe.Pointer(a)
	switch {
	case n == 1:
		return uint64(*(*uint8)(p)), true
	case n == 2 && a%2 == 0:
		return uint64(*(*uint16)(p)), true
	case n == 4 && a%4 == 0:
		return uint64(*(*uint32)(p)), true
	case n == 8 && a%8 == 0:
		return *(*uint64)(p), true
	case (n == 16 || n == 24) && a%8 == 0: // a string or slice: its length
		return *(*uint64)(unsafe.Pointer(a + 8)), true
	}
	return 0, false
}

// tr_touch notes that memory is accessed.
func tr_touch(a, n uintptr) {
	last := min((a+n-1)/tr_granule, a/tr_granule+tr_touchedBits)
	for i := a / tr_granule; i <= last; i++ {
		b := i % tr_touchedBits
		*(*uint8)(unsafe.Pointer(tr_trace.touched + b/8)) |= 1 << (b % 8)
	}
}

// tr_isTouched reports whether memory may have been accessed.
//
//go:nosplit
func tr_isTouched(a, n uintptr) bool {
	if n == 0 {
		return false
	}
	last := min((a+n-1)/tr_granule, a/tr_granule+tr_touchedBits)
	for i := a / tr_granule; i <= last; i++ {
		b := i % tr_touchedBits
		if *(*uint8)(unsafe.Pointer(tr_trace.touched + b/8))>>(b%8)&1 != 0 {
			return true
		}
	}
	return false
}

// tr_traceMemory writes that memory has a new owner, if it may have been accessed. anew
// means that no collection came between the owners, so that tasks may have accessed the
// memory in their present steps.
//
//go:nosplit
func tr_traceMemory(op tw_Op, a, n uintptr, anew bool) {
	if !tr_isTouched(a, n) {
		return
	}
	systemstack(func() {
		x := &tr_trace
		me_Lock(&x.lock)
		if anew {
			x.generation++
		}
		if !x.closed {
			tr_traceRoom(0)
			e := tw_Event{Op: op, Task: x.enc.last.Task, Site: x.enc.last.Site, Stack: x.enc.last.Stack, Addr: uint64(a), Size: uint64(n)}
			x.enc.Event(&e)
		}
		tr_traceEnd()
	})
}

// tr_traceChan writes operation chanOp on channel c, which orders as op at obj, or by a
// meeting with other.
//
//go:nosplit
func tr_traceChan(c *hchan, gp *g, op tw_Op, obj unsafe.Pointer, chanOp int, other *g) {
	t := tr_taskOf(gp)
	if t == nil || getg().raceignore != 0 {
		return
	}
	fp := tr_traceFrame(gp, getfp())
	systemstack(func() {
		e := tw_Event{Op: op, Addr: uint64(uintptr(unsafe.Pointer(c))), Size: uint64(c.dataqsiz), Value: uint64(chanOp), Valued: true}
		if other == nil {
			e.Obj = uint64(uintptr(obj))
		} else if u := tr_taskOf(other); u != nil {
			e.Other = uint32(tr_engine.Serial(u) - 1)
			if w := (*tr_walk)(unsafe.Pointer(u.Host)); w != nil {
				w.step++
			}
		} else {
			return
		}
		tr_touch(uintptr(unsafe.Pointer(c)), hchanSize)
		tr_traceOperator(gp, t, e, fp)
	})
}

// tr_traceOutside writes that the caller performs an operation outside of the structured
// events.
//
//go:nosplit
func tr_traceOutside(use uint8, obj uintptr) {
	gp := getg()
	t := tr_taskOf(gp)
	if t == nil || gp != gp.m.curg {
		return
	}
	fp := getfp()
	systemstack(func() { tr_traceOperator(gp, t, tw_Event{Op: tw_Outside, Use: use, Obj: uint64(obj)}, fp) })
}
