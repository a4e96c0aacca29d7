package espbags

import "unsafe"

// A Task is the part of a task that is needed while it runs. Its head is known to
// instrumented code: an access of at most 8 bytes at p, within one word, leaves no trace
// if *(base + p&mask) is okw or, for a read, own or okr.
type Task struct {
	head

	// Entries of whole words that this step has judged: a read makes clean[Read].from
	// into clean[Read].to without a race, a write makes clean[Write].from into okw.
	clean  [2]struct{ from, to uint64 }
	places [placeMemos]placeMemo

	// Further entries that a read leaves as they are, in the present step.
	noted bool // there are any, or the task has just got its memory
	noop  [noops]uint64
}

// A head is what a fork sets.
type head struct {
	base uintptr // of the shadow; while the task is alone, that of okw, and mask is 0
	mask uintptr
	okw  uint64 // the entry of a word that the task wrote last
	own  uint64 // the entry of a word that only the task has read
	okr  uint64 // another entry that a read leaves as it is, in the present step

	// For the host's use.
	Act    uint64
	Name   uint64 // its name in reports; 0 leaves that to Side.Task
	Host   uintptr
	LockPC uintptr // where the lock that is taken next is taken

	id    uint32
	bag   uint32 // root of its S-bag, 0: nothing was recorded
	self  uint32 // index of this body
	scope uint32 // that its end counts for, 0: none
	done  bool   // the scope counts it as ended

	alive      bool // End has not been called
	running    bool // in the list of tasks that run
	background bool
	lent       bool
	prev, next uint32 // in that list, or in that of tasks that rest
	resting    bool   // in that one

	lender uint32 // the body of the task that lent its place to this one, and that task's serial
	lentBy uint64
	serial uint64

	held   uint32 // the locks held: a list, see hold
	set    uint32 // their lockset, and that of an atomic access under them, if known
	atomic uint32
	known  bool
}

const noops = 64

const bodyStride = (unsafe.Sizeof(Task{}) + 63) &^ 63

// An info says who a task is, for as long as a report may name it.
type info struct {
	parent uint32
	pc     uint32 // what Fork was told, less Options.PCBase
	stack  uint32
	mark   uint32
	flags  uint32
	kids   uint32 // children that run
	serial uint64
	name   uint64
}

const (
	infoMain uint32 = 1 << iota
	infoEnded
	infoNamed // a child that is kept names it as its parent
)

//go:nosplit
func (e *Engine) infoOf(id uint32) *info { return (*info)(e.infos.at(id - e.base)) }

//go:nosplit
func (e *Engine) body(i uint32) *Task { return (*Task)(e.bodies.at(i)) }

// newID returns a task id that is in no bag. Ids begin at e.base, tables at 0.
func (e *Engine) newID() uint32 {
	e.taken++
	if i := e.infos.free; i != 0 {
		e.infos.free = e.infoOf(i).parent
		return i
	}
	if e.nextID == maxTasks {
		hostExhausted("tasks")
	}
	e.nextID++
	*e.up(e.nextID - 1) = 0
	return e.nextID - 1
}

// dropID makes an id free that is in no bag.
func (e *Engine) dropID(id uint32) {
	*e.up(id) = 0
	e.infoOf(id).parent = e.infos.free
	e.infos.free = id
}

// Fork returns a new task, a child of parent. created is the stack id of the fork and
// pc what the child will run. A child of nil is ordered after nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.prepare(parent)
	}
	b := e.bodies.get()
	t := e.body(b)
	id := e.newID()
	// What lies behind the head goes by Act, which never comes again, and is left.
	t.head = head{Act: t.Act + 1, self: b, id: id, known: true, alive: true}
	t.base, t.mask = e.shadow, e.mask
	t.named()
	t.LockPC = e.opt.PCBase
	e.newStep(t)
	e.serial++
	t.serial = e.serial
	e.newest = b
	n := e.infoOf(id)
	*n = info{pc: uint32(pc - e.opt.PCBase), stack: created, serial: e.serial}
	if pc == 0 {
		n.pc = 0
	}
	e.counts.Forked++
	if parent != nil {
		n.parent = parent.id
		e.infoOf(parent.id).kids++
		e.newStep(parent)
	}
	e.enter(t)
	return t
}

// newStep forgets what holds until the next structural event of t.
//
//go:nosplit
func (e *Engine) newStep(t *Task) {
	t.okr = e.shared
	t.clean[Read].from, t.clean[Write].from = noEntry, noEntry
	if t.noted || t.noop[0] == 0 {
		t.noted = false
		t.noop = [noops]uint64{noEntry} // an empty entry, which would be in the first slot, is none
	}
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

// renew gives t another id: the one it has is of before a forget.
func (e *Engine) renew(t *Task, old info) {
	t.id, t.bag = e.newID(), 0
	old.parent, old.kids = 0, 0
	*e.infoOf(t.id) = old
	t.named()
	e.newStep(t)
	t.Act++
	if t.mask == 0 {
		t.Hide()
	}
}

// named computes the entries that have the id of t.
func (t *Task) named() { t.okw, t.own = word(t.id, 0, full), word(0, t.id, full) }

// enroll puts t into its own S-bag, which an id is in from its first use on.
func (e *Engine) enroll(t *Task) {
	e.dirty = true
	if *e.up(t.id) == 0 {
		*e.up(t.id) = isRoot
		t.bag = e.unite(t.bag, t.id, 0)
	}
}

// use is called before an access is recorded.
func (e *Engine) use(t *Task) {
	e.enroll(t)
	if t.done {
		e.counts.Late++
		e.stay(t)
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
	e.leave(t)
	used := *e.up(t.id) != 0 || n.flags&infoNamed != 0 || n.kids != 0
	if p := n.parent; p >= e.base {
		e.infoOf(p).kids--
		if used {
			e.infoOf(p).flags |= infoNamed
		}
	}
	if !used {
		e.dropID(t.id)
		e.taken--
	}
	e.part(t)
	e.unrest(t)
	t.alive = false
	e.bodies.put(t.self)
	e.settle()
}

// leave puts what t leaves behind into the P-bag of its scope, or hands it to the task
// that has lent t its place and still waits for it.
func (e *Engine) leave(t *Task) {
	if t.bag == 0 {
		return
	}
	if p := t.lender; p != 0 && e.body(p).serial == t.lentBy && e.body(p).lent {
		to := e.body(p)
		to.bag = e.unite(to.bag, t.bag, 0)
		return
	}
	bag := &e.escaped
	if t.scope != 0 {
		bag = &e.scopeAt(t.scope).bag
	}
	if *bag == 0 {
		e.bags++
	}
	*bag = e.unite(*bag, t.bag, isPBag)
	e.counts.Unions++
}

// Serial returns the number of a task, by order of forking, the main task 1.
func (e *Engine) Serial(t *Task) uint64 { return t.serial }
