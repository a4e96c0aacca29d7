package event

import (
	"fmt"

	"taskinstr/detector/theorem"
)

// Op says what an event is.
type Op uint8

const (
	// Structured events.
	Fork        Op = iota // Task makes task Other
	End                   // Task runs no more; Obj is the scope that waits for it, 0: none does
	FinishBegin           // Task opens scope Obj
	FinishEnd             // Task closes scope Obj, whose tasks have ended
	Set                   // Task sets promise Obj
	Get                   // Task reads promise Obj
	Lock                  // Task takes lock Obj; Shared: beside other holders
	Unlock                // Task gives lock Obj up
	Access                // Task accesses Size bytes at Addr, as Kind says
	Alloc                 // Size bytes at Addr are fresh: they have no history
	Free                  // the same, when they are given up

	// Branches, for detectors of what the other side would have done: see package
	// detector/ptracer.
	Branch   // Task decides a branch at Site: its condition Expr was Taken. Obj numbers the decision: each has its own number, from 1
	Possible // an access of the side that Task did not take at decision Obj, Locks being held in addition

	// Raw events. Obj is an address.
	Acquire        // what was released at Obj precedes what Task does next
	Release        // Task's past replaces what Obj holds
	ReleaseMerge   // Task's past joins what Obj holds
	ReleaseAcquire // Task takes what Obj holds and leaves its own past
	Meet           // Task and Other are at one place: each precedes what the other does next
	Outside        // Task used something that structured events do not describe: Use says what, Site where

	ops
)

var opNames = [ops]string{"Fork", "End", "FinishBegin", "FinishEnd", "Set", "Get", "Lock", "Unlock", "Access", "Alloc", "Free",
	"Branch", "Possible", "Acquire", "Release", "ReleaseMerge", "ReleaseAcquire", "Meet", "Outside"}

func (o Op) String() string {
	if o < ops {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// Kind is what an access does. The values are those of package detector.
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

// Use is what an Outside event is about, and for a raw event the operation that made
// it.
type Use uint8

const (
	UseNone      Use = iota
	UseWaitGroup     // a WaitGroup that does not work like a finish scope
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
	UseTry // TryLock: whether the lock was free is a choice

	Uses
)

var useNames = [Uses]string{"", "WaitGroup that is no finish scope", theorem.Channel, theorem.Select, theorem.Atomic,
	"Cond", "Once", "RWMutex", "Pool", "timer", "I/O", "other synchronization", theorem.Try}

func (u Use) String() string { return useNames[u] }

// An Event is one step of one task. Which fields mean something depends on Op.
type Event struct {
	Op     Op
	Kind   Kind
	Use    Use
	Shared bool   // of Lock and Unlock
	Taken  bool   // of Branch
	Valued bool   // of Access: Value, and Expr if there is one, tell the value
	Task   uint32 // who
	Other  uint32 // the child of a Fork, the other task of a Meet
	Site   uint32 // the place in the source: an index into the trace's places; 0: not known
	From   uint32 // of Access: the Site of the task's latest read there found the pointer or slice through which the memory is reached; 0: not known
	Stack  uint32 // the calling context there: an index into the trace's stacks; 0: not known
	Obj    uint64
	Addr   uint64
	Size   uint64   // in bytes
	Value  uint64   // what a read found or a write left, if Valued, zero-extended: all of up to 8 bytes, the second word of 16 or 24 bytes (the length of a string or slice); of Fork, Lock and Branch the how-manyth of its task it is in the program's run, 0: not known
	Expr   Expr     // the condition of a Branch; what a Valued write leaves, if that depends on reads
	Locks  []uint64 // of Possible: what the other side would have taken and not given up before the access, or given up of what was held; [LockOf] tells more
}

// LockOf returns the lock that an element of Event.Locks names, its mode, and whether it was
// given up: an address, with bit 0 set if the lock is shared, bit 1 if it is one that was
// held at the decision and given up since. [Isolation] stands for itself.
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
