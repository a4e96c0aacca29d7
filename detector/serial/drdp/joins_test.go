package drdp

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

// A place that a task of a scope has joined precedes the steps behind the scope, although no
// task of the scope's owner has waited for it.
func TestJoinsOfScope(t *testing.T) {
	const x = memory
	trace := []event.Event{
		{Op: event.FinishBegin, Task: 0, Obj: 1},
		{Op: event.Fork, Task: 0, Other: 1},
		{Op: event.Access, Task: 1, Kind: event.Write, Addr: x, Size: 8, Site: 1},
		{Op: event.Set, Task: 1, Obj: 100},
		{Op: event.Access, Task: 1, Kind: event.Write, Addr: x + 8, Size: 8, Site: 2},
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.FinishBegin, Task: 0, Obj: 2},
		{Op: event.Fork, Task: 0, Other: 2},
		{Op: event.Get, Task: 2, Obj: 100},
		{Op: event.End, Task: 2, Obj: 2},
		{Op: event.FinishEnd, Task: 0, Obj: 2},
		{Op: event.Access, Task: 0, Kind: event.Write, Addr: x, Size: 8, Site: 3},
		{Op: event.Access, Task: 0, Kind: event.Write, Addr: x + 8, Size: 8, Site: 4}, // the only race
		{Op: event.FinishEnd, Task: 0, Obj: 1},
	}
	for _, noHeirs = range []bool{false, true} {
		if err := differential.FirstRaces(spec(0), nil, trace); err != nil {
			t.Error(err)
		}
	}
}

// A task that has done nothing leaves the place where it was forked, which may be an earlier
// one than its parent has left already.
func TestTaskWithoutAccess(t *testing.T) {
	const x = memory
	trace := []event.Event{
		{Op: event.FinishBegin, Task: 0, Obj: 1},
		{Op: event.Fork, Task: 0, Other: 1},
		{Op: event.Access, Task: 1, Kind: event.Write, Addr: x, Size: 8, Site: 1},
		{Op: event.Fork, Task: 1, Other: 2},
		{Op: event.Access, Task: 1, Kind: event.Write, Addr: x + 8, Size: 8, Site: 2},
		{Op: event.End, Task: 1, Obj: 1},
		{Op: event.End, Task: 2, Obj: 1},
		{Op: event.FinishEnd, Task: 0, Obj: 1},
		{Op: event.Access, Task: 0, Kind: event.Write, Addr: x, Size: 16, Site: 3},
	}
	if err := differential.FirstRaces(spec(0), nil, trace); err != nil {
		t.Error(err)
	}
}
