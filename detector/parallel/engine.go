package parallel

import (
	"unsafe"

	"taskinstr/detector/context"
	"taskinstr/detector/mem"
	"taskinstr/detector/race"
)

// Options configure an engine.
type Options struct {
	NoPredict bool // lock edges are structural: races only, no predictions
	All       bool // predict from the structural order, also across conflicting critical sections
	Conflicts bool // remember the places at which critical sections conflict
	Repeat    bool // report a pair of sites each time it races, not only once
	// Sites and pcs lie less than 4 GiB above these addresses.
	SiteBase, PCBase uintptr
	Slots            uint32 // live tasks up to which clocks are exact, less a spare part, see Exact; 0: the most
	Patience         uint32 // accesses after which a task gets a filter; 0: the default
	TSO              bool   // the processor keeps stores in order (x86): a plain store may release a lock
}

// Engine is one race detector. Init makes the zero value ready. The fields that every access
// reads share no cache line with the fields that change often.
type Engine struct {
	opt    Options
	little bool // the processor is little-endian
	// 1 if nothing is predicted, or nothing any more: then the weak order is happens-before. A task may notice late, and its
	// predictions are dropped.
	unpredicted uint32
	sweeps      uint32
	keep        uint32 // KeepHistory was called
	foreign     uint32 // unlocks by tasks that did not hold the lock
	crowded     uint32 // see Alone
	due         uint32 // not 0: a sweep is due
	nslots      uint32 // slots in use so far, slot 0 included
	_           [mem.CacheLine]byte

	others  uint32 // see Alone
	joined  uint32
	recheck uint32
	serials uint64 // tasks forked so far, main included
	_       [mem.CacheLine]byte

	lockSerial uint32
	visits     uint32 // the locks that were taken since the last sweep, are held, or have uses, by object.visit
	celled     uint32 // blocks of cells
	touched    uint32 // the first of the blocks that may have history, or endOfTouched
	conflictMu uint32
	conflictN  uint32
	conflict   [maxConflicts]origin
	races      uint32
	predicted  uint32
	suspendMu  uint32             // guards the chain of suspended reports; taken before the lock of an object
	suspended  uint32             // head of the chain
	useLocks   [useStripes]uint32 // of the buckets of useHeads
	dirMu      uint32             // guards new tables and blocks of the directory

	work       uint64 // elements made since the last sweep, see addWork
	workNext   uint64 // value of work at which a sweep is due
	slotMu     uint32 // guards the fields below and the slots
	freeSlots  uint32 // the slot given up last, and the one given up first, of those that are not empty
	oldestSlot uint32
	emptySlots uint32 // list of the slots that no live task has and of whose tasks no access is left
	sharedSlot uint32 // the one shared last
	slotsDue   uint32 // slots taken since the last sweep that were empty, new or not exact
	slotsNext  uint32 // the next sweep is due with so many of them at the latest
	lockedDue  uint32 // slots that ended tasks have locked since the last sweep
	lockedNext uint32 // the next sweep is due with so many of them at the latest
	inexact    uint32 // forks whose task got a slot that is not exact
	relaxed    uint32 // locks that relax has made order
	unsound    uint32 // not 0: predictions could be false since one of these
	_          [mem.CacheLine]byte

	tasks       mem.Arena  // taskInfo
	bodies      mem.Arena  // Task
	clockPages  mem.Arena  // clockPage
	clockTops   mem.Arena  // clockTop
	slotTable   mem.Zeroed // slot
	slotsOf     mem.Zeroed // of each task, 2 bytes
	records     mem.Arena  // record
	origins     mem.Arena  // origin
	lists       mem.Arena  // listNode
	originLists mem.Arena  // originNode
	sections    mem.Arena  // section
	sets        mem.Arena  // setNode
	objects     mem.Arena  // object
	holds       mem.Arena  // holdChunk
	blocks      mem.Arena  // block
	pages       mem.Arena  // cellPage
	splits      mem.Arena  // splitWord
	slots       mem.Arena  // slotPage: the objects of a block by word
	shares      mem.Arena  // shareTable
	uses        mem.Arena  // use
	useHeads    mem.Zeroed // of the lists of use.same
	announced   mem.Arena  // announced
	pendings    mem.Arena  // pending
	suspensions mem.Arena  // suspended
	filters     mem.Arena  // filter
	procs       mem.Arena  // proc
	buffers     mem.Arena  // buffer
	tables      mem.Arena  // second level of the shadow directory
	dir         mem.Zeroed

	contexts context.Tree
	reported race.Table

	bufferMu    uint32                // guards the fields below
	freeBuffers [bufferClasses]uint32 // heads of the chains of free buffers
	bufferBase  uintptr               // the reserved range of their addresses
	bufferBytes uintptr               // the part of the range that has been given out
}

// Table limits. They reserve addresses, not memory. A host may have addresses for a share of them alone
// (mem.Share).
const (
	maxTasks     = 1 << 28
	maxBodies    = 1 << 24
	maxClocks    = 1 << 26
	maxRecords   = 1 << 30
	maxLists     = 1 << 30
	maxObjects   = 1 << 28
	maxBlocks    = 1 << 26 // of 8 KiB each
	maxSlotPages = 1 << 24 // of objects by word
	maxPages     = maxBlocks
	maxSplits    = 1 << 30
	maxSections  = 1 << 28
	maxTables    = 1 << 19 // of 64 MiB each
	maxProcs     = 1 << 16
)

// Init makes e ready and returns the main task.
func (e *Engine) Init(o Options) *Task {
	one := uint32(1)
	if o.Patience == 0 {
		o.Patience = filterLimit
	}
	*e = Engine{opt: o, little: *(*byte)(unsafe.Pointer(&one)) == 1}
	if o.NoPredict {
		e.unpredicted = 1
	}
	e.tasks.Init(unsafe.Sizeof(taskInfo{}), 0, maxTasks, "tasks")
	e.tasks.Batched(unsafe.Offsetof(taskInfo{}.parent))
	e.bodies.Init(bodyStride, unsafe.Offsetof(Task{}.nextFree), maxBodies, "live tasks")
	e.bodies.Batched(unsafe.Offsetof(Task{}.nextBatch))
	e.records.Init(unsafe.Sizeof(record{}), unsafe.Offsetof(record{}.task), maxRecords, "accesses")
	e.records.Hot()
	e.records.Batched(unsafe.Offsetof(record{}.step))
	e.origins.Init(unsafe.Sizeof(origin{}), 0, maxRecords, "places of accesses")
	e.origins.Hot()
	e.origins.Batched(unsafe.Offsetof(origin{}.pc))
	e.lists.Init(unsafe.Sizeof(listNode{}), 0, maxLists, "access lists")
	e.lists.Hot()
	e.lists.Batched(unsafe.Offsetof(listNode{}.record))
	e.originLists.Init(unsafe.Sizeof(originNode{}), unsafe.Offsetof(originNode{}.rest), maxLists, "places of access lists")
	e.originLists.Hot()
	e.originLists.Batched(unsafe.Offsetof(originNode{}.origin))
	e.initLocks()
	e.blocks.Init(unsafe.Sizeof(block{}), 0, maxBlocks, "shadow blocks")
	e.blocks.Hot()
	e.pages.Init(unsafe.Sizeof(cellPage{}), 0, maxPages, "shadow cells")
	e.pages.Hot()
	e.splits.Init(unsafe.Sizeof(splitWord{}), unsafe.Offsetof(splitWord{}.next), maxSplits, "shadow bytes")
	e.splits.Hot()
	e.splits.Batched(unsafe.Offsetof(splitWord{}.masks))
	e.pendings.Init(unsafe.Sizeof(pending{}), unsafe.Offsetof(pending{}.next), maxBodies, "reports")
	e.suspensions.Init(unsafe.Sizeof(suspended{}), unsafe.Offsetof(suspended{}.next), maxBodies, "suspended reports")
	e.filters.Init(unsafe.Sizeof(filter{}), 0, maxBodies, "filters of tasks")
	e.filters.Put(e.filters.Get()) // commits the memory of the empty filter
	e.procs.Init(procStride, unsafe.Offsetof(proc{}.link), maxProcs, "processors")
	e.buffers.Init(unsafe.Sizeof(buffer{}), unsafe.Offsetof(buffer{}.next), maxObjects, "channel buffers")
	e.bufferBase = uintptr(mem.Reserve(mem.Share(bufferSpace)))
	e.tables.Init(tableBytes, 0, maxTables, "shadow tables")
	e.dir.Init(dirEntries * 4)
	e.reported.Init()
	e.contexts.Init()
	e.initClocks()
	e.workNext, e.touched = sweepFloor, endOfTouched
	e.initSlots()
	t := e.Fork(nil, 0, 0)
	e.info(t.id).flags |= infoMain
	e.others, e.joined, e.crowded = 0, 1, 0
	return t
}

// initLocks makes the arenas for sync objects, locks and critical sections.
func (e *Engine) initLocks() {
	e.sections.Init(unsafe.Sizeof(section{}), unsafe.Offsetof(section{}.endStep), maxSections, "critical sections")
	e.sections.Batched(unsafe.Offsetof(section{}.lock))
	e.sets.Init(unsafe.Sizeof(setNode{}), 0, maxSections, "locksets")
	e.sets.Batched(unsafe.Offsetof(setNode{}.section))
	e.objects.Init(unsafe.Sizeof(object{}), unsafe.Offsetof(object{}.next), maxObjects, "sync objects")
	e.holds.Init(unsafe.Sizeof(holdChunk{}), 0, maxBodies, "held locks")
	e.slots.Init(unsafe.Sizeof(slotPage{}), 0, maxSlotPages, "sync object tables")
	e.shares.Init(unsafe.Sizeof(shareTable{}), 0, maxObjects, "read locks")
	e.uses.Init(unsafe.Sizeof(use{}), unsafe.Offsetof(use{}.next), maxSections, "uses of channels in critical sections")
	e.useHeads.Init(useBuckets * 4)
	e.announced.Init(unsafe.Sizeof(announced{}), unsafe.Offsetof(announced{}.n), maxObjects, "locks with announced critical sections")
}

// Close gives all memory back. No task of e may be used afterwards.
func (e *Engine) Close() {
	e.tasks.Close()
	e.bodies.Close()
	e.clockPages.Close()
	e.clockTops.Close()
	e.slotTable.Close()
	e.slotsOf.Close()
	e.records.Close()
	e.origins.Close()
	e.lists.Close()
	e.originLists.Close()
	e.sections.Close()
	e.sets.Close()
	e.objects.Close()
	e.holds.Close()
	e.blocks.Close()
	e.pages.Close()
	e.splits.Close()
	e.slots.Close()
	e.shares.Close()
	e.uses.Close()
	e.useHeads.Close()
	e.announced.Close()
	e.pendings.Close()
	e.suspensions.Close()
	e.filters.Close()
	e.procs.Close()
	e.buffers.Close()
	if e.bufferBase != 0 {
		mem.Free(unsafe.Add(nil, e.bufferBase), mem.Share(bufferSpace))
		e.bufferBase = 0
	}
	e.tables.Close()
	e.dir.Close()
	e.reported.Close()
	e.contexts.Close()
}
