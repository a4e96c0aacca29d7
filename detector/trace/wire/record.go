package wire

// Op is the operation of a record. The numbers belong to the file format; the numbers of
// package event differ and may change.
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

// The fields that all records of an operation have.
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

// The bits of a record's first byte beside the operation, and the bits of its second.
const (
	opMask    = 0x1f
	isShared  = 0x20
	isTaken   = 0x40
	otherTask = 0x80 // another task than the last record's

	kindMask   = 0x03
	otherSite  = 0x04
	otherStack = 0x08
	otherSize  = 0x10
	hasUse     = 0x20
	hasValue   = 0x40
	hasExtra   = 0x80 // an address and a size, in a record whose operation has none
)

// Definition is the kind of a record with the operation Define. Strings, locations,
// stacks and places are numbered from 1 in the order of their definitions.
type Definition uint8

const (
	Meta       Definition = iota // two strings: a name and a value
	String                       // its length and bytes
	Location                     // offset of the address in its function; the frames, innermost first
	Stack                        // parent stack, location
	Place                        // location, position, other accesses, hook, package, site, formula, numbers of names, names
	TaskName                     // task, number of its goroutine
	EndOfTrace                   // the number of events: the trace is complete
	Definitions
)

// Flags of a frame in a Location.
const (
	FrameNever    = 1 << iota // never part of a stack: a helper of checks, a wrapper
	FrameLeafOnly             // part of a stack only if the access itself is in the frame
	FrameHidden               // of the runtime
	FrameSync                 // of the packages that implement synchronization
	FrameOwn                  // of the main module
	FrameStd                  // of the standard library
)

// An Event holds the fields of an event record.
type Event struct {
	Op     Op
	Kind   uint8
	Use    uint8
	Shared bool
	Taken  bool
	Valued bool // Value is present
	Task   uint32
	Other  uint32
	Site   uint32
	Stack  uint32
	Locks  uint32 // the number of locks whose numbers follow the record
	Obj    uint64
	Addr   uint64
	Size   uint64
	Value  uint64
}

// A State holds the values against which differences are coded, zero at the begin of a
// block.
type State struct {
	Task, Site, Stack uint32
	Obj, Addr, Size   uint64
}
