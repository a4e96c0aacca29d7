package oracle

import (
	"fmt"
	"strings"

	"taskinstr/detector"
)

// Op says what an event is.
type Op uint8

const (
	Fork Op = iota // Task makes Other; Task < 0: a task of no parent
	End
	Acquire
	Release
	ReleaseMerge
	ReleaseAcquire
	Meet // Task and Other are at one place
	Lock
	Unlock
	Order // Task's critical sections use the thing at Addr, see detector.Order
	Access
	Alloc
	Sweep      // the detector reclaims; means nothing
	Invalidate // filters are made to forget; means nothing
	ops
)

var opNames = [ops]string{"Fork", "End", "Acquire", "Release", "ReleaseMerge", "ReleaseAcquire", "Meet",
	"Lock", "Unlock", "Order", "Access", "Alloc", "Sweep", "Invalidate"}

// An Event is one step of task Task. The main task is 0, and the n-th Fork of a
// trace makes task n, given by Other.
type Event struct {
	Op     Op
	Task   int
	Other  int
	Addr   uintptr
	N      uintptr
	Kind   detector.Kind
	Shared bool
	Site   uintptr
}

func (v Event) String() string {
	switch v.Op {
	case Fork:
		return fmt.Sprintf("{Op: Fork, Task: %d, Other: %d}", v.Task, v.Other)
	case Meet:
		return fmt.Sprintf("{Op: Meet, Task: %d, Other: %d}", v.Task, v.Other)
	case End:
		return fmt.Sprintf("{Op: End, Task: %d}", v.Task)
	case Lock, Unlock:
		return fmt.Sprintf("{Op: %s, Task: %d, Addr: %#x, Shared: %v}", opNames[v.Op], v.Task, v.Addr, v.Shared)
	case Access:
		return fmt.Sprintf("{Op: Access, Task: %d, Addr: %#x, N: %d, Kind: %d, Site: %d}", v.Task, v.Addr, v.N, v.Kind, v.Site)
	case Order:
		return fmt.Sprintf("{Op: Order, Task: %d, Addr: %#x, N: 1, Kind: %d}", v.Task, v.Addr, v.Kind)
	case Alloc:
		return fmt.Sprintf("{Op: Alloc, Addr: %#x, N: %d}", v.Addr, v.N)
	case Sweep, Invalidate:
		return fmt.Sprintf("{Op: %s}", opNames[v.Op])
	}
	return fmt.Sprintf("{Op: %s, Task: %d, Addr: %#x}", opNames[v.Op], v.Task, v.Addr)
}

// Format writes a trace as the Go literal that replays it.
func Format(trace []Event) string {
	var b strings.Builder
	b.WriteString("[]Event{\n")
	for _, v := range trace {
		fmt.Fprintf(&b, "\t%v,\n", v)
	}
	b.WriteString("}")
	return b.String()
}
