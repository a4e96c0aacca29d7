package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A Task is the part of a task that is needed while the task lives, 768 B. One thread
// at a time drives it. The part that other tasks need, also later, is its taskInfo. The fields that
// an access uses come first, in three cache lines.
type Task struct {
	key    uint64  // generation << keyShift; key and filter are the head that instrumented code knows
	filter uintptr // address of filterSize entries, see giveFilter

	// For the host's use.
	Act  uint64
	Host uintptr
	Test uintptr // a child has its parent's
	// The least distance of a function's stack pointer from the top of the stack, see tr_sameFrom.
	Outermost uintptr

	// The target of addToFilter: the filter or, while there is none, noEntry.
	entries, entryMask uintptr

	nHolds   uint32 // number of locks in holds and moreHolds
	set      uint32 // the lockset of holds, if setKnown
	foreign  uint32 // Engine.foreign when holds was last validated
	setKnown bool

	alive      bool
	background bool

	// Its next event follows a release that another task has yet to make, or is making. The host says so
	// before each Sweep, see forgettable.
	Awaits bool

	// The table of the directory used last: the address bits that it covers, and its
	// address.
	tableTag uintptr
	table    uintptr

	id   uint32 // index of the taskInfo
	slot uint32
	step uint32

	// What precedes this task, except its own steps. weak is contained in hb. They are the same
	// clock until lock edges separate them.
	clocks

	records [kinds]uint32 // records of the present step and locks, by kind; noRecord: none yet

	// The access being judged.
	kind    Kind
	origin  uint32
	spot    spot
	clash   bool // it has raced, or would have but for a common lock
	healing bool // longer than healBytes: it replaces the origins of its own step, so that divided runs merge again
	exposed bool // a hold may be forked
	sure    bool // joinBlock passes over the sections in which t has forked, see doubtBlock
	lent    bool // see Lend
	locked  bool // it has taken a lock

	seatedAt uint32  // index of the proc on which t acts, 0 before the first time
	seatAddr uintptr // its address

	filterAt  uint32 // index of the filter, 0 if it has none
	patience  uint32 // calls of Probe until it gets one
	coverStep uint32 // the last step in which it recorded an access; 0: none
	released  uint32 // the last step that it has released; 0: none
	firstStep uint32 // it has the steps from firstStep to endSteps
	endSteps  uint32
	pending   uint32 // chain of queued reports
	candidate uint32 // chain of predictions to be settled before they are reported, see settle
	updates   uint32 // the object that t has locked, see BeginUpdate; 0: none

	parent   uint32 // the task that forked this one at the end of its step forkStep
	forkStep uint32

	weakChange, hbChange change
	fork                 epoch // the parent's, at the fork of this task

	// Caches, which may be cleared at any time.
	objs   [objCache]objMemo
	joined [joinedCache]joinedMemo

	holds     [inlineHolds]hold
	moreHolds uint32 // first chunk with further holds
	nearHolds uint32 // the chunk used last, if moreHolds is not 0
	nearFrom  uint32 // number of its first hold in all chunks

	nLockEdges uint32                 // number of locks so far whose order was new to t
	lockEdges  [maxLockEdges]lockEdge // the last of them

	noEntry             uint64
	nextFree, nextBatch uint32  // of the arena
	serial              uint64  // of its taskInfo
	Name                uint64  // the task's name in reports; 0: reports use its number
	LockPC              uintptr // the place of the next Lock, for reports
	Quiet               bool    // the next Lock begins a quiet section, see joinEach
	Word                bool    // its atomic accesses are lock operations, see joinEach
}

const (
	keyShift      = 54
	maxGeneration = 1<<(63-keyShift) - 1 // bit 63 marks writes
	inlineHolds   = 4
	joinedCache   = 4
	objBits       = 3
	objCache      = 1 << objBits

	// noTable covers no address.
	noTable = ^uintptr(0)

	bodyStride = (unsafe.Sizeof(Task{}) + 63) &^ 63
)

func (e *Engine) body(i uint32) *Task { return (*Task)(e.bodies.At(i)) }

// Fork returns a new task, a child of parent, and ends parent's step. created is the
// stack id of the fork and pc the function that the child will run. A child of nil is
// ordered after nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.mustSeat(parent)
		e.takeBack(parent)
	}
	if parent != nil && e.touched != endOfTouched && e.Alone(parent) {
		e.forgetAll()
	}
	id, b := e.newTask(parent)
	t := e.body(b)
	n := e.info(id)
	*n = taskInfo{body: b, created: created, pc: pc, flags: infoUsed}
	n.serial = mem.Add64(&e.serials, 1)
	e.incOthers()

	t.id = id
	t.serial = n.serial
	t.parent, t.forkStep = 0, 0
	t.clocks = clocks{clock{page: noSteps}, clock{page: noSteps}}
	t.Act, t.Name, t.Host, t.Test, t.Outermost = 0, 0, 0, 0, 0
	e.mustSeat(t)
	t.background, t.Awaits, t.lent, t.locked = false, false, false, false
	t.updates = 0
	t.nLockEdges = 0
	t.LockPC = e.opt.PCBase
	e.initFilter(t)
	t.nHolds = 0
	t.exposed = false
	if t.table == 0 {
		t.tableTag = noTable
	}
	t.set, t.setKnown = 0, true
	t.foreign = mem.Load32(&e.foreign)
	t.joined = [joinedCache]joinedMemo{}
	t.objs = [objCache]objMemo{}
	e.newGeneration(t)

	forked := epoch{}
	if parent != nil {
		t.Test = parent.Test
		t.parent, t.forkStep = parent.id, parent.step
		n.parent, n.forkStep = parent.id, parent.step
		t.clocks = parent.clocks
		e.keepBoth(&t.clocks)
		e.enter(t, &t.clocks, parent.slot, parent.step)
		parent.released = parent.step
		forked = epoch{parent.slot, parent.step}
		n.forkSet = e.surround(parent)
		e.endStep(parent)
	}
	e.takeSlot(t)
	t.fork = forked
	t.weakChange = change{own: t.firstStep}
	t.hbChange = t.weakChange
	if parent != nil {
		t.weakChange.slot, t.weakChange.step = parent.slot, parent.weakChange.own
		t.hbChange.slot, t.hbChange.step = parent.slot, parent.hbChange.own
	}
	t.alive = true
	return t
}

// newTask returns a free task id and a free body, from the stocks of parent's proc unless parent is nil.
func (e *Engine) newTask(parent *Task) (id, body uint32) {
	if parent == nil {
		return e.tasks.Get(), e.bodies.Get()
	}
	p := parent.proc()
	return e.draw(&p.ids, &e.tasks), p.bodies.Get(&e.bodies)
}

// End announces that t has ended.
func (e *Engine) End(t *Task) {
	n := e.info(t.id)
	e.mustSeat(t)
	e.takeBack(t)
	if t.nHolds != 0 {
		t.released = t.step // its sections last, and tasks behind their beginning may be in them
	}
	for t.nHolds > 0 {
		e.popHold(t, t.nHolds-1)
	}
	e.dropBoth(t, &t.clocks)
	t.clocks = clocks{}
	n.last, n.cover, n.given = max(t.released, t.coverStep), t.coverStep, t.released
	n.name = t.Name
	b := n.body
	mem.Fence() // see nameOf
	n.body = 0
	t.alive = false
	e.releaseFilter(t)
	n.flags |= infoEnded
	e.leaveSlot(t)
	if !t.background {
		e.decOthers()
	}
	t.proc().bodies.Put(&e.bodies, b)
}

// endStep begins t's next step: later events of t do not precede anything that acquires a
// release made so far.
//
//taskinstr:inline
func (e *Engine) endStep(t *Task) {
	t.step++
	e.newGeneration(t)
	if t.step >= t.endSteps {
		e.moreSteps(t)
	}
}

// newGeneration expires t's filter and the other state that depends on the key. If the
// generations wrap around it clears that state.
func (e *Engine) newGeneration(t *Task) {
	t.forgetRecords()
	t.key += 1 << keyShift
	if t.key>>keyShift > maxGeneration {
		if t.filterAt != 0 {
			*e.filterOf(t) = filter{}
		}
		t.joined = [joinedCache]joinedMemo{}
		t.key = 1 << keyShift
	}
}

// generation returns t's generation, at most maxGeneration.
//
//go:nosplit
func (t *Task) generation() uint32 { return uint32(t.key >> keyShift) }

// renew gives t, which has used up its steps, a new id, as a child of its former self.
func (e *Engine) renew(t *Task) {
	e.mustSeat(t)
	old := e.info(t.id)
	id := e.tasks.Get()
	n := e.info(id)
	*n = *old
	n.parent, n.forkStep = t.id, t.step
	n.mark = 0
	e.enter(t, &t.clocks, t.slot, t.step)
	old.last, old.cover, old.given = max(t.released, t.coverStep), t.coverStep, t.step
	old.body = 0
	old.flags |= infoEnded
	e.leaveSlot(t)
	t.parent, t.forkStep = t.id, t.step
	t.id = id
	t.fork = epoch{t.slot, t.step}
	t.weakChange.slot, t.weakChange.step = t.slot, t.weakChange.own
	t.hbChange.slot, t.hbChange.step = t.slot, t.hbChange.own
	e.takeSlot(t)
	t.weakChange.own, t.hbChange.own = t.firstStep, t.firstStep
}

// InvalidateFilters makes all tasks forget which bytes they have checked. The host calls
// it at each garbage collection, with the world stopped, because memory may then get a
// new owner without an Alloc by tasks of the former owner.
func (e *Engine) InvalidateFilters() {
	for b := uint32(1); b < e.bodies.Next; b++ {
		if t := e.body(b); t.alive {
			e.newGeneration(t)
		}
	}
}

// SetBackground declares t a task of the host that makes no accesses, so that it keeps no
// history alive.
func (e *Engine) SetBackground(t *Task) {
	t.background = true
	e.info(t.id).flags |= infoBackground
	e.decOthers()
}

// SetForeground undoes SetBackground. History dropped in the meantime counts as preceding
// t, so AcquireAll must follow.
func (e *Engine) SetForeground(t *Task) {
	if !t.background {
		return
	}
	t.background = false
	e.info(t.id).flags &^= infoBackground
	e.incOthers()
}

// KeepHistory stops the engine from forgetting accesses that precede all live tasks: a
// later task may be ordered after fewer accesses than any of these.
func (e *Engine) KeepHistory() {
	if mem.Cas32(&e.keep, 0, 1) {
		e.incOthers()
	}
}

// AcquireAll orders t after everything that all tasks have done so far. It serves the
// task that runs finalizers and costs time linear in the number of tasks. The host has
// stopped the world. The call ends the step of every task, because an epoch known to
// precede a task implies all that its task has acquired in the step.
func (e *Engine) AcquireAll(t *Task) {
	e.mustSeat(t)
	for i := uint32(1); i < e.bodies.Next; i++ {
		if u := e.body(i); u.alive && u != t {
			e.enter(t, &t.clocks, u.slot, u.step)
			u.released = u.step
			e.endStep(u)
		}
	}
	for i := uint32(0); i < e.nslots; i++ {
		if s := e.slotAt(i); s.last != 0 {
			e.enter(t, &t.clocks, i, s.last)
		}
	}
	for i := uint32(1); i < e.tasks.Next; i++ {
		if n := e.info(i); n.flags&infoEnded != 0 {
			n.given = n.last
		}
	}
	e.slotAt(noSlot).step++ // t does not know tasks that get there later
	t.weakChange, t.hbChange = change{own: t.step}, change{own: t.step}
	if mem.Load32(&e.others) == 0 {
		e.lookAgain()
	}
}
