package event

import (
	"fmt"

	"taskinstr/detector/theorem"
)

// Op is the operation of an event.
type Op uint8

const (
	// Structured events.
	Fork        Op = iota // Task makes task Other
	End                   // Task ends; the scope Obj waits for it, 0: no scope does
	FinishBegin           // Task opens scope Obj
	FinishEnd             // Task closes scope Obj, whose tasks have ended
	Set                   // Task sets promise Obj
	Get                   // Task reads promise Obj
	Lock                  // Task takes lock Obj; with Shared set, in shared mode
	Unlock                // Task releases lock Obj
	Access                // Task accesses Size bytes at Addr; Kind is the kind of access
	Alloc                 // Size bytes at Addr are fresh: they have no history
	Free                  // Size bytes at Addr are freed: they have no history

	// Branches, for detectors that predict the accesses of the side not taken: see
	// package detector/offline/ptracer.
	Branch   // Task decides a branch at Site: Taken tells whether its condition Expr held; Obj numbers the decision, from 1, each decision once
	Possible // an access of the side that Task did not take at decision Obj, with Locks held in addition

	// Raw events. Obj is an address.
	Acquire        // the releases at Obj precede the next events of Task
	Release        // Task's past replaces the past stored at Obj
	ReleaseMerge   // Task's past joins the past stored at Obj
	ReleaseAcquire // Task acquires the past stored at Obj and stores its own there
	Meet           // Task and Other meet: the past of each precedes the next events of the other
	Outside        // Task used a synchronization that structured events do not describe: Use is its kind, Site its place

	ops
)

var opNames = [ops]string{"Fork", "End", "FinishBegin", "FinishEnd", "Set", "Get", "Lock", "Unlock", "Access", "Alloc", "Free",
	"Branch", "Possible", "Acquire", "Release", "ReleaseMerge", "ReleaseAcquire", "Meet", "Outside"}

// Raw reports whether an operation is one of a raw event that may order tasks.
func (o Op) Raw() bool { return Acquire <= o && o <= Meet }

func (o Op) String() string {
	if o < ops {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// Kind is the kind of an access, a byte of a trace. Package race has the same values.
type Kind uint8

const (
	Read        Kind = 0
	Write       Kind = 1
	AtomicRead  Kind = 2
	AtomicWrite Kind = 3
)

func (k Kind) Writes() bool { return k&1 != 0 }
func (k Kind) Atomic() bool { return k&2 != 0 }

func (k Kind) String() string {
	return [4]string{"read", "write", "atomic read", "atomic write"}[k&3]
}

// Conflicts reports whether two accesses to one byte conflict.
func (k Kind) Conflicts(l Kind) bool {
	return (k.Writes() || l.Writes()) && !(k.Atomic() && l.Atomic())
}

// Isolation is the lock of isolated sections.
const Isolation = 1

// Use is the kind of synchronization: of an Outside event the one that structured events
// do not describe, of a raw event the operation that made it.
type Use uint8

const (
	UseNone      Use = iota
	UseWaitGroup     // a WaitGroup that does not work as a finish scope
	UseChannel       // a channel with several senders or receivers
	UseSelect
	UseAtomic
	UseCond
	UseOnce
	UseRWMutex
	UsePool
	UseTimer
	UseIO
	UseOther
	UseTry      // TryLock: the program chooses by whether the lock was free
	UseHandover // a lock that another task has taken is given up

	Uses
)

var useNames = [Uses]string{"", "WaitGroup that is no finish scope", theorem.Channel, theorem.Select, theorem.Atomic,
	"Cond", "Once", "RWMutex", "Pool", "timer", "I/O", "other synchronization", theorem.Try, theorem.Handover}

func (u Use) String() string { return useNames[u] }

// An Event is one step of one task. Op determines which other fields have a meaning.
type Event struct {
	Op     Op
	Kind   Kind
	Use    Use
	Shared bool   // of Lock and Unlock
	Taken  bool   // of Branch; of Lock: the section is quiet, see detector.Task
	Valued bool   // of Access: Value holds the value, and Expr derives it from reads unless it is nil
	Task   uint32 // the task that executes the event
	Other  uint32 // the child of a Fork, the other task of a Meet
	Site   uint32 // the place in the source: an index into the trace's places; 0: not known
	From   uint32 // of Access: the Site at which the task's latest read found the pointer or slice that leads to this memory; 0: not known
	Stack  uint32 // the calling context of Site: an index into the trace's stacks; 0: not known
	Obj    uint64
	Addr   uint64
	Size   uint64   // in bytes
	Value  uint64   // if Valued, the value read or written, zero-extended: all of up to 8 bytes, the second word of 16 or 24 bytes (the length of a string or slice); of Fork, Lock and Branch the event's ordinal among its task's events with that Op in the whole run, from 1, 0: not known
	Expr   Expr     // the condition of a Branch; of a Valued write the value, if it depends on reads
	Locks  []uint64 // of Possible: the locks that the other side would have taken, and not released, before the access, and the locks held at the decision that it would have released; see [LockOf]
}

// LockOf decodes an element of Event.Locks: the lock, whether it is held in shared mode,
// and whether the task held it at the decision and has released it since. An element is
// the lock's address with bit 0 for shared and bit 1 for given up. [Isolation] is encoded
// as itself.
func LockOf(l uint64) (obj uint64, shared, givenUp bool) {
	if l == Isolation {
		return Isolation, false, false
	}
	return l &^ 3, l&1 != 0, l&2 != 0
}

func (e Event) String() string {
	s := fmt.Sprintf("%v %d", e.Op, e.Task)
	switch e.Op {
	case Fork, Meet:
		return fmt.Sprintf("%s %d", s, e.Other)
	case Access, Possible:
		return fmt.Sprintf("%s %v %#x+%d", s, e.Kind, e.Addr, e.Size)
	case Alloc, Free:
		return fmt.Sprintf("%s %#x+%d", s, e.Addr, e.Size)
	case Outside:
		return fmt.Sprintf("%s %v", s, e.Use)
	case Lock, Unlock:
		if e.Shared {
			return fmt.Sprintf("%s %#x shared", s, e.Obj)
		}
	}
	return fmt.Sprintf("%s %#x", s, e.Obj)
}
