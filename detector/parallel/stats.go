package parallel

import "taskinstr/detector/mem"

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
	Relaxed   uint32 // locks that predictions do not look behind any more, since of these
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
		Forked:    mem.Load64(&e.serials),
		Live:      e.live(),
		Tasks:     e.tasks.Used(),
		Records:   e.records.Used(),
		Origins:   e.origins.Used(),
		Lists:     e.lists.Used(),
		Clocks:    e.clockPages.Used(),
		Inexact:   mem.Load32(&e.inexact),
		Relaxed:   e.relaxed,
		Objects:   e.objects.Used(),
		Sections:  e.sections.Used(),
		Blocks:    e.blocks.Used(),
		Pages:     mem.Load32(&e.celled),
		Splits:    e.splits.Used(),
		Frames:    e.contexts.Used(),
		Sweeps:    e.sweeps,
		Races:     mem.Load32(&e.races),
		Predicted: mem.Load32(&e.predicted),
		LockWaits: mem.Load32(&mem.LockWaits),
	}
	s.Committed = uint64(e.tasks.Committed + e.bodies.Committed + e.clockPages.Committed + e.clockTops.Committed + e.records.Committed +
		e.lists.Committed + e.originLists.Committed + e.sections.Committed + e.sets.Committed + e.objects.Committed +
		e.holds.Committed + e.blocks.Committed + e.pages.Committed + e.origins.Committed + e.splits.Committed + e.slots.Committed +
		e.shares.Committed + e.uses.Committed + e.announced.Committed + e.pendings.Committed + e.suspensions.Committed + e.contexts.Committed + e.tables.Committed + e.filters.Committed + e.procs.Committed + e.buffers.Committed)
}

// live returns the number of bodies that no stock has.
func (e *Engine) live() uint32 {
	n := e.bodies.Used()
	for i := uint32(1); i < e.procs.Next; i++ {
		n -= min(n, (*proc)(e.procs.At(i)).bodies.Size())
	}
	return n
}
