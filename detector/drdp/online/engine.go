package online

import "unsafe"

// Kind is what an access does. The values are those of package detector.
type Kind uint8

const (
	Read        Kind = 0
	Write       Kind = 1
	AtomicRead  Kind = 2
	AtomicWrite Kind = 3
)

func (k Kind) writes() bool { return k&Write != 0 }
func (k Kind) atomic() bool { return k&AtomicRead != 0 }

// Options are set once, in Init.
type Options struct {
	Repeat    bool // report a pair of sites each time it races
	Conflicts bool // remember the conflicts of critical sections, for Conflict

	NoPredict, All, TSO bool // of package detector: they change nothing here

	NoHeirs bool // for tests: heirs find most of what the search would have to find

	SiteBase uintptr // sites and instructions lie less than 4 GiB behind these two
	PCBase   uintptr
	Space    uint // 1<<Space bytes of addresses have shadow, and others count modulo that; 0: DefaultSpace
}

// DefaultSpace tells Go's heap and the data of a program apart on all 64-bit systems.
const DefaultSpace = 40

// An Engine is one execution. The zero value wants Init.
type Engine struct {
	opt    Options
	shadow uintptr // the entries; the origins are size bytes behind
	size   uintptr
	lines  uintptr // the entries of lines
	mask   uintptr // the bits of an address that are the offset of its entry

	steps    arena // see stepOf
	infos    arena
	bodies   arena
	joins    arena
	readers  arena // see readerAt
	objects  arena
	slots    uintptr // [objectSlots]uint32: lists of objects by hash of their key
	points   arena
	queue    arena // of a search
	cells    arena
	lockers  arena
	holds    arena
	chunks   arena   // the numbers of those that have entries
	marks    uintptr // a byte for each chunk: hasEntries, hasObjects
	reported uintptr // [reportedSlots]uint64: see firstTime
	frames   interned
	origins  interned
	sets     interned
	octets   interned

	base       uint32 // the smallest step in use: those below precede everything
	nextStep   uint32 // the next one
	freeStep   uint32 // the chain of free ones
	listBase   uint32 // the same of lists of readers
	nextList   uint32
	freeReader uint32
	freeInfo   uint32
	peak       uint32 // the most tasks that were known before a forget
	taken      int32  // steps and tasks taken since the last sweep, less those given back
	kept       uint32 // steps and tasks in use after it
	sweeps     uint32
	live       uint32 // length of the list of tasks that run: see enter
	head       uint32 // its head
	resting    uint32 // and that of the list of tasks that rest: see rest
	loose      uint32 // tasks that are: see settle
	clock      uint32
	epoch      uint32 // the last one given out
	round      uint32 // of searches
	again      uint32 // of reports: see ReportAgain
	queued     uint32
	hits       uint32 // see hitsToExpand
	quiet      bool   // the one task that runs is alone: see settle
	dirty      bool   // something was recorded since the last forget
	serial     uint64

	answers [answers]answer
	listed  [listMemos]uint32
	memo    [originMemos]originMemo
	fmemo   [frameMemos]frameMemo
	octs    [joinMemos]joinMemo
	clashes [maxClashes]clash
	nClash  int

	conflicts [maxConflicts]uint32
	nConflict uint32

	counts Stats
}

// Stats are counters of one execution.
type Stats struct {
	Forked    uint64 // tasks
	Live      uint32 // tasks that run
	Tasks     uint32 // tasks known
	Height    uint32 // how deep tasks were nested
	Steps     uint64 // that made an access
	TreeJoins uint64 // of a task that has ended by one above it
	Joins     uint64 // others
	Ordered   uint64 // acquires of what precedes the task by forks and joins of the tree
	Checks    uint64 // questions for the order of a step and a task, but for repeated ones
	Searches  uint64 // of them that forks and joins of the tree do not answer
	Visited   uint64 // places that searches came by
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
	maxTasks   = 1 << 28
	maxBodies  = 1 << 24
	maxObjects = 1 << 28
	maxJoins   = 1 << 30
	maxQueue   = 1 << 28
	maxCells   = isList - 1
	maxLists   = 1 << 28
	maxFrames  = 1 << 28
	maxOrigins = 1 << 28
	maxSets    = 1 << 26
)

// Init begins an execution and returns the main task.
func (e *Engine) Init(o Options) *Task {
	if o.Space == 0 {
		o.Space = DefaultSpace
	}
	e.opt = o
	e.size = 1 << o.Space
	e.mask = e.size - wordBytes
	e.shadow = uintptr(hostMap(2 * e.size))
	e.lines = uintptr(hostMap(2 * e.size / lineWords))
	e.slots = uintptr(hostMap(objectSlots * 4))
	e.marks = uintptr(hostMap(e.size >> chunkShift))
	e.reported = uintptr(hostMap(reportedSlots * 8))
	e.steps.init(unsafe.Sizeof(step{}), isList, "steps")
	e.infos.init(unsafe.Sizeof(info{}), maxTasks, "tasks")
	e.bodies.init(bodyStride, maxBodies, "running tasks")
	e.joins.init(unsafe.Sizeof(join{}), maxJoins, "joins")
	e.readers.init(unsafe.Sizeof(reader{}), isList, "readers")
	e.objects.init(unsafe.Sizeof(object{}), maxObjects, "promises and scopes")
	e.points.init(unsafe.Sizeof(point{}), maxJoins, "releases")
	e.queue.init(unsafe.Sizeof(place{}), maxQueue, "places to be searched")
	e.cells.init(unsafe.Sizeof(cell{}), maxCells, "words with locks or parts")
	e.lockers.init(unsafe.Sizeof(locker{}), maxLists, "accesses under locks")
	e.holds.init(unsafe.Sizeof(hold{}), maxBodies, "locks held")
	e.chunks.init(4, uint32(e.size>>chunkShift)+2, "memory")
	e.frames.init(unsafe.Sizeof(frame{}), maxFrames, "calling contexts")
	e.origins.init(unsafe.Sizeof(origin{}), maxOrigins, "places of accesses")
	e.octets.init(unsafe.Sizeof(octet{}), maxSets, "places of accesses to parts of words")
	e.sets.init(unsafe.Sizeof(lockSet{}), maxSets, "locksets")
	e.sweeps = 1
	e.base, e.nextStep = 1, 1
	e.listBase, e.nextList = 1, 1
	t := e.Fork(nil, 0, 0)
	e.infoOf(t.id).flags |= infoMain
	return t
}

// tables are the arenas whose elements take memory as long as the program runs.
func (e *Engine) tables() [12]*arena {
	return [12]*arena{&e.bodies, &e.joins, &e.objects, &e.points, &e.cells, &e.lockers, &e.holds, &e.chunks,
		&e.frames.arena, &e.origins.arena, &e.sets.arena, &e.octets.arena}
}

// Close gives all memory back.
func (e *Engine) Close() {
	hostFree(unsafe.Add(nil, e.shadow), 2*e.size)
	hostFree(unsafe.Add(nil, e.lines), 2*e.size/lineWords)
	hostFree(unsafe.Add(nil, e.slots), objectSlots*4)
	hostFree(unsafe.Add(nil, e.marks), e.size>>chunkShift)
	hostFree(unsafe.Add(nil, e.reported), reportedSlots*8)
	for _, a := range [...]*arena{&e.steps, &e.infos, &e.bodies, &e.joins, &e.readers, &e.objects, &e.points, &e.queue, &e.cells, &e.lockers, &e.holds, &e.chunks} {
		a.close()
	}
	e.frames.close()
	e.origins.close()
	e.sets.close()
	e.octets.close()
}

// Stats fills s.
func (e *Engine) Stats(s *Stats) {
	*s = e.counts
	s.Live, s.Tasks, s.Sweeps = e.live, e.infos.next-1, e.sweeps-1
	s.Cells, s.Chunks, s.Lists = e.cells.next-1, e.chunks.next-1, e.nextList-e.listBase
	s.Origins, s.Frames, s.Locksets = e.origins.next-1, e.frames.next-1, e.sets.next-1
	s.Committed = uint64(s.Chunks) * chunkBytes * 2
	s.Committed += uint64(max(e.peak, s.Tasks)) * uint64(e.infos.size)
	s.Committed += uint64(e.nextStep-e.base)*uint64(e.steps.size) + uint64(s.Lists)*uint64(e.readers.size)
	for _, a := range e.tables() {
		s.Committed += uint64(a.next) * uint64(a.size)
	}
}
