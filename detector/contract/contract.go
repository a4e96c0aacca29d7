package contract

import "taskinstr/detector/race"

// Engine has the entry points of every detector. T is its task, O its options, and C the counters.
type Engine[T, O, C any] interface {
	// Init makes the zero value ready and returns the main task.
	Init(O) *T
	// Close gives all memory back.
	Close()
	// Stats fills in counters.
	Stats(*C)
	// ReportAgain makes all reported races count as new.
	ReportAgain()

	// Fork returns a new task, ordered after all that parent has done; a child of nil is ordered after
	// nothing. It ends parent's step. created is the stack of the fork, pc the function that the child
	// runs.
	Fork(parent *T, created uint32, pc uintptr) *T
	// End announces that a task has ended. No entry point may get it afterwards.
	End(*T)
	// SetBackground declares a task of the host that makes no accesses.
	SetBackground(*T)
	// SetForeground undoes SetBackground; AcquireAll must follow.
	SetForeground(*T)
	// KeepHistory stops the engine from forgetting: a later task may be ordered after less than any
	// of the present ones.
	KeepHistory()
	// Lend announces that a task, which has just forked, waits for its child.
	Lend(*T)
	// Alone reports whether accesses by a task may be skipped at present.
	Alone(*T) bool
	// Serial returns the number of a task in the order of forks; the main task is 1.
	Serial(*T) uint64

	// Release makes addr hold the present of a task, and nothing else. It ends the task's step.
	Release(t *T, addr uintptr)
	// ReleaseMerge adds the present of a task to the releases that addr holds. It ends the task's step.
	ReleaseMerge(t *T, addr uintptr)
	// Acquire orders a task after all releases that addr holds.
	Acquire(t *T, addr uintptr)
	// Acquired reports whether Acquire is known to do nothing.
	Acquired(t *T, addr uintptr) bool
	// ReleaseAcquire is Release, and then Acquire of the releases that addr held before.
	ReleaseAcquire(t *T, addr uintptr)
	// Meet orders the later events of each of two tasks after the earlier events of the other task. b does
	// not run.
	Meet(a, b *T)
	// AcquireAll orders a task after everything. The world is stopped.
	AcquireAll(*T)
	// Buffer returns addresses, 8 bytes apart, for n elements of size zero; 0 if it has none.
	Buffer(t *T, owner, n uintptr) uintptr

	// Lock announces that a task holds the lock at addr from now on.
	Lock(t *T, addr uintptr, shared bool)
	// Unlock announces that a task gives up the lock at addr, and reports whether it held it.
	Unlock(t *T, addr uintptr, shared bool) bool
	// LockOf returns the i-th lock of a side.
	LockOf(set, i uint32) (race.HeldLock, bool)
	// JoinsSections reports whether critical sections that conflict are ordered.
	JoinsSections() bool
	// Ordered reports whether Order can have an effect for a task now.
	Ordered(*T) bool
	// Order makes critical sections conflict as if they accessed the byte at addr.
	Order(t *T, addr uintptr, k race.Kind)
	// Conflict returns the i-th place at which critical sections conflicted.
	Conflict(i uint32) (site, pc uintptr, ok bool)

	// Probe looks at an access. Law: it is Covered only if each access that races with it also races
	// with an earlier access of the same step.
	Probe(t *T, addr, n uintptr, k race.Kind) int
	// Quick makes an access that Probe has just found Open, or returns false. Law: the effect is that
	// of Access.
	Quick(t *T, addr, n uintptr, k race.Kind, site, pc uintptr, stack uint32) bool
	// Access makes an access and reports its races, each pair of stacks once.
	Access(t *T, addr, n uintptr, k race.Kind, site, pc uintptr, stack uint32)
	// Known returns the i-th place at which accesses were made, from 1 on, with the locks held there.
	Known(i uint32) (s race.Side, ok, more bool)

	// Alloc makes memory fresh: no history, no sync objects, no locks.
	Alloc(addr, n uintptr)
	// Free is Alloc for memory without an owner.
	Free(addr, n uintptr)
	// HasShadow reports whether Alloc of the range may have something to do.
	HasShadow(addr, n uintptr) bool
	// InvalidateFilters makes all tasks forget the accesses that they have checked. The world is stopped.
	InvalidateFilters()
	// NeedSweep reports whether a sweep is worth its time.
	NeedSweep() bool
	// Sweep frees the elements on which no later answer depends, and makes all stacks void. The world is
	// stopped. It returns about how many elements it has kept.
	Sweep() uint64
	// Sweeps returns a number that changes when stacks become void.
	Sweeps() uint32

	// PushFrame returns the stack in which pc was called from a stack; 0 is the empty one.
	PushFrame(t *T, parent uint32, pc uintptr) uint32
	// QuickFrame is PushFrame, or 0 if that takes memory.
	QuickFrame(t *T, parent uint32, pc uintptr) uint32
	// Frame returns the arguments of the PushFrame that made a stack.
	Frame(id uint32) (parent uint32, pc uintptr)
}

// Parallel has the entry points of a detector of tasks that run at the same time.
type Parallel[T, O, C any] interface {
	Engine[T, O, C]

	// Ready reports whether Quick has the memory that an access needs. If not, Restock has work to do. Ready
	// or Restock must come before Quick, on the same processor.
	Ready(t *T, k race.Kind) bool
	// Restock gets the memory that Quick cannot get.
	Restock(*T)
	// New is Alloc for memory that a task has got and that is zero. Law: the zeros are a write by the task.
	New(t *T, addr, n, site, pc uintptr, stack uint32)
	// QuickNew is New, or returns false.
	QuickNew(t *T, addr, n, site, pc uintptr, stack uint32) bool
	// QuickEach is Probe and Quick for a row of accesses. It returns how many it has made.
	QuickEach(t *T, addr, n, stride, count uintptr, k race.Kind, site, pc uintptr, stack uint32) uintptr
	// BeginUpdate begins a read-modify-write: Acquire of obj, an atomic write, Release. The object is
	// locked until EndUpdate. It reports whether the access needed no work.
	BeginUpdate(t *T, obj, addr, n, site, pc uintptr, stack uint32) bool
	// BeginLoad is Acquire, and keeps the object locked until EndUpdate. It returns false, and locks nothing, if nothing
	// was released there.
	BeginLoad(t *T, addr uintptr) bool
	// BeginStore is Release, and keeps the object locked until EndUpdate.
	BeginStore(t *T, addr uintptr)
	// EndUpdate ends the update, load or store that a task has begun, and reports whether there was one.
	EndUpdate(*T) bool
}

// A Stack says where an entry point may run.
type Stack int

const (
	System Stack = iota // on the system stack, or where the stack may grow with m.locks raised
	Own                 // also on the task's own stack, which it must not grow
	World               // with the world stopped
)

// A Cost is the time of an entry point.
type Cost int

const (
	Constant  Cost = iota // a bounded number of steps
	Amortized             // constant, but for memory that it gets now and then
	Bytes                 // grows with the bytes
	Order                 // grows with the slots of clocks of which neither is known to contain the other
	Whole                 // grows with all elements of the engine
)

// An Entry is a row of the contract.
type Entry struct {
	Name  string
	Stack Stack
	Cost  Cost
}

// Entries are the methods of Parallel.
var Entries = []Entry{
	{"Init", System, Whole}, {"Close", System, Whole}, {"Stats", System, Constant}, {"ReportAgain", System, Constant},
	{"Fork", System, Amortized}, {"End", System, Amortized}, {"SetBackground", System, Constant}, {"SetForeground", System, Constant},
	{"KeepHistory", System, Constant}, {"Lend", System, Constant}, {"Alone", Own, Constant}, {"Serial", System, Constant},
	{"Release", System, Amortized}, {"ReleaseMerge", System, Amortized}, {"Acquire", System, Order}, {"Acquired", Own, Constant},
	{"ReleaseAcquire", System, Order}, {"Meet", System, Order}, {"AcquireAll", World, Whole}, {"Buffer", System, Amortized},
	{"BeginUpdate", System, Order}, {"BeginLoad", System, Order}, {"BeginStore", System, Amortized}, {"EndUpdate", Own, Constant},
	{"Lock", System, Order}, {"Unlock", System, Amortized}, {"LockOf", System, Constant}, {"JoinsSections", System, Constant},
	{"Ordered", Own, Constant}, {"Order", System, Order}, {"Conflict", System, Constant},
	{"Probe", Own, Bytes}, {"Quick", Own, Bytes}, {"QuickEach", System, Bytes}, {"Ready", Own, Constant}, {"Restock", System, Amortized},
	{"Access", System, Bytes}, {"Known", System, Constant},
	{"New", System, Bytes}, {"QuickNew", Own, Bytes}, {"Alloc", System, Bytes}, {"Free", System, Bytes}, {"HasShadow", System, Bytes}, {"InvalidateFilters", World, Whole},
	{"NeedSweep", System, Constant}, {"Sweep", World, Whole}, {"Sweeps", System, Constant},
	{"PushFrame", System, Amortized}, {"QuickFrame", Own, Constant}, {"Frame", System, Constant},
}
