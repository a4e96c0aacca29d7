package serial

import (
	"unsafe"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
	"taskinstr/detector/race"
)

// Options are set once, in Init.
type Options struct {
	Repeat    bool // report a pair of sites each time it races
	Conflicts bool // remember the conflicts of critical sections, for Conflict

	NoPredict, All, TSO bool // of package parallel: they change nothing here

	SiteBase uintptr // sites and instructions lie less than 4 GiB behind these two
	PCBase   uintptr
	Space    uint // 1<<Space bytes of addresses have shadow, and others count modulo that; 0: DefaultSpace
}

// DefaultSpace is large enough for Go's heap and the data of a program, on all 64-bit
// systems.
const DefaultSpace = 40

// An Engine is the part of an execution that all algorithms have. The zero value needs
// Init.
type Engine struct {
	opt    Options
	shadow mem.Zeroed // the entries; the origins are size bytes behind
	size   uintptr
	lines  mem.Zeroed // the lines
	mask   uintptr    // the bits of an address that are the offset of its entry

	bodies   mem.Arena  // of Task
	readers  mem.Zeroed // see readerAt
	cells    mem.Arena
	lockers  mem.Arena
	holds    mem.Arena
	chunks   mem.Arena  // the numbers of those that have entries
	marks    mem.Zeroed // a byte for each chunk: hasEntries, hasObjects
	contexts context.Tree
	reported race.Table
	origins  mem.Interned
	sets     mem.Interned
	octets   mem.Interned

	// Base is the smallest unit in use: units below precede everything.
	Base uint32

	// Taken counts the units and tasks that were taken since the last sweep, less those
	// given back; Kept, those in use after it.
	Taken int32
	Kept  uint32

	// Unjoined counts the ended work that no task has waited for, in pieces of the
	// algorithm's choice. While it is not 0 no task is alone.
	Unjoined uint32

	// Dirty says that something was recorded since the last restart.
	Dirty bool

	// AtomicConflicts says that two atomic accesses of a byte are a conflict of critical
	// sections.
	AtomicConflicts bool

	// Counts are the counters that the tables do not give.
	Counts Stats

	quiet      bool   // the one task that runs is alone: see settle
	listBase   uint32 // the smallest list of readers in use
	nextList   uint32 // the next list
	freeReader uint32 // the chain of free lists
	sweeps     uint32
	live       uint32 // length of the list of tasks that run: see enter
	head       uint32 // its head
	resting    uint32 // the head of the list of tasks that rest: see rest
	hits       uint32 // see hitsToExpand
	serial     uint64

	listed  [listMemos]uint32
	memo    [originMemos]originMemo
	cache   context.Cache
	joins   [joinMemos]joinMemo
	clashes [maxClashes]clash
	nClash  int

	conflicts [maxConflicts]uint32
	nConflict uint32

	bufferBytes uintptr // the addresses that Buffer has given out

	host host
}

// Stats are counters of one execution.
type Stats struct {
	Forked    uint64 // tasks
	Live      uint32 // tasks that run
	Recorded  uint64 // accesses that changed a history
	Cells     uint32 // words that have or had one
	Lists     uint32 // of readers
	Origins   uint32
	Frames    uint32
	Locksets  uint32
	Chunks    uint32 // pieces of 64 KiB of memory with a history
	Sweeps    uint32
	Locks     uint64 // taken by tasks that were not alone
	Protected uint64 // pairs of accesses that only a common lock keeps from being a race
	Overflows uint64 // accesses under locks that a full list left out
	Races     uint64
	Committed uint64 // bytes of tables, the shadow included
}

const (
	// MaxUnits is the number of units that entries can name.
	MaxUnits = isList - 1

	maxBodies  = 1 << 24
	maxCells   = isList - 1
	maxLists   = 1 << 28
	maxOrigins = 1 << 28
	maxSets    = 1 << 26
)

// Init sets up the shared tables. The algorithm gets own bytes of its own for each running
// task, see Task.Own.
func (e *Engine) Init(o Options, own uintptr) {
	if o.Space == 0 {
		o.Space = DefaultSpace
	}
	e.opt = o
	e.size = 1 << o.Space
	e.mask = e.size - wordBytes
	e.shadow.Init(2 * e.size)
	e.lines.Init(e.size / lineBytes * lineSize)
	e.marks.Init(e.size >> chunkShift)
	e.reported.Init()
	e.bodies.Init((unsafe.Sizeof(Task{})+own+63)&^63, 0, maxBodies, "running tasks")
	if readerLists {
		e.readers.Init(isList * unsafe.Sizeof(reader{}))
	}
	e.cells.Init(unsafe.Sizeof(cell{}), 0, maxCells, "words with locks or parts")
	e.lockers.Init(unsafe.Sizeof(locker{}), 0, maxLists, "accesses under locks")
	e.holds.Init(unsafe.Sizeof(hold{}), 0, maxBodies, "locks held")
	e.chunks.Init(4, 0, uint32(e.size>>chunkShift)+2, "memory")
	e.contexts.Init()
	e.origins.Init(unsafe.Sizeof(origin{}), 0, maxOrigins, "places of accesses")
	e.octets.Init(unsafe.Sizeof(octet{}), 0, maxSets, "places of accesses to parts of words")
	e.sets.Init(unsafe.Sizeof(lockSet{}), 0, maxSets, "locksets")
	e.sweeps = 1
	e.Base = 1
	e.listBase, e.nextList = 1, 1
}

// Close gives the memory back.
func (e *Engine) Close() {
	for _, z := range [...]*mem.Zeroed{&e.shadow, &e.lines, &e.marks, &e.readers} {
		z.Close()
	}
	for _, a := range [...]*mem.Arena{&e.bodies, &e.cells, &e.lockers, &e.holds, &e.chunks} {
		a.Close()
	}
	e.reported.Close()
	e.contexts.Close()
	e.origins.Close()
	e.sets.Close()
	e.octets.Close()
}

// tables are the arenas whose elements take memory as long as the program runs.
func (e *Engine) tables() [9]*mem.Arena {
	return [9]*mem.Arena{&e.bodies, &e.cells, &e.lockers, &e.holds, &e.chunks, &e.contexts.Arena, &e.origins.Arena, &e.sets.Arena, &e.octets.Arena}
}

// FillStats fills s. Stats.Committed lacks the algorithm's own tables.
func (e *Engine) FillStats(s *Stats) {
	*s = e.Counts
	s.Live, s.Sweeps = e.live, e.sweeps-1
	s.Cells, s.Chunks, s.Lists = e.cells.Next-1, e.chunks.Next-1, e.nextList-e.listBase
	s.Origins, s.Frames, s.Locksets = e.origins.Next-1, e.contexts.Next-1, e.sets.Next-1
	s.Committed = uint64(s.Chunks)*chunkBytes*2 + uint64(s.Lists)*uint64(unsafe.Sizeof(reader{}))
	for _, a := range e.tables() {
		s.Committed += a.Bytes()
	}
}
