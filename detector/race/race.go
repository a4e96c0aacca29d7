package race

// A Kind classifies an access: bit 0 is set for a write, bit 1 for an access made by
// sync/atomic.
type Kind uint32

const (
	Read        Kind = 0
	Write       Kind = 1
	AtomicRead  Kind = 2
	AtomicWrite Kind = 3
)

// Writes reports whether k is a write.
//
//go:nosplit
func (k Kind) Writes() bool { return k&1 != 0 }

// Atomic reports whether k is the kind of an atomic access.
//
//go:nosplit
func (k Kind) Atomic() bool { return k&2 != 0 }

// The answers to a probe.
const (
	Unknown = iota // Access must handle the access
	Covered        // the access needs no work
	Open           // Quick may succeed; if not, Access must handle the access
)

// A Report is a pair of accesses that race or are predicted to race.
type Report struct {
	Predicted bool // only a lock orders them, and only in this run; never of a serial engine
	Cur       Side // the later one
	Prev      Side

	// The nearest common ancestor of both tasks that the engine still knows.
	AncestorTask uint64
	AncestorName uint64
	AncestorMain bool

	// For a prediction, the lock whose order separated the accesses in this run, and
	// Task.LockPC when the later task took it. OrderDirect means that the earlier task
	// gave this lock up before; otherwise other locks lie between, and this is the last
	// one. 0: unknown.
	OrderLock   uintptr
	OrderPC     uintptr
	OrderDirect bool
}

// A Side is one access of a Report.
type Side struct {
	Kind  Kind
	Addr  uintptr // Prev: the first byte that both access
	Size  uintptr // Prev: of the bytes that both access
	Site  uintptr
	PC    uintptr
	Stack uint32
	Locks uint32 // lockset: see LockOf

	Task      uint64 // the task's number in the order of forks; the main task is 1
	Name      uint64 // Task.Name
	Main      bool
	Ended     bool
	ForkPC    uintptr // pc and created of the Fork that made the task
	ForkStack uint32

	// The branch of the task tree from the nearest common ancestor to this side: pc and
	// created of the Fork of that child, which is the task or an ancestor of it. 0: the
	// task is the common ancestor.
	BranchPC    uintptr
	BranchStack uint32
	BranchTask  uint64 // number and name of that child, 0 if forgotten
	BranchName  uint64
}

// A HeldLock is a lock that was held at an access.
type HeldLock struct {
	Addr   uintptr
	Shared bool
	PC     uintptr // Task.LockPC of the lock operation
}
