package schedule

import "unsafe"

// An ID identifies a task; 0 is none. It is reused when the task and its children have
// ended.
type ID uint32

// A task is an entry of the table.
type task struct {
	host    uintptr // the host's name for the task
	hash    uint64  // of the path
	label   uint64  // its position in depth-first order, see order.go
	before  ID      // its neighbours in depth-first order
	after   ID
	parent  ID              // 0: no parent, or the path is cut here
	ordinal uint32          // it is its parent's ordinal-th child
	forks   uint32          // the number of children that it has made
	refs    uint32          // 1 while the task lives, plus the number of children whose paths lead through it
	text    [shortName]byte // its name, of size bytes, for records; size 0: not known, or longer
	size    uint8
	mark    uint32 // not 0: the name of the task is @mark
	depth   uint32 // the number of path parts since main or the last mark

	// The set of ready tasks: a pairing heap or a queue (ready.go), or an index in a list
	// (random.go).
	where place
	child ID
	next  ID
	prev  ID
	slot  uint32

	taken    uint32 // locks taken, with PointsStops
	branches uint32 // branches decided, with PointsStops

	op     Op      // the operation that it is about to make
	object uintptr // of that operation
	rank   uint64  // among ready tasks: the highest runs first (pct.go, pos.go)
	weight uint32  // the number of steps that are left for it (surw.go)

	want    Want // what it is about to do with the first of these objects, say to take a lock
	objects [maxObjects]uintptr
	n       uint32 // of them; larger than maxObjects if there are more
	own     uint32 // the number of objects that the task itself named
}

// place is the set of ready tasks that contains a task.
type place uint32

const (
	nowhere place = iota
	inHeap
	inQueue
	inList
	isNext
	inLocks // the heap of tasks that are about to take a lock
	atLock  // it waits for a lock and is not ready
)

// maxObjects is the number of objects of an operation that a record can name.
const maxObjects = 8

const (
	// maxPath is the number of parts after which a path is cut.
	maxPath = 16

	chunkBits = 12
	chunkSize = 1 << chunkBits
	chunks    = 1 << 14
)

// MaxName is the maximum length of a name: "outside" or @ with ten digits, and a dot with
// ten digits for each part.
const MaxName = 11 + 11*maxPath

// shortName is the size of names that tasks keep.
const shortName = 23

// Tasks is the table of the tasks of a run. Its zero value must be initialized by Init.
type Tasks struct {
	dir     uintptr // [chunks]uintptr, each 0 or a *[chunkSize]task
	n       uint32  // the number of entries handed out so far, including freed ones
	free    ID      // the list of freed entries, linked by next
	main    ID
	outside uint32 // the number of tasks that no task made, without main
	marks   uint32
	living  uint32

	first, last ID // of the list in depth-first order
}

func (ts *Tasks) Init() {
	ts.dir = uintptr(hostAlloc(chunks * unsafe.Sizeof(uintptr(0))))
}

func (ts *Tasks) chunk(i uintptr) *uintptr {
	return (*uintptr)(unsafe.Add(nil, ts.dir+i*unsafe.Sizeof(uintptr(0))))
}

func (ts *Tasks) at(t ID) *task {
	return (*task)(unsafe.Add(nil, *ts.chunk(uintptr(t >> chunkBits))+uintptr(t&(chunkSize-1))*unsafe.Sizeof(task{})))
}

func (ts *Tasks) get() ID {
	if t := ts.free; t != 0 {
		e := ts.at(t)
		ts.free = e.next
		*e = task{}
		return t
	}
	ts.n++ // entry 0 is no task
	t := ID(ts.n)
	if t>>chunkBits >= chunks {
		hostExhausted("tasks")
	}
	if c := ts.chunk(uintptr(t >> chunkBits)); *c == 0 {
		*c = uintptr(hostAlloc(chunkSize * unsafe.Sizeof(task{})))
	}
	return t
}

// Fork makes a task, a child of parent. The first task without a parent is main. host is
// the host's name for the new task.
func (ts *Tasks) Fork(parent ID, host uintptr) ID {
	t := ts.get()
	e := ts.at(t)
	e.host = host
	e.refs = 1
	ts.living++
	switch {
	case parent != 0:
		p := ts.at(parent)
		p.forks++
		e.ordinal = p.forks
		e.hash = extend(p.hash, e.ordinal)
		e.depth = p.depth + 1
		if e.depth == maxPath {
			ts.marks++
			e.mark = ts.marks
			e.depth = 0
		} else {
			e.parent = parent
			p.refs++
		}
		ts.insertBefore(t, parent)
	case ts.main == 0:
		ts.main = t
		e.hash = hashMain
		ts.append(t)
	default:
		ts.outside++
		e.ordinal = ts.outside
		e.hash = extend(hashOutside, e.ordinal)
		ts.append(t)
	}
	return t
}

// End removes t. Its entry stays as long as the names of other tasks lead through it.
func (ts *Tasks) End(t ID) {
	ts.living--
	ts.at(t).host = 0
	ts.unlink(t)
	for t != 0 {
		e := ts.at(t)
		e.refs--
		if e.refs > 0 {
			return
		}
		up := e.parent
		e.next = ts.free
		ts.free = t
		t = up
	}
}

// Host returns the host's name for t.
func (ts *Tasks) Host(t ID) uintptr { return ts.at(t).host }

// Hash returns a number that identifies t's path in every run.
func (ts *Tasks) Hash(t ID) uint64 { return ts.at(t).hash }

// Living returns the number of tasks that have not ended.
func (ts *Tasks) Living() uint32 { return ts.living }

// First and After iterate over the living tasks in depth-first order, up to 0.
func (ts *Tasks) First() ID         { return ts.first }
func (ts *Tasks) After(t ID) ID     { return ts.at(t).after }
func (ts *Tasks) IsReady(t ID) bool { return ts.at(t).where != nowhere && ts.at(t).where != atLock }

// Marked returns the number in t's name if t's path is cut at t, else 0.
func (ts *Tasks) Marked(t ID) uint32 { return ts.at(t).mark }

const (
	hashMain    = 0x6d61696e
	hashOutside = 0x6f757473
)

// extend returns the hash of the path of the child with an ordinal, below the path with
// hash h.
func extend(h uint64, ordinal uint32) uint64 { return mix(h + uint64(ordinal)*0x9e3779b97f4a7c15) }

// Name writes the name of t into buf and returns its length.
func (ts *Tasks) Name(t ID, buf *[MaxName]byte) int {
	var parts [maxPath + 1]uint32
	k := 0
	e := ts.at(t)
	for e.parent != 0 {
		parts[k] = e.ordinal
		k++
		e = ts.at(e.parent)
	}
	n := 0
	switch {
	case e.mark != 0:
		buf[0] = '@'
		n = digits(buf, 1, e.mark)
	case e.ordinal != 0:
		n = copy(buf[:], "outside.")
		n = digits(buf, n, e.ordinal)
	default:
		n = copy(buf[:], "main")
	}
	for k > 0 {
		k--
		buf[n] = '.'
		n = digits(buf, n+1, parts[k])
	}
	return n
}

// digits writes v to buf at n and returns the end.
func digits(buf *[MaxName]byte, n int, v uint32) int {
	size := 1
	for w := v; w >= 10; w /= 10 {
		size++
	}
	for i := size - 1; i >= 0; i-- {
		buf[n+i] = byte('0' + v%10)
		v /= 10
	}
	return n + size
}
