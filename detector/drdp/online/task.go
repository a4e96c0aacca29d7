package online

import "unsafe"

// A Task is the part of a task that is needed while it runs. Its head is known to
// instrumented code: an access of at most 8 bytes at p, within one word, leaves no trace
// if *(base + p&mask) is okw or, for a read, own or okr.
type Task struct {
	head

	// What this step has judged: see judged.
	clean  [2]judged
	places [placeMemos]placeMemo

	// Further entries that a read leaves as they are, in the present step.
	noted bool // there are any, or the task has just got its memory
	noop  [noops]uint64
}

// A head is what a fork sets.
type head struct {
	base uintptr // of the shadow; while the task is alone, that of okw, and mask is 0
	mask uintptr
	okw  uint64 // the entry of a word that the present step wrote last
	own  uint64 // the entry of a word that only the present step has read
	okr  uint64 // another entry that a read leaves as it is, in the present step

	// For the host's use.
	Act    uint64
	Name   uint64 // its name in reports; 0 leaves that to Side.Task
	Host   uintptr
	LockPC uintptr // where the lock that is taken next is taken

	id    uint32 // of its info
	step  uint32 // the present step
	used  bool   // the step has made an access
	self  uint32 // index of this body
	epoch uint32 // what the task knows about order; another number after each join

	alive      bool // End has not been called
	running    bool // in the list of tasks that run
	background bool
	lent       bool
	prev, next uint32 // in that list, or in that of tasks that rest
	resting    bool   // in that one

	serial uint64

	held   uint32 // the locks held: a list, see hold
	set    uint32 // their lockset, and that of an atomic access under them, if known
	atomic uint32
	known  bool
}

// A judged entry is one of a whole word that the present step has met: an access of the
// same kind makes it into another one, without a race.
type judged struct {
	from, to uint64
	reader   uint32 // the origin that the reader of from has
	any      bool   // or whatever it has
	origin   uint32 // of the access, 0: whatever it is
}

const noops = 64

const bodyStride = (unsafe.Sizeof(Task{}) + 63) &^ 63

// An info says who a task is and what precedes it, for as long as a step, a join or a
// report may name it. A place is a task and a number of its steps: all that the task
// has done up to that step.
type info struct {
	parent   uint32 // 0: none
	fork     uint32 // the parent's step that forked it
	forkTime uint32
	seq      uint32 // number of the present or last step
	last     uint32 // of the last one that made an access or a join, 0: none
	taken    uint32 // the last step that another task has joined
	joins    uint32 // the newest of its joins

	// The link: steps up to linkSeq precede the step toSeq of task to, which is an
	// ancestor (joins.go).
	to, linkSeq, toSeq uint32

	// The heir: steps up to heirSeq precede step heirAt of task heir, which has joined
	// them, or precede it because an heir of it says so (inherited).
	heir, heirSeq, heirAt uint32

	depth     uint32
	kids      uint32 // children that are not over
	flags     uint32
	pending   uint32 // the task that joined it while it ran, and the step in which it did
	pendingAt uint32
	pendingOf uint32 // the step that was joined

	// Of the search under way, or an older one.
	stamp, reach       uint32 // steps up to reach have been visited
	needStamp, needSeq uint32 // the access looked for precedes step needSeq

	pc     uint32 // what Fork was told, less Options.PCBase
	stack  uint32
	mark   uint32
	free   uint32 // link of the free chain
	serial uint64
	name   uint64
}

const (
	infoMain uint32 = 1 << iota
	infoEnded
	infoOver  // ended, and so have all tasks below it
	infoLoose // see settle
	infoNamed // a child that is kept names it as its parent
	infoUsed  // of the table's elements: not free
)

//go:nosplit
func (e *Engine) infoOf(id uint32) *info { return (*info)(e.infos.at(id)) }

//go:nosplit
func (e *Engine) body(i uint32) *Task { return (*Task)(e.bodies.at(i)) }

// newInfo returns the id of a task that is to be filled in.
func (e *Engine) newInfo() uint32 {
	e.taken++
	if i := e.freeInfo; i != 0 {
		e.freeInfo = e.infoOf(i).free
		return i
	}
	return e.infos.get()
}

func (e *Engine) dropInfo(id uint32) {
	*e.infoOf(id) = info{free: e.freeInfo}
	e.freeInfo = id
}

// Fork returns a new task, a child of parent. created is the stack id of the fork and
// pc what the child will run. A child of nil is ordered after nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.prepare(parent)
	} else if e.quiet && e.live == 1 {
		e.prepare(e.body(e.head)) // the new task runs beside it
	}
	b := e.bodies.get()
	t := e.body(b)
	id := e.newInfo()
	// What lies behind the head goes by Act, which never comes again, and is left.
	t.head = head{Act: t.Act + 1, self: b, id: id, known: true, alive: true}
	t.base, t.mask = e.shadow, e.mask
	t.LockPC = e.opt.PCBase
	e.serial++
	t.serial = e.serial
	n := e.infoOf(id)
	*n = info{pc: uint32(pc - e.opt.PCBase), stack: created, serial: e.serial, flags: infoUsed, forkTime: e.tick()}
	if pc == 0 {
		n.pc = 0
	}
	e.counts.Forked++
	if parent != nil {
		p := e.infoOf(parent.id)
		n.parent, n.fork, n.depth = parent.id, p.seq, p.depth+1
		p.kids++
		e.counts.Height = max(e.counts.Height, n.depth)
		e.newStep(parent)
	}
	e.epoch++
	t.epoch = e.epoch
	e.beginStep(t)
	e.enter(t)
	return t
}

// prepare is called before t forks: from now on others may run in parallel.
func (e *Engine) prepare(t *Task) {
	if e.quiet && e.live == 1 && t.running {
		e.quiet = false
		t.base, t.mask = e.shadow, e.mask
		if e.dirty {
			e.forget(t)
		}
	}
}

// use is called before an access is recorded.
func (e *Engine) use(t *Task) {
	if !t.used {
		t.used, e.dirty = true, true
		e.mark(t)
	}
}

// End says that t runs no more.
func (e *Engine) End(t *Task) {
	n := e.infoOf(t.id)
	n.flags |= infoEnded
	n.name = t.Name
	for t.held != 0 {
		e.dropHold(t, t.held)
	}
	if t.used {
		e.count(t)
	} else {
		e.dropStep(t.step)
	}
	e.part(t)
	e.unrest(t)
	t.alive = false
	e.bodies.put(t.self)
	e.late(t.id)
	if n.last > n.taken {
		n.flags |= infoLoose
		e.loose++
	}
	e.over(t.id)
	if p := n.parent; n.last == 0 && n.flags&infoNamed == 0 && n.kids == 0 {
		e.dropInfo(t.id)
		e.taken--
	} else if p != 0 {
		e.infoOf(p).flags |= infoNamed
	}
	e.settle()
}

// over notes that a task and all below it have ended, if so, and the same of its parents.
func (e *Engine) over(id uint32) {
	for id != 0 {
		n := e.infoOf(id)
		if n.flags&infoEnded == 0 || n.kids != 0 {
			return
		}
		n.flags |= infoOver
		id = n.parent
		if id != 0 {
			e.infoOf(id).kids--
		}
	}
}

// Serial returns the number of a task, by order of forking, the main task 1.
func (e *Engine) Serial(t *Task) uint64 { return t.serial }
