package espbags

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

	forest   arena // see up
	infos    arena // by the same index
	bodies   arena
	scopes   arena
	slots    uintptr // [scopeSlots]uint32: lists of scopes by hash of their key
	cells    arena
	lockers  arena
	holds    arena
	chunks   arena   // the numbers of those that have entries
	marks    uintptr // a byte for each chunk: whether it is in chunks
	reported uintptr // [reportedSlots]uint64: see firstTime
	frames   interned
	origins  interned
	sets     interned
	octets   interned

	base    uint32 // the smallest task id in use: those below precede everything
	nextID  uint32 // the next one
	peak    uint32 // the most ids that were in use before a forget
	taken   int32  // ids taken since the last sweep, less those given back
	kept    uint32 // ids in use after it
	sweeps  uint32
	live    uint32 // length of the list of tasks that run: see enter
	head    uint32 // its head
	resting uint32 // and that of the list of tasks that rest: see rest
	bags    uint32 // P-bags that are not empty
	escaped uint32 // the P-bag of tasks that ended in no scope
	round   uint32
	hits    uint32 // see hitsToExpand
	quiet   bool   // the one task that runs is alone: see settle
	dirty   bool   // something was recorded since the last forget
	shared  uint64 // an entry that a read of any task leaves as it is until the next Wait: it has no writer, and its reader is in a P-bag; else noEntry
	serial  uint64
	newest  uint32 // the body of the task forked last

	memo    [originMemos]originMemo
	fmemo   [frameMemos]frameMemo
	joins   [joinMemos]joinMemo
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
	Tasks     uint32 // ids in use, or that were when a sweep looked last
	Unions    uint64 // of bags
	Recorded  uint64 // accesses that changed a history
	Cells     uint32 // words that have or had one
	Origins   uint32
	Frames    uint32
	Locksets  uint32
	Chunks    uint32 // pieces of 64 KiB of memory with a history
	Sweeps    uint32
	Late      uint64 // tasks that went on behind the end that their scope waits for
	Overflows uint64 // accesses under locks that a full list left out
	Races     uint64
	Committed uint64 // bytes of tables, the shadow included
}

const (
	maxTasks   = 1<<idBits - 1
	maxBodies  = 1 << 24
	maxScopes  = 1 << 26
	maxCells   = 1<<idBits - 1
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
	e.lines = uintptr(hostMap(e.size / lineBytes * lineSize))
	e.forest.init(4, maxTasks, "tasks")
	e.infos.init(unsafe.Sizeof(info{}), maxTasks, "tasks")
	e.bodies.init(bodyStride, maxBodies, "running tasks")
	e.scopes.init(unsafe.Sizeof(scope{}), maxScopes, "finish scopes")
	e.slots = uintptr(hostMap(scopeSlots * 4))
	e.cells.init(unsafe.Sizeof(cell{}), maxCells, "words with locks or parts")
	e.lockers.init(unsafe.Sizeof(locker{}), maxLists, "accesses under locks")
	e.holds.init(unsafe.Sizeof(hold{}), maxBodies, "locks held")
	e.chunks.init(4, uint32(e.size>>chunkShift)+2, "memory")
	e.marks = uintptr(hostMap(e.size >> chunkShift))
	e.reported = uintptr(hostMap(reportedSlots * 8))
	e.frames.init(unsafe.Sizeof(frame{}), maxFrames, "calling contexts")
	e.origins.init(unsafe.Sizeof(origin{}), maxOrigins, "places of accesses")
	e.octets.init(unsafe.Sizeof(octet{}), maxSets, "places of accesses to parts of words")
	e.sets.init(unsafe.Sizeof(lockSet{}), maxSets, "locksets")
	e.sweeps = 1
	e.base, e.nextID = 1, 1
	e.shared = noEntry
	t := e.Fork(nil, 0, 0)
	e.infoOf(t.id).flags = infoMain
	return t
}

// Close gives all memory back.
func (e *Engine) Close() {
	hostFree(unsafe.Add(nil, e.shadow), 2*e.size)
	hostFree(unsafe.Add(nil, e.lines), e.size/lineBytes*lineSize)
	hostFree(unsafe.Add(nil, e.slots), scopeSlots*4)
	hostFree(unsafe.Add(nil, e.marks), e.size>>chunkShift)
	hostFree(unsafe.Add(nil, e.reported), reportedSlots*8)
	for _, a := range [...]*arena{&e.forest, &e.infos, &e.bodies, &e.scopes, &e.cells, &e.lockers, &e.holds, &e.chunks} {
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
	s.Live, s.Tasks, s.Sweeps = e.live, e.nextID-e.base, e.sweeps-1
	s.Cells, s.Chunks = e.cells.next-1, e.chunks.next-1
	s.Origins, s.Frames, s.Locksets = e.origins.next-1, e.frames.next-1, e.sets.next-1
	s.Committed = uint64(s.Chunks) * chunkBytes * 2
	s.Committed += uint64(max(e.peak, s.Tasks)) * uint64(4+e.infos.size)
	for _, a := range [...]*arena{&e.bodies, &e.scopes, &e.cells, &e.lockers, &e.chunks, &e.frames.arena, &e.origins.arena, &e.sets.arena, &e.octets.arena} {
		s.Committed += uint64(a.next) * uint64(a.size)
	}
}
