package espbags

import (
	"unsafe"

	"taskinstr/detector/mem"
	"taskinstr/detector/serial"
)

// A state is the algorithm's part of a running task.
type state struct {
	bag    uint32 // root of its S-bag, 0: nothing was recorded
	scope  uint32 // that its end counts for, 0: none
	done   bool   // the scope counts it as ended
	lender uint32 // the body of the task that lent its place to this one, 0: none
	lentBy uint64 // the number of that task
}

//go:nosplit
func stateOf(t *Task) *state { return (*state)(t.Own()) }

type info = serial.Info

//go:nosplit
func (e *Engine) infoOf(id uint32) *info {
	return (*info)(unsafe.Add(nil, e.infos.Base+uintptr(id-e.Base)*unsafe.Sizeof(info{})))
}

// newID returns a task id that is in no bag. Ids begin at e.Base, tables at 0.
func (e *Engine) newID() uint32 {
	e.Taken++
	if i := e.freeID; i != 0 {
		e.freeID = e.infoOf(i).Parent
		return i
	}
	if e.nextID == maxTasks {
		mem.Exhausted("tasks")
	}
	e.nextID++
	*e.up(e.nextID - 1) = 0
	return e.nextID - 1
}

// dropID makes an id free that is in no bag.
func (e *Engine) dropID(id uint32) {
	*e.up(id) = 0
	e.infoOf(id).Parent = e.freeID
	e.freeID = id
}

// Fork returns a new task, a child of parent. created is the stack id of the fork, and pc the
// function that the child will run. A child of nil is ordered behind nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.Prepare(parent)
	}
	t, n := e.NewTask(created, pc)
	*stateOf(t) = state{}
	e.identify(t, e.newID())
	e.newest = t.Self()
	if parent != nil {
		n.Parent = parent.ID
		e.infoOf(parent.ID).Kids++
		e.newStep(parent)
	}
	*e.infoOf(t.ID) = n
	e.Enter(t)
	return t
}

// identify gives t an id.
func (e *Engine) identify(t *Task, id uint32) {
	t.ID = id
	t.SetUnit(id)
	e.newStep(t)
}

// newStep forgets the judgements of t, which hold until its next structural event.
//
//go:nosplit
func (e *Engine) newStep(t *Task) { t.ForgetStep(e.shared) }

// Settled undoes Leave: a task that is alone leaves no trace.
func (e *Engine) Settled(t *Task) {
	t.SetUnit(t.ID)
	e.newStep(t)
}

// Restart begins the tables of tasks anew with the next ids: so the ids in the shadow belong
// to no task. When no ids are left they begin at 1 again, with an empty shadow.
func (e *Engine) Restart() {
	e.shared = serial.NoEntry
	e.freeID = 0
	base := e.nextID
	e.peak = max(e.peak, base-e.Base)
	const enough = maxTasks / 4 * 3
	if base > enough {
		e.ClearShadow()
		base = 1
	}
	e.Base, e.nextID = base, base
}

// Renew gives t another id.
func (e *Engine) Renew(t *Task, old info) {
	id := e.newID()
	stateOf(t).bag = 0
	*e.infoOf(id) = old
	e.identify(t, id)
}

// enroll puts t into its own S-bag, which an id is in from its first use on.
func (e *Engine) enroll(t *Task) {
	e.Dirty = true
	if *e.up(t.ID) == 0 {
		*e.up(t.ID) = isRoot
		own := stateOf(t)
		own.bag = e.unite(own.bag, t.ID, 0)
	}
}

// Ready reports whether t is in a bag and not about to end.
//
//go:nosplit
func (e *Engine) Ready(t *Task) bool {
	own := stateOf(t)
	return !own.done && own.bag != 0 && *e.up(t.ID) != 0
}

// Note does nothing: a task that is Ready is in its bag.
//
//go:nosplit
func (e *Engine) Note(t *Task) {}

// Use puts t into its bag. If t was about to end, it goes on.
func (e *Engine) Use(t *Task) {
	e.enroll(t)
	if stateOf(t).done {
		e.late++
		e.stay(t)
	}
	if t.Disturbed() { // see Leave
		t.SetUnit(t.ID)
	}
}

// End says that t runs no more.
func (e *Engine) End(t *Task) {
	e.Finish(t)
	e.leave(t)
	n := e.infoOf(t.ID)
	used := *e.up(t.ID) != 0 || n.Flags&serial.IsNamed != 0 || n.Kids != 0
	if p := n.Parent; p >= e.Base {
		e.infoOf(p).Kids--
		if used {
			e.infoOf(p).Flags |= serial.IsNamed
		}
	}
	if !used {
		e.dropID(t.ID)
		e.Taken--
	}
	e.Retire(t)
	e.Settle()
}

// Lend says that t does nothing but wait for the task that was forked last, its child,
// until TakeBack.
func (e *Engine) Lend(t *Task) {
	if e.Lends(t) {
		child := stateOf(e.Body(e.newest))
		child.lender, child.lentBy = t.Self(), e.Serial(t)
		e.Engine.Lend(t)
	}
}

// leave puts the bag of t into the P-bag of its scope, or into the bag of the task that has
// lent t its place and still waits for it.
func (e *Engine) leave(t *Task) {
	own := stateOf(t)
	if own.bag == 0 {
		return
	}
	if p := e.Body(own.lender); own.lender != 0 && e.Serial(p) == own.lentBy && p.Lent {
		to := stateOf(p)
		to.bag = e.unite(to.bag, own.bag, 0)
		return
	}
	bag := &e.escaped
	if own.scope != 0 {
		bag = &e.scopeAt(own.scope).bag
	}
	if *bag == 0 {
		e.Unjoined++
	}
	*bag = e.unite(*bag, own.bag, isPBag)
	e.unions++
}
