package oracle

import (
	"fmt"
	"strings"

	"taskinstr/detector/parallel"
)

// An Op is the operation of an event.
type Op uint8

const (
	Fork Op = iota // Task creates Other; Task < 0: a task without a parent
	End
	Acquire
	Release
	ReleaseMerge
	ReleaseAcquire
	Meet // Task and Other synchronize with each other
	Lock
	Unlock
	Order // Task's critical sections use the object at Addr, see parallel.Order
	Access
	Alloc
	Sweep      // the detector sweeps; no event of the program
	Invalidate // all filters expire; no event of the program
	ops
)

var opNames = [ops]string{"Fork", "End", "Acquire", "Release", "ReleaseMerge", "ReleaseAcquire", "Meet",
	"Lock", "Unlock", "Order", "Access", "Alloc", "Sweep", "Invalidate"}

// An Event is one action of task Task. The main task is 0. The n-th Fork of a trace
// creates task n, which Other names.
type Event struct {
	Op     Op
	Task   int
	Other  int
	Addr   uintptr
	N      uintptr
	Kind   parallel.Kind
	Shared bool
	Quiet  bool // of Lock: parallel.Task.Quiet
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
		return fmt.Sprintf("{Op: %s, Task: %d, Addr: %#x, Shared: %v, Quiet: %v}", opNames[v.Op], v.Task, v.Addr, v.Shared, v.Quiet)
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

// Format writes a trace as a Go literal for traces_test.go.
func Format(trace []Event) string {
	var b strings.Builder
	b.WriteString("[]Event{\n")
	for _, v := range trace {
		fmt.Fprintf(&b, "\t%v,\n", v)
	}
	b.WriteString("}")
	return b.String()
}
