package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// A slot is a place in all clocks. A task has a slot while it lives, and its steps have numbers
// that no other task has there. Then a later task may have the slot. It gets later steps, so a task
// that knows one of them seems to know all steps of the earlier one.
//
// That is exact if the first task's last step precedes the second task in the weak order, or if no
// access of the first one is left in the shadow, as a sweep finds (sweepslots.go). A sweep also moves tasks that nobody can follow out of their
// slots. A task takes a slot of the first kind, if
// it sees one soon, else one of the stock: of the second kind, or new. A sweep is due when half of the stock is used up.
// If there is none it takes one that is not exact. That loses races. It invents none, because a task may conclude from a step
// that it knows all that precedes the step only where the steps of the slot are a chain: above mixedTo.
//
// An access in a critical section that wrongly seems to be ordered orders no other section, which could make later
// predictions false. So a task first takes a slot whose former tasks have left no such access, and where these
// become few, the locks of the accesses left order all that follows (relax). If there is none, since most slots are in use, the task
// takes the one that was given up first, or one that another live task has. Then the engine predicts nothing from then on (Engine.unsound),
// and locks only order, as with Options.NoPredict.
type slot struct {
	next, prev uint32 // in the list of slots that no task has
	step       uint32 // the first one that no task has had
	users      uint32 // live tasks
	last       uint32 // of the tasks that have ended: the highest step with an access or a release; 0: none left
	cover      uint32 // the same for accesses alone
	mixedTo    uint32
	locked     bool   // its tasks may have left accesses in sections of locks that do not order
	passed     uint32 // during a sweep: the highest step that precedes all live tasks; in cleanSlots, last as it was
}

const (
	// stepBlock is the number of steps that a task gets at first. Each time that they do not
	// suffice it gets twice as many, up to stepBlocks.
	stepBlock  = 256
	stepBlocks = 1 << 20

	maxStep = 1<<32 - 16

	// slotTries is the number of free slots at which a task looks: of the newest, and of the oldest.
	slotTries = 8
)

//go:nosplit
func (e *Engine) slotAt(i uint32) *slot {
	return (*slot)(unsafe.Add(nil, e.slotTable.Base+uintptr(i)*unsafe.Sizeof(slot{})))
}

// slotOf returns the address of the slot of a task.
//
//go:nosplit
func (e *Engine) slotOf(task uint32) *uint16 {
	return (*uint16)(unsafe.Add(nil, e.slotsOf.Base+uintptr(task)*2))
}

func (e *Engine) initSlots() {
	e.slotTable.Init(maxSlots * unsafe.Sizeof(slot{}))
	e.slotsOf.Init(mem.Share(maxTasks) * 2)
	if e.opt.Slots == 0 || e.opt.Slots >= maxSlots {
		e.opt.Slots = maxSlots - 1
	}
	e.nslots = 1
	e.slotAt(noSlot).step = 1
	e.slotsNext = max(e.opt.Slots/2, 1)
	e.lockedNext = e.slotsNext
}

// Exact returns the number of tasks up to which all races are found and predicted, Slots less a spare part. With more tasks a sweep is
// due, before the spare slots are used up as well, and may make locks order.
func (o *Options) Exact() uint32 { return o.Slots - o.Slots/17 }

// takeSlot gives t, whose clocks are its parent's, a slot and steps.
func (e *Engine) takeSlot(t *Task) {
	mem.Lock(&e.slotMu)
	i := e.exactSlot(t)
	var s *slot
	switch {
	case i != 0:
		e.unlinkSlot(i)
		s = e.slotAt(i)
		if s.last <= s.mixedTo { // of a task that shared the slot
			s.mixedTo = s.step
		}
	case e.emptySlots != 0:
		i = e.emptySlots
		s = e.slotAt(i)
		e.emptySlots, s.next = s.next, 0
		s.mixedTo = s.step
		e.addDue(&e.slotsDue, e.slotsNext)
	case e.nslots <= e.opt.Slots:
		i = e.nslots
		s = e.slotAt(i)
		s.step = 1
		mem.Store32(&e.nslots, i+1)
		if e.addDue(&e.slotsDue, e.slotsNext); i == e.opt.Exact()+1 {
			e.wantSweep() // the first one of the spare
		}
	case e.oldestSlot != 0:
		if i = e.oldestUnlocked(); i == 0 {
			i = e.oldestSlot
			e.endPredictions()
		}
		e.unlinkSlot(i)
		s = e.slotAt(i)
		s.mixedTo = s.step
		e.inexact++
		e.addDue(&e.slotsDue, e.slotsNext)
	default:
		// Tasks that live long mostly have the lower half, and keep it for themselves.
		if e.sharedSlot++; e.sharedSlot > e.opt.Slots || e.sharedSlot <= e.opt.Slots/2 {
			e.sharedSlot = e.opt.Slots/2 + 1
		}
		i = e.sharedSlot
		s = e.slotAt(i)
		s.mixedTo = 1<<32 - 1
		e.inexact++
		e.endPredictions()
	}
	s.users++
	t.slot = i
	t.step = s.step
	t.firstStep = s.step
	s.step += stepBlock
	t.endSteps = s.step
	t.released, t.coverStep = 0, 0
	mem.Unlock(&e.slotMu)
	*e.slotOf(t.id) = uint16(i)
}

// addDue adds 1 to a number of slots that makes a sweep due.
func (e *Engine) addDue(n *uint32, most uint32) {
	if *n++; *n >= most {
		e.wantSweep()
	}
}

// endPredictions notes that a task gets a slot that may make later predictions false.
func (e *Engine) endPredictions() {
	mem.Store32(&e.unsound, 1)
	if !e.opt.All {
		mem.Store32(&e.unpredicted, 1)
	}
}

// oldestUnlocked returns the free slot without accesses in critical sections that was given up first, 0 if there is none.
func (e *Engine) oldestUnlocked() uint32 {
	i := e.oldestSlot
	for i != 0 && e.slotAt(i).locked {
		i = e.slotAt(i).prev
	}
	return i
}

// exactSlot returns a free slot that t can have exactly, 0 if there is none among the newest and the oldest ones. The newest is that
// of the task in front of t in a sequence, the oldest one of a group that t's parent has waited for.
func (e *Engine) exactSlot(t *Task) uint32 {
	i, j := e.freeSlots, e.oldestSlot
	for range slotTries {
		if i == 0 {
			return 0
		}
		if e.exactFor(t, i) {
			return i
		}
		if e.exactFor(t, j) {
			return j
		}
		i, j = e.slotAt(i).next, e.slotAt(j).prev
	}
	return 0
}

// exactFor reports whether t can have slot i, which is free, exactly.
func (e *Engine) exactFor(t *Task, i uint32) bool {
	s := e.slotAt(i)
	return s.last == 0 || e.stepIn(t.weak, i) >= s.last
}

func (e *Engine) unlinkSlot(i uint32) {
	s := e.slotAt(i)
	if s.prev != 0 {
		e.slotAt(s.prev).next = s.next
	} else {
		e.freeSlots = s.next
	}
	if s.next != 0 {
		e.slotAt(s.next).prev = s.prev
	} else {
		e.oldestSlot = s.prev
	}
	s.next, s.prev = 0, 0
}

// moreSteps gives t further steps.
func (e *Engine) moreSteps(t *Task) {
	mem.Lock(&e.slotMu)
	s := e.slotAt(t.slot)
	n := min(2*(t.endSteps-t.firstStep), stepBlocks)
	full := s.step > maxStep-n
	if !full {
		if t.endSteps != s.step { // other tasks have had steps since
			t.firstStep, t.step = s.step, s.step
		}
		s.step += n
		t.endSteps = s.step
	}
	mem.Unlock(&e.slotMu)
	if full {
		e.renew(t)
	}
}

// leaveSlot takes t, which ends, out of its slot.
func (e *Engine) leaveSlot(t *Task) {
	mem.Lock(&e.slotMu)
	s := e.slotAt(t.slot)
	s.last = max(s.last, t.released, t.coverStep)
	s.cover = max(s.cover, t.coverStep)
	if !s.locked && (t.locked || e.info(t.id).forkSet != 0) {
		s.locked = true
		e.addDue(&e.lockedDue, e.lockedNext)
	}
	if s.step == t.endSteps {
		s.step = t.step + 1
	}
	// Nobody gets a slot whose steps are nearly used up.
	if s.users--; s.users == 0 && s.step <= maxStep-stepBlocks {
		if s.mixedTo == 1<<32-1 {
			s.mixedTo = s.step
		}
		s.prev, s.next = 0, e.freeSlots
		if e.freeSlots != 0 {
			e.slotAt(e.freeSlots).prev = t.slot
		} else {
			e.oldestSlot = t.slot
		}
		e.freeSlots = t.slot
	}
	mem.Unlock(&e.slotMu)
}
