package wire

// Op says what a record is. The numbers are those of the file; package event has its
// own, which may change.
type Op uint8

const (
	Define Op = iota // see Definition

	Fork
	End
	FinishBegin
	FinishEnd
	Set
	Get
	Lock
	Unlock
	Access
	Alloc
	Free
	Branch
	Possible
	Acquire
	Release
	ReleaseMerge
	ReleaseAcquire
	Meet
	Outside

	Ops
)

// What the records of an operation have always.
const (
	hasOther = 1 << iota
	hasObj
	hasAddr
	hasLocks
)

var has = [Ops]uint8{
	Fork: hasOther, End: hasObj, FinishBegin: hasObj, FinishEnd: hasObj, Set: hasObj, Get: hasObj, Lock: hasObj, Unlock: hasObj,
	Access: hasAddr, Alloc: hasAddr, Free: hasAddr, Branch: hasObj, Possible: hasObj | hasAddr | hasLocks,
	Acquire: hasObj, Release: hasObj, ReleaseMerge: hasObj, ReleaseAcquire: hasObj, Meet: hasOther, Outside: hasObj,
}

// Bits of a record's first byte beside the operation, and of its second.
const (
	opMask    = 0x1f
	isShared  = 0x20
	isTaken   = 0x40
	otherTask = 0x80 // than the last record's

	kindMask   = 0x03
	otherSite  = 0x04
	otherStack = 0x08
	otherSize  = 0x10
	hasUse     = 0x20
	hasValue   = 0x40
	hasExtra   = 0x80 // an address and a size where the operation has none of its own
)

// Definition says what a record with the operation Define defines. Strings, locations,
// stacks and places are numbered from 1 in the order of their definitions.
type Definition uint8

const (
	Meta       Definition = iota // two strings: a name and a value
	String                       // its length and bytes
	Location                     // offset of the address in its function; the frames there, innermost first
	Stack                        // parent stack, location
	Place                        // location, position, other accesses, hook, package, site, formula, numbers of names, names
	TaskName                     // task, number of its goroutine
	EndOfTrace                   // the number of events: the trace is complete
	Definitions
)

// Flags of a frame in a Location.
const (
	FrameNever    = 1 << iota // never part of a stack: a helper of checks, a wrapper
	FrameLeafOnly             // part of a stack only where the access itself is
	FrameHidden               // of the runtime
	FrameSync                 // of the packages whose calls are synchronization
	FrameOwn                  // of the main module
	FrameStd                  // of the standard library
)

// An Event is what a record of an event holds.
type Event struct {
	Op     Op
	Kind   uint8
	Use    uint8
	Shared bool
	Taken  bool
	Valued bool // Value means something
	Task   uint32
	Other  uint32
	Site   uint32
	Stack  uint32
	Locks  uint32 // how many numbers of locks follow the record
	Obj    uint64
	Addr   uint64
	Size   uint64
	Value  uint64
}

// A State is what differences are coded against. It is zero when a block begins.
type State struct {
	Task, Site, Stack uint32
	Obj, Addr, Size   uint64
}
