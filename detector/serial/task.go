package serial

import "unsafe"

// A Task is the part of a task that is needed while it runs. Its head is known to
// instrumented code: an access of at most 8 bytes at p, within one word, leaves no trace
// if *(base + p&mask) is okw or, for a read, own or okr.
type Task struct {
	head

	// The last judgement of the present step for reads and for writes.
	clean  [2]judged
	places [placeMemos]placeMemo

	// Further entries that a read leaves as they are, in the present step.
	noted bool // there are any, or the task has just got its memory
	noop  [noops]uint64
}

// A head is the part of a Task that a fork sets.
type head struct {
	base uintptr // of the shadow; while the task is alone, the address of okw, and mask is 0
	mask uintptr
	okw  uint64 // the entry of a word that Unit wrote last
	own  uint64 // the entry of a word that only Unit has read
	okr  uint64 // another entry that a read leaves as it is, in the present step

	// For the host's use.
	Act       uint64
	Name      uint64 // its name in reports; 0 leaves that to Side.Task
	Host      uintptr
	Outermost uintptr // see tr_sameFrom in the runtime
	Test      uintptr // a child has its parent's
	LockPC    uintptr // where the lock that is taken next is taken
	Quiet     bool    // of package parallel: it changes nothing here
	Word      bool    // of package parallel: it changes nothing here

	Unit uint32 // the unit under which accesses are recorded
	ID   uint32 // of the description of the task

	Alive      bool // End has not been called
	background bool
	Lent       bool

	self       uint32 // index of this body
	running    bool   // in the list of tasks that run
	resting    bool   // in the list of tasks that rest
	prev, next uint32 // in the list that the task is in

	serial uint64

	held   uint32 // the locks held: a list, see hold
	set    uint32 // their lockset, if known
	atomic uint32 // the lockset of an atomic access under them, if known
	known  bool
}

const noops = 64

// An Info describes a task for as long as a report may name it.
type Info struct {
	Parent uint32
	pc     uint32 // the argument of Fork, less Options.PCBase
	stack  uint32
	Mark   uint32 // of the sweep that has seen it
	Flags  uint32
	Kids   uint32 // children that matter, as the algorithm counts them
	Serial uint64
	Name   uint64
}

// Flags of an Info. Those from FirstFlag on are the algorithm's.
const (
	IsMain uint32 = 1 << iota
	HasEnded
	IsNamed // a child that is kept names it as its parent
	FirstFlag
)

// Body returns the task with an index.
//
//go:nosplit
func (e *Engine) Body(i uint32) *Task { return (*Task)(e.bodies.At(i)) }

// Self returns the index of the body of t.
func (t *Task) Self() uint32 { return t.self }

// Own returns the algorithm's part of a task, see Init. NewTask does not clear it.
//
//go:nosplit
func (t *Task) Own() unsafe.Pointer { return unsafe.Add(unsafe.Pointer(t), unsafe.Sizeof(Task{})) }

// NewTask returns a task that has no unit and is in no list, and its description. created
// is the stack id of the fork, and pc the function that the task will run.
func (e *Engine) NewTask(created uint32, pc uintptr) (*Task, Info) {
	b := e.bodies.Take()
	t := e.Body(b)
	// The fields behind the head are valid for one value of Act, which never comes again.
	t.head = head{Act: t.Act + 1, self: b, known: true, Alive: true}
	t.base, t.mask = e.shadow.Base, e.mask
	t.LockPC = e.opt.PCBase
	e.serial++
	t.serial = e.serial
	e.Counts.Forked++
	n := Info{pc: uint32(pc - e.opt.PCBase), stack: created, Serial: e.serial}
	if pc == 0 {
		n.pc = 0
	}
	return t, n
}

// Prepare comes before t forks: from now on others may run in parallel.
func (e *Engine) Prepare(t *Task) {
	if e.quiet && e.live == 1 && t.running {
		e.quiet = false
		t.base, t.mask = e.shadow.Base, e.mask
		if e.Dirty {
			e.forget(t)
		}
	}
}

// Finish gives up the locks of a task that ends and notes its end in its description.
func (e *Engine) Finish(t *Task) {
	n := algInfoOf(e, t.ID)
	n.Flags |= HasEnded
	n.Name = t.Name
	for t.held != 0 {
		e.dropHold(t, t.held)
	}
}

// Retire frees the memory of a task that has ended.
func (e *Engine) Retire(t *Task) {
	e.part(t)
	e.unrest(t)
	t.Alive = false
	e.bodies.Add(t.self)
}

// SetUnit sets the unit under which accesses of t are recorded.
//
//go:nosplit
func (t *Task) SetUnit(unit uint32) {
	t.Unit, t.okw, t.own = unit, word(unit, 0, full), word(0, unit, full)
}

// Disturb makes the next access of t reach Access: t knows no entry that stays as it is.
// SetUnit ends that.
func (t *Task) Disturb() { t.okw, t.own, t.okr = noEntry, noEntry, noEntry }

// Disturbed reports whether Disturb was called and SetUnit was not called since.
func (t *Task) Disturbed() bool { return t.okw == noEntry }

// ForgetStep forgets the judgements of t, which hold until the end of a step or the next
// sweep. A read is known to leave the entry okr as it is; okr may be NoEntry.
//
//go:nosplit
func (t *Task) ForgetStep(okr uint64) {
	t.okr = okr
	t.clean[Read].from, t.clean[Write].from = noEntry, noEntry
	if t.noted || t.noop[0] == 0 {
		t.noted = false
		t.noop = [noops]uint64{noEntry} // an empty entry, which would be in the first slot, is none
	}
}

// Serial returns the number of a task, by order of forking, the main task 1.
func (e *Engine) Serial(t *Task) uint64 { return t.serial }
