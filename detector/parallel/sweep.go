package parallel

import (
	"unsafe"

	"taskinstr/detector/mem"
)

// Sweep frees everything on which no later answer can depend, with the world stopped. It
//
//   - forgets accesses that precede every live task, because each later task descends from
//     one of these,
//   - frees the records, lists and critical sections that the shadow no longer reaches,
//   - frees the ended tasks that no record names, and their entries in clocks.
//
// Its time is linear in the shadow and in the elements made since the last sweep.
// NeedSweep spaces sweeps so that this is a constant for each recorded access and each
// ended task.

// sweepFloor is the number of new elements, of a few dozen bytes each, before the first
// sweep and at least between two sweeps.
const sweepFloor = 1 << 16

// NeedSweep reports whether enough elements were made since the last Sweep to make
// another one worth its time.
func (e *Engine) NeedSweep() bool {
	return mem.Load32(&e.due) != 0
}

// addWork counts n elements made.
func (e *Engine) addWork(n uint64) {
	if mem.Add64(&e.work, n) >= e.workNext {
		e.wantSweep()
	}
}

// wantSweep makes a sweep due.
func (e *Engine) wantSweep() {
	if mem.Load32(&e.due) == 0 {
		mem.Store32(&e.due, 1)
	}
}

// Sweep frees unreachable elements, and returns the number of those that it has visited and kept. The caller has stopped all
// tasks outside of the engine.
func (e *Engine) Sweep() uint64 {
	e.sweeps++
	s := sweep{e: e}
	s.clearProcs()
	s.pass()
	s.clearTasks()
	s.suspensions()
	s.visitLocks()
	s.shadow()
	s.relink()
	s.markTasks()
	s.unfollowed()
	s.splice()
	s.freeSections()
	s.cleanSlots()
	e.records.Sweep(unsafe.Offsetof(record{}.mark), s.kept())
	e.contexts.Sweep(e.sweeps)
	s.freeMarked(&e.lists, unsafe.Offsetof(listNode{}.n))
	s.freeMarked(&e.originLists, unsafe.Offsetof(originNode{}.rest))
	e.splits.Sweep(unsafe.Offsetof(splitWord{}.mark), e.sweeps)
	e.origins.Sweep(unsafe.Offsetof(origin{}.mark), e.sweeps)
	s.freeTasks()
	s.freeBodies()
	e.work, e.due = 0, 0
	s.cost += uint64(e.records.Used() + e.origins.Used() + e.contexts.Used() + e.lists.Used() + e.originLists.Used()/2 + e.splits.Used() + e.tasks.Used() + e.bodies.Used() + e.sections.Used() + e.sets.Used() + e.uses.Used() + e.announced.Used())
	e.workNext = max(sweepFloor, s.cost)
	e.lockedNext = max(e.opt.Slots/2, uint32(min(s.cost/1024, 1<<31)), 1)
	if !e.joinsNow() {
		e.lockedNext = 1<<32 - 1
	}
	if e.others >= e.opt.Exact() {
		// Live tasks have most of the slots, so a sweep frees few.
		e.slotsNext = max(e.slotsNext, uint32(min(s.cost/256, maxTasks)))
	}
	return s.cost
}

// A sweep is the state of one Sweep. An element is in use if its mark equals
// Engine.sweeps.
type sweep struct {
	e    *Engine
	cost uint64            // elements visited and kept
	some *Task             // a live task
	page [pagesMost]uint32 // the pages of clocks that pass has looked at last; 0: none
}

// The marks of records, which hold the decision as well.
func (s *sweep) kept() uint32    { return s.e.sweeps << 1 }
func (s *sweep) dropped() uint32 { return s.e.sweeps<<1 | 1 }

// clearProcs takes the stocks of free elements from all procs, which leaves these elements unmarked
// and so free.
func (s *sweep) clearProcs() {
	e := s.e
	for i := uint32(1); i < e.procs.Next; i++ {
		(*proc)(e.procs.At(i)).forgetSwept()
		s.cost += procCost
	}
}

// clearTasks marks the critical sections that live tasks are in, and makes the tasks forget freed elements.
func (s *sweep) clearTasks() {
	e := s.e
	for b := uint32(1); b < e.bodies.Next; b++ {
		t := e.body(b)
		if !t.alive {
			continue
		}
		s.some = t
		t.joined = [joinedCache]joinedMemo{}
		if s.passed(t.slot, t.step) {
			e.endStep(t) // else its filter would know accesses that the shadow has forgotten
		}
		t.forgetRecords()
		t.Act++ // the host remembers frames that the sweep may free
		e.info(t.id).mark = e.sweeps
		s.markSet(e.info(t.id).forkSet)
		for i := uint32(0); i < t.nHolds; i++ {
			h := e.holdAt(t, i)
			if h.section != 0 {
				e.section(h.section).mark = e.sweeps
			}
			s.markSet(h.set)
		}
		s.markSet(t.set)
	}
}

// visitLocks follows the tasks that hold locks, and visits the uses in the locks' sections and the announced ones.
func (s *sweep) visitLocks() {
	e := s.e
	for link := &e.visits; *link != 0; {
		o := e.object(*link)
		s.cost++
		s.uses(o)
		s.announced(o)
		if o.holder != 0 {
			s.follow(o.holder)
		}
		if o.readers != 0 && o.shares != 0 {
			t := e.shareTable(o.shares)
			for k := range min(t.n, maxShares) {
				s.follow(t.tasks[k])
			}
		}
		if o.holder == 0 && o.readers == 0 && o.uses == 0 && o.announced == 0 {
			o.visited = false
			*link = o.visit
			continue
		}
		link = &o.visit
	}
}

// freeMarked frees the elements of a in whose word at offset mark the bit listed is not set. It clears the
// marks.
func (s *sweep) freeMarked(a *mem.Arena, mark uintptr) {
	a.Empty()
	top := uint32(0)
	for i := a.Next - 1; i > 0; i-- {
		if m := (*uint32)(unsafe.Add(a.At(i), mark)); *m&listed != 0 {
			*m &^= listed
			top = max(top, i)
		} else if top != 0 {
			a.Add(i)
		}
	}
	a.Shrink(top + 1)
}

func (s *sweep) freeTasks() {
	e := s.e
	a := &e.tasks
	a.Empty()
	top := uint32(0)
	for i := a.Next - 1; i > 0; i-- {
		if n := e.info(i); n.mark == e.sweeps {
			top = max(top, i)
		} else {
			n.flags = 0
			if top != 0 {
				a.Add(i)
			}
		}
	}
	a.Shrink(top + 1)
}

func (s *sweep) freeBodies() {
	e := s.e
	a := &e.bodies
	a.Empty()
	top := uint32(0)
	for i := a.Next - 1; i > 0; i-- {
		if e.body(i).alive {
			top = max(top, i)
		} else if top != 0 {
			a.Add(i)
		}
	}
	a.Shrink(top + 1)
}
