package drdp

import "taskinstr/detector/serial"

// A state is the algorithm's part of a running task.
type state struct {
	used  bool   // the step has made an access
	epoch uint32 // of the knowledge of the task about order: another number after each join
	depth uint32 // info.depth, which survives a restart
}

//go:nosplit
func stateOf(t *Task) *state { return (*state)(t.Own()) }

// An info describes a task and the places that precede it, for as long as a step, a join or a
// report may name the task.
type info struct {
	serial.Info // Parent is 0 if there is none; Kids are the children that are not over

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
	pending   uint32 // the task that joined it while it ran, and the step in which it did
	pendingAt uint32
	pendingOf uint32 // the step that was joined

	// Of the search under way, or an older one.
	stamp, reach       uint32 // steps up to reach have been visited
	needStamp, needSeq uint32 // the access looked for precedes step needSeq

	free uint32 // link of the free chain
}

const (
	infoOver  = serial.FirstFlag << iota // ended, and so have all tasks below it
	infoLoose                            // ended with something done that nobody has joined
	infoUsed                             // of the table's elements: not free
)

//go:nosplit
func (e *Engine) infoOf(id uint32) *info { return (*info)(e.infos.At(id)) }

// newInfo returns the id of a task that is to be filled in.
func (e *Engine) newInfo() uint32 {
	e.Taken++
	if i := e.freeInfo; i != 0 {
		e.freeInfo = e.infoOf(i).free
		return i
	}
	return e.infos.Take()
}

func (e *Engine) dropInfo(id uint32) {
	*e.infoOf(id) = info{free: e.freeInfo}
	e.freeInfo = id
}

// Fork returns a new task, a child of parent. created is the stack id of the fork, and pc the
// function that the child will run. A child of nil is ordered behind nothing.
func (e *Engine) Fork(parent *Task, created uint32, pc uintptr) *Task {
	if parent != nil {
		e.Prepare(parent)
	} else if e.Quiet() && e.Live() == 1 {
		e.Prepare(e.Body(e.Running())) // the new task runs beside it
	}
	t, base := e.NewTask(created, pc)
	t.ID = e.newInfo()
	n := e.infoOf(t.ID)
	*n = info{Info: base, forkTime: e.tick()}
	n.Flags = infoUsed
	if parent != nil {
		p := e.infoOf(parent.ID)
		n.Parent, n.fork, n.depth = parent.ID, p.seq, p.depth+1
		p.Kids++
		e.counts.Height = max(e.counts.Height, n.depth)
		e.newStep(parent)
	}
	e.epoch++
	*stateOf(t) = state{epoch: e.epoch, depth: n.depth}
	e.beginStep(t)
	e.Enter(t)
	return t
}

// Restart begins the tables of tasks and joins anew. The numbers of steps go on, so that the
// numbers in the shadow belong to no step. When none are left they begin at 1 again, with an
// empty shadow.
func (e *Engine) Restart() {
	const enough = maxSteps / 4 * 3
	if e.nextStep > enough || e.ListsUsedUp() {
		e.ClearShadow()
		e.nextStep = 1
		e.answers = [answers]answer{}
	}
	e.peak = max(e.peak, e.infos.Next)
	e.Base, e.freeStep = e.nextStep, 0
	e.Unjoined = 0
	e.clearObjects()
	e.joins.Restart()
	e.infos.Restart()
	e.freeInfo = 0
}

// Renew gives t another id and a step.
func (e *Engine) Renew(t *Task, old serial.Info) {
	t.ID = e.newInfo()
	old.Flags = old.Flags&serial.IsMain | infoUsed
	*e.infoOf(t.ID) = info{Info: old, depth: stateOf(t).depth}
	e.beginStep(t)
}

// End says that t runs no more.
func (e *Engine) End(t *Task) {
	e.Finish(t)
	n := e.infoOf(t.ID)
	if stateOf(t).used {
		e.counts.Steps++
	} else {
		e.dropStep(t.Unit)
	}
	e.Retire(t)
	e.late(t.ID)
	if n.last > n.taken {
		n.Flags |= infoLoose
		e.Unjoined++
	}
	e.over(t.ID)
	if p := n.Parent; n.last == 0 && n.Flags&serial.IsNamed == 0 && n.Kids == 0 {
		e.dropInfo(t.ID)
		e.Taken--
	} else if p != 0 {
		e.infoOf(p).Flags |= serial.IsNamed
	}
	e.Settle()
}

// over notes that a task and all below it have ended, if so, and the same of its parents.
func (e *Engine) over(id uint32) {
	for id != 0 {
		n := e.infoOf(id)
		if n.Flags&serial.HasEnded == 0 || n.Kids != 0 {
			return
		}
		n.Flags |= infoOver
		id = n.Parent
		if id != 0 {
			e.infoOf(id).Kids--
		}
	}
}
