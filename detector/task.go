package detector

import "unsafe"

// A Task is the part of a task that is needed while it lives, 1.7 KiB. It is driven by
// one thread at a time. What others need to know, also later, is in its taskInfo.
type Task struct {
	key    uint64  // epoch << keyShift; with filter the head that checks know
	filter uintptr // of filterSize entries, see giveFilter

	// For the host's use.
	Act  uint64
	Name uint64 // its name in reports; 0 leaves that to Side.Task
	Host uintptr
	// LockPC is where the lock that is taken next is taken: a report names it.
	LockPC uintptr

	id       uint32 // index of the taskInfo
	step     uint32
	parent   uint32 // the task that forked this one, at the end of
	forkStep uint32 // its step forkStep

	// What precedes this task: clocks that hold everything but the parent's
	// entry (unless anchored) and what join records tell. weak is contained in
	// hb; they are one and the same while no locks are involved.
	weak     uint32
	hb       uint32
	weakAt   change
	hbAt     change
	anchored bool // the clocks hold the parent's entry
	alive    bool

	background bool
	lent       bool // see Lend

	lessons [lessons]lesson // the last locks whose order told t something new
	taught  uint32          // how many there have been

	owes uint32 // the last step that a join record must cover, 0: none; see Alone

	holds   [inlineHolds]hold // locks held, in the order taken
	more    uint32            // chunk with further ones
	nHolds  uint32
	set     uint32 // the lockset of holds, if setKnown
	foreign uint32 // Engine.foreign when holds was last known to be right

	setKnown bool

	sweeps  uint32 // Engine.sweeps when the caches were last cleared
	pending uint32 // reports to be delivered

	// Free elements of its own, so that few locks are taken.
	nodes        uint32
	nodeN        uint32
	spare        uint32 // records
	lnodes       uint32
	ids          uint32
	spareSect    uint32
	spareSets    uint32
	spareFrames  uint32
	spareSplits  uint32
	spareOrigins uint32
	spareNodes   uint32 // originNodes

	nextFree uint32

	// The table of the directory used last: what it covers, and its address.
	tableTag uintptr
	table    uintptr

	records [kinds]uint32 // of the present step and locks, by kind; noRecord: none yet

	// The access being judged.
	kind    Kind
	origin  uint32
	clash   bool // it has raced, or would have but for a common lock
	merging bool // of more than healBytes: it replaces the origins of its own step, so that what was cut into pieces heals
	orders  bool // no access: see Order
	spot    spot

	memos           // where its caches of elements are
	store    uint32 // index of the small or large that they are in, 0 if in tiny
	misses   uint32 // entries replaced since they have their size,
	limit    uint32 // and how many are one too many
	filterAt uint32 // index of the filter, 0 if it has none of its own
	patience uint32 // how many more accesses Probe sees before it is given one

	// Where pass makes its entries: the filter or, while there is none, noEntry.
	entries, entryMask uintptr
	noEntry            uint64
	caches
}

// caches remember answers and elements; they may be cleared at any time.
type caches struct {
	knownWeak [knownCache]uint64 // task<<32 | step known to precede this task
	knownHB   [knownCache]uint64
	objs      [objCache]objMemo
	elements
}

// elements name what a sweep may free, so they are of no use after it.
type elements struct {
	joined [joinedCache]joinedMemo
	pushed [pushedCache]pushed
	consed [consedCache]consed
	tiny
}

const (
	keyShift    = 54
	maxEpoch    = 1<<(63-keyShift) - 1 // bit 63 marks writes
	inlineHolds = 4
	taskBatch   = 4
	joinedCache = 4
	pushedCache = 4
	consedCache = 8
	knownCache  = 16
	objCache    = 8

	// noTable covers no address.
	noTable = ^uintptr(0)

	// A task whose steps are used up goes on under a new id.
	maxStep = 1<<32 - 16

	bodyStride = (unsafe.Sizeof(Task{}) + 63) &^ 63
)

// A taskInfo says who a task is and what it was joined to. It outlives the task
// as long as recorded accesses name it.
type taskInfo struct {
	next     uint32 // link of the free chain
	parent   uint32
	forkStep uint32
	body     uint32 // index of the Task while it lives, else 0

	// The join record: steps up to joinStep precede step joinerStep of task
	// joiner and what follows. Written once, by whoever first acquires a
	// release of this task; joinStep, written last, makes it visible. joining
	// is the claim.
	joinStep   uint32
	joiner     uint32
	joinerStep uint32
	joining    uint32
	leap       uint64 // a point further on, task<<32 | step, or 0: see leaps

	created uint32 // stack id of the fork
	mark    uint32
	flags   uint32
	last    uint32 // its last step, once it has ended
	owes    uint32 // Task.owes then
	loose   uint32
	pc      uintptr
	serial  uint64
	name    uint64

	// If forgotten ancestors lie between, what Fork was told of the uppermost.
	viaPC    uintptr
	viaStack uint32
}

// branch returns what Fork was told where this task's line left its parent.
func (n *taskInfo) branch() (pc uintptr, stack uint32) {
	if n.viaPC != 0 {
		return n.viaPC, n.viaStack
	}
	return n.pc, n.created
}

const (
	infoUsed uint32 = 1 << iota
	infoEnded
	infoBackground
	infoMain
	infoSpliced // parent is not the task that forked it
)

func (e *Engine) info(i uint32) *taskInfo {
	return (*taskInfo)(unsafe.Add(nil, e.tasks.base+uintptr(i)*unsafe.Sizeof(taskInfo{})))
}

// Serial returns the number of a task, by order of forking, the main task 1.
func (e *Engine) Serial(t *Task) uint64 { return e.info(t.id).serial }

func (e *Engine) body(i uint32) *Task { return (*Task)(e.bodies.at(i)) }

// Fork returns a new task, a child of parent, whose step ends. created is the
// stack id of the fork and pc what the child will run. A child of nil is
// ordered after nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.takeBack(parent)
	}
	if parent != nil && e.touched != endOfTouched && e.Alone(parent) {
		e.forgetAll()
	}
	id := e.newTask(parent)
	b := e.bodies.get()
	t := e.body(b)
	n := e.info(id)
	*n = taskInfo{body: b, created: created, pc: pc, flags: infoUsed}
	n.serial = add64(&e.serials, 1)
	add32(&e.others, 1)

	t.id = id
	t.step = 1
	t.anchored = true
	t.parent, t.forkStep = 0, 0
	t.weak, t.hb = 0, 0
	t.weakAt, t.hbAt = change{}, change{}
	t.Act, t.Name, t.Host = 0, 0, 0
	t.background, t.lent = false, false
	t.owes = 0
	t.taught = 0
	t.LockPC = e.opt.PCBase
	e.startSmall(t)
	t.nHolds = 0
	if t.table == 0 {
		t.tableTag = noTable
	}
	t.set, t.setKnown = 0, true
	t.foreign = load32(&e.foreign)
	e.forgetSwept(t) // task ids start anew at a sweep, so nothing else tells what is stale
	t.knownWeak = [knownCache]uint64{}
	t.knownHB = [knownCache]uint64{}
	t.joined = [joinedCache]joinedMemo{}
	t.pushed = [pushedCache]pushed{}
	t.consed = [consedCache]consed{}
	t.objs = [objCache]objMemo{}
	e.newEpoch(t)

	if parent != nil {
		e.anchor(parent)
		t.parent, t.forkStep = parent.id, parent.step
		n.parent, n.forkStep = parent.id, parent.step
		t.weak, t.hb = parent.weak, parent.hb
		e.holdClock(t.weak)
		if t.hb != t.weak {
			e.holdClock(t.hb)
		}
		t.anchored = false
		e.endStep(parent)
	}
	t.alive = true
	return t
}

// forgetSwept makes t forget the elements that a sweep may have freed since it last
// looked.
func (e *Engine) forgetSwept(t *Task) {
	if t.sweeps != e.sweeps {
		t.sweeps = e.sweeps
		t.elements = elements{}
		if t.store != 0 {
			e.clearStore(t.wide, t.store)
		}
	}
}

// newTask returns a task id, from parent's stock if there is one.
func (e *Engine) newTask(parent *Task) uint32 {
	if parent == nil {
		return e.tasks.get()
	}
	return e.draw(&parent.ids, &e.tasks, taskBatch)
}

// anchor enters t's parent into its clocks, so that they can be handed on to a
// child. A task that forks none is spared it.
func (e *Engine) anchor(t *Task) {
	if t.anchored {
		return
	}
	t.anchored = true
	weakAt, hbAt := t.weakAt, t.hbAt
	e.enter(t, t.parent, t.forkStep)
	t.weakAt, t.hbAt = weakAt, hbAt // nothing new to t
}

// End says that t runs no more.
func (e *Engine) End(t *Task) {
	n := e.info(t.id)
	e.takeBack(t)
	for t.nHolds > 0 {
		e.popHold(t, t.nHolds-1)
	}
	e.dropClocks(t, t.weak, t.hb)
	t.weak, t.hb = 0, 0
	n.last = t.step
	n.name = t.Name
	b := n.body
	n.body = 0
	t.alive = false
	e.giveBack(t)
	n.flags |= infoEnded
	e.leave(t, n)
	e.bodies.put(b)
}

// dropClocks gives up the ownership of a pair of clocks.
func (e *Engine) dropClocks(t *Task, weak, hb uint32) {
	e.dropClock(t, weak)
	if hb != weak {
		e.dropClock(t, hb)
	}
}

// endStep begins t's next step: what t does from now on does not precede what
// was released so far.
func (e *Engine) endStep(t *Task) {
	t.step++
	e.newEpoch(t)
	if t.step >= maxStep {
		e.renew(t)
	}
}

// newEpoch makes the filter, and what else goes by key, forget what it has seen.
// When epochs come round it is cleared.
func (e *Engine) newEpoch(t *Task) {
	t.forgetRecords()
	t.key += 1 << keyShift
	if t.key>>keyShift > maxEpoch {
		if t.filterAt != 0 {
			*e.filterOf(t) = filter{}
		}
		t.memos.forget()
		t.joined = [joinedCache]joinedMemo{}
		t.key = 1 << keyShift
	}
}

// epoch is at most maxEpoch.
//
//go:nosplit
func (t *Task) epoch() uint32 { return uint32(t.key >> keyShift) }

// renew lets t go on under a new id, as a child of what it was, because its
// steps are used up.
func (e *Engine) renew(t *Task) {
	old := e.info(t.id)
	e.anchor(t)
	id := e.tasks.get()
	n := e.info(id)
	*n = *old
	n.parent, n.forkStep = t.id, t.step
	n.joinStep, n.joiner, n.joinerStep, n.joining, n.leap = 0, 0, 0, 0, 0
	n.mark = 0
	add32(&e.others, 1) // nobody will join old
	old.last = t.step
	old.body = 0
	old.flags |= infoEnded
	t.parent, t.forkStep = t.id, t.step
	t.anchored = false
	t.weakAt, t.hbAt = change{}, change{}
	t.id = id
	t.step = 1
	t.owes = 0
}

// InvalidateFilters makes all tasks forget which bytes they have checked. The
// host calls it with the world stopped, whenever memory may get a new owner that
// no Alloc by its former owner's tasks made known: at each collection.
func (e *Engine) InvalidateFilters() {
	for b := uint32(1); b < e.bodies.next; b++ {
		if t := e.body(b); t.alive {
			e.newEpoch(t)
		}
	}
}

// SetBackground says that t is the host's own and makes no accesses: it does not
// keep history alive.
func (e *Engine) SetBackground(t *Task) {
	t.background = true
	e.info(t.id).flags |= infoBackground
	e.fewer()
}

// SetForeground undoes SetBackground. History that was dropped meanwhile counts
// as preceding t, hence AcquireAll must follow.
func (e *Engine) SetForeground(t *Task) {
	if !t.background {
		return
	}
	t.background = false
	e.info(t.id).flags &^= infoBackground
	add32(&e.others, 1)
}

// KeepHistory forbids to forget accesses because they precede all tasks there
// are: a task may yet be made that is ordered after less.
func (e *Engine) KeepHistory() {
	if cas32(&e.keep, 0, 1) {
		add32(&e.others, 1)
	}
}

// AcquireAll orders t after everything that all tasks have done so far. It is
// meant for the task that runs finalizers and costs time linear in the tasks. The
// host has stopped the world: the steps of all tasks end here, since whoever is
// known to precede at a step counts as known with all it has acquired in it.
func (e *Engine) AcquireAll(t *Task) {
	for i := uint32(1); i < e.tasks.next; i++ {
		n := e.info(i)
		if n.flags&infoUsed == 0 || i == t.id {
			continue
		}
		s := n.last
		if b := n.body; b != 0 {
			s = e.body(b).step
			e.endStep(e.body(b))
		}
		if s != 0 {
			e.learn(t, i, s)
		}
	}
}

// learn enters task u up to step s, which precedes t in every order.
//
// t remembers answers that its clocks may no longer give: the clock of a task that was
// forked by u at s, which knows it without an entry, may just have become t's.
func (e *Engine) learn(t *Task, u, s uint32) {
	if u != 0 && !(e.precedes(t, t.weak, u, s) && (t.weak == t.hb || e.precedes(t, t.hb, u, s))) {
		e.enter(t, u, s)
	}
}

// enter puts task u up to step s into both clocks of t.
func (e *Engine) enter(t *Task, u, s uint32) {
	same := t.weak == t.hb
	t.weakAt, t.hbAt = change{at: t.step}, change{at: t.step}
	t.weak = e.clockSet(t, t.weak, u, s)
	if same {
		t.hb = t.weak
		return
	}
	t.hb = e.clockSet(t, t.hb, u, s)
}
