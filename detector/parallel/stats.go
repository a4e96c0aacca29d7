package parallel

import "unsafe"

// Stats holds figures of an engine at one moment.
type Stats struct {
	Forked    uint64 // tasks forked so far
	Live      uint32
	Tasks     uint32 // live tasks and tasks that recorded accesses name
	Records   uint32
	Origins   uint32
	Lists     uint32
	Clocks    uint32
	Objects   uint32
	Inexact   uint32 // forks beyond Options.Slots, which may hide races
	Sections  uint32
	Blocks    uint32
	Pages     uint32 // blocks of cells
	Splits    uint32
	Frames    uint32
	Sweeps    uint32
	Races     uint32
	Predicted uint32
	LockWaits uint32 // times that a thread found a lock of the engine taken
	Committed uint64 // bytes with memory behind them
}

// Stats fills in s.
func (e *Engine) Stats(s *Stats) {
	*s = Stats{
		Forked:    load64(&e.serials),
		Live:      e.bodies.used(),
		Tasks:     e.tasks.used(),
		Records:   e.records.used(),
		Origins:   e.origins.used(),
		Lists:     e.lists.used(),
		Clocks:    e.clockPages.used(),
		Inexact:   load32(&e.inexact),
		Objects:   e.objects.used(),
		Sections:  e.sections.used(),
		Blocks:    e.blocks.used(),
		Pages:     load32(&e.celled),
		Splits:    e.splits.used(),
		Frames:    e.frames.used(),
		Sweeps:    e.sweeps,
		Races:     load32(&e.races),
		Predicted: load32(&e.predicted),
		LockWaits: load32(&lockWaits),
	}
	s.Committed = uint64(e.tasks.committed + e.bodies.committed + e.clockPages.committed + e.clockTops.committed + e.records.committed +
		e.lists.committed + e.originLists.committed + e.sections.committed + e.sets.committed + e.objects.committed +
		e.holds.committed + e.blocks.committed + uintptr(e.celled)*unsafe.Sizeof(cellPage{}) + e.origins.committed + e.splits.committed + e.slots.committed +
		e.shares.committed + e.pendings.committed + e.suspensions.committed + e.frames.committed + e.tables.committed + e.filters.committed + e.procs.committed + e.buffers.committed)
}
