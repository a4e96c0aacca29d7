package parallel

import "unsafe"

// A Kind classifies an access: bit 0 is set for a write, bit 1 for an access made by
// sync/atomic.
type Kind uint32

const (
	Read        Kind = 0
	Write       Kind = 1
	AtomicRead  Kind = 2
	AtomicWrite Kind = 3
)

func (k Kind) writes() bool { return k&1 != 0 }
func (k Kind) atomic() bool { return k&2 != 0 }

// Options configure an engine.
type Options struct {
	NoPredict bool // lock edges are structural: races only, no predictions
	All       bool // predict from the structural order, also across conflicting critical sections
	Conflicts bool // remember the places at which critical sections conflict
	Repeat    bool // report a pair of sites each time it races, not only once
	// Sites and pcs lie less than 4 GiB above these addresses.
	SiteBase, PCBase uintptr
	Slots            uint32 // live tasks up to which clocks are exact; 0: the most
	Patience         uint32 // accesses after which a task gets a filter; 0: the default
	TSO              bool   // the processor keeps stores in order (x86): a plain store may release a lock
}

// Engine is one race detector. Init makes the zero value ready. The fields that every access
// reads share no cache line with the fields that change often.
type Engine struct {
	opt     Options
	little  bool // the processor is little-endian
	sweeps  uint32
	keep    uint32 // KeepHistory was called
	foreign uint32 // unlocks by tasks that did not hold the lock
	others  uint32 // see Alone
	joined  uint32
	recheck uint32
	nslots  uint32 // slots in use so far, slot 0 included
	_       [cacheLine]byte

	serials    uint64 // tasks forked so far, main included
	lockSerial uint32
	celled     uint32 // blocks of cells
	touched    uint32 // the first of the blocks that may have history, or endOfTouched
	conflictMu uint32
	conflictN  uint32
	conflict   [maxConflicts]origin
	races      uint32
	predicted  uint32
	round      uint32 // see ReportAgain
	suspendMu  uint32 // guards the chain of suspended reports; taken before the lock of an object
	suspended  uint32 // head of the chain
	dirMu      uint32 // guards new tables and blocks of the directory

	work       uint64 // elements made since the last sweep, see NeedSweep
	workNext   uint64 // value of work at which a sweep is due
	slotMu     uint32 // guards the fields below and the slots
	freeSlots  uint32 // the slot given up last, and the one given up first
	oldestSlot uint32
	sharedSlot uint32 // the one shared last
	slotsDue   uint32 // slots taken since the last sweep that may be exact after one
	inexact    uint32 // forks whose task got a slot that is not exact
	_          [cacheLine]byte

	tasks       arena  // taskInfo
	bodies      arena  // Task
	clockPages  arena  // clockPage
	clockTops   arena  // clockTop
	slotTable   zeroed // slot
	slotsOf     zeroed // of each task, 2 bytes
	records     arena  // record
	origins     arena  // origin
	lists       arena  // listNode
	originLists arena  // originNode
	sections    arena  // section
	sets        arena  // setNode
	objects     arena  // object
	holds       arena  // holdChunk
	blocks      arena  // block
	pages       arena  // cellPage
	splits      arena  // splitWord
	slots       arena  // slotPage: the objects of a block by word
	shares      arena  // shareTable
	pendings    arena  // pending
	suspensions arena  // suspended
	frames      arena  // frame
	filters     arena  // filter
	procs       arena  // proc
	buffers     arena  // buffer
	tables      arena  // second level of the shadow directory
	dir         zeroed
	reported    zeroed // digests of the reported pairs of sites

	contexts interned // frames

	bufferMu    uint32                // guards the fields below
	freeBuffers [bufferClasses]uint32 // heads of the chains of free buffers
	bufferBase  uintptr               // the reserved range of their addresses
	bufferBytes uintptr               // the part of the range that has been given out
}

// Table limits. They reserve addresses, not memory. A host may have addresses for a share of them alone
// (hostShare).
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
	maxFrames    = 1 << stackBits
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
	e.tasks.init(unsafe.Sizeof(taskInfo{}), 0, maxTasks, "tasks")
	e.tasks.batched(unsafe.Offsetof(taskInfo{}.parent))
	e.bodies.init(bodyStride, unsafe.Offsetof(Task{}.nextFree), maxBodies, "live tasks")
	e.records.init(unsafe.Sizeof(record{}), unsafe.Offsetof(record{}.task), maxRecords, "accesses")
	e.records.batched(unsafe.Offsetof(record{}.step))
	e.origins.init(unsafe.Sizeof(origin{}), 0, maxRecords, "places of accesses")
	e.origins.batched(unsafe.Offsetof(origin{}.pc))
	e.lists.init(unsafe.Sizeof(listNode{}), 0, maxLists, "access lists")
	e.lists.batched(unsafe.Offsetof(listNode{}.record))
	e.originLists.init(unsafe.Sizeof(originNode{}), unsafe.Offsetof(originNode{}.rest), maxLists, "places of access lists")
	e.originLists.batched(unsafe.Offsetof(originNode{}.origin))
	e.sections.init(unsafe.Sizeof(section{}), unsafe.Offsetof(section{}.endStep), maxSections, "critical sections")
	e.sections.batched(unsafe.Offsetof(section{}.lock))
	e.sets.init(unsafe.Sizeof(setNode{}), 0, maxSections, "locksets")
	e.sets.batched(unsafe.Offsetof(setNode{}.section))
	e.objects.init(unsafe.Sizeof(object{}), unsafe.Offsetof(object{}.next), maxObjects, "sync objects")
	e.holds.init(unsafe.Sizeof(holdChunk{}), 0, maxBodies, "held locks")
	e.blocks.init(unsafe.Sizeof(block{}), 0, maxBlocks, "shadow blocks")
	e.pages.init(unsafe.Sizeof(cellPage{}), 0, maxPages, "shadow cells")
	e.splits.init(unsafe.Sizeof(splitWord{}), unsafe.Offsetof(splitWord{}.next), maxSplits, "shadow bytes")
	e.splits.batched(unsafe.Offsetof(splitWord{}.masks))
	e.slots.init(unsafe.Sizeof(slotPage{}), 0, maxSlotPages, "sync object tables")
	e.pendings.init(unsafe.Sizeof(pending{}), unsafe.Offsetof(pending{}.next), maxBodies, "reports")
	e.shares.init(unsafe.Sizeof(shareTable{}), 0, maxObjects, "read locks")
	e.suspensions.init(unsafe.Sizeof(suspended{}), unsafe.Offsetof(suspended{}.next), maxBodies, "suspended reports")
	e.frames.init(unsafe.Sizeof(frame{}), unsafe.Offsetof(frame{}.parent), maxFrames, "stack frames")
	e.frames.batched(unsafe.Offsetof(frame{}.pc))
	e.filters.init(unsafe.Sizeof(filter{}), 0, maxBodies, "filters of tasks")
	e.filters.put(e.filters.get()) // commits the memory of the empty filter
	e.procs.init(procStride, unsafe.Offsetof(proc{}.link), maxProcs, "processors")
	e.buffers.init(unsafe.Sizeof(buffer{}), unsafe.Offsetof(buffer{}.next), maxObjects, "channel buffers")
	e.bufferBase = uintptr(hostReserve(hostShare(bufferSpace)))
	e.tables.init(tableBytes, 0, maxTables, "shadow tables")
	e.dir.init(dirEntries * 4)
	e.reported.init(reportedSlots * 8)
	e.contexts.init()
	e.initClocks()
	e.workNext = sweepFloor
	e.touched = endOfTouched
	e.initSlots()
	t := e.Fork(nil, 0, 0)
	e.info(t.id).flags |= infoMain
	e.others, e.joined = 0, 1
	return t
}

// Close gives all memory back. No task of e may be used afterwards.
func (e *Engine) Close() {
	e.tasks.close()
	e.bodies.close()
	e.clockPages.close()
	e.clockTops.close()
	e.slotTable.close()
	e.slotsOf.close()
	e.records.close()
	e.origins.close()
	e.lists.close()
	e.originLists.close()
	e.sections.close()
	e.sets.close()
	e.objects.close()
	e.holds.close()
	e.blocks.close()
	e.pages.close()
	e.splits.close()
	e.slots.close()
	e.shares.close()
	e.pendings.close()
	e.suspensions.close()
	e.frames.close()
	e.filters.close()
	e.procs.close()
	e.buffers.close()
	if e.bufferBase != 0 {
		hostFree(unsafe.Add(nil, e.bufferBase), hostShare(bufferSpace))
		e.bufferBase = 0
	}
	e.tables.close()
	e.dir.close()
	e.reported.close()
	e.contexts.close()
}
