package espbags

import (
	"testing"

	"taskinstr/detector/event"
)

// An entry that all tasks may read is known until a sweep: then the id of its reader,
// which no word has any more, is given to another task, whose children it says nothing
// of.
func TestSweepOfSharedEntry(t *testing.T) {
	var got []event.Race
	d := newOnTrace(event.Config{Report: func(r event.Race) { got = append(got, r) }}, false)
	defer d.Close()
	const scope, a, b, c = 1, 0x1000, 0x2000, 0x3000
	read := func(task, site uint32, addr uint64) {
		d.Event(&event.Event{Op: event.Access, Task: task, Kind: event.Read, Addr: addr, Size: 8, Site: site})
	}
	fork := func(parent, child uint32) {
		d.Event(&event.Event{Op: event.Fork, Task: parent, Other: child})
	}
	end := func(task uint32) { d.Event(&event.Event{Op: event.End, Task: task, Obj: scope}) }

	d.Event(&event.Event{Op: event.FinishBegin, Obj: scope})
	fork(0, 5) // the root of the bag that task 1 will be in
	read(5, 5, c)
	end(5)
	fork(0, 1)
	read(1, 1, a)
	first := d.tasks[1].ID
	end(1)
	fork(0, 2)
	read(2, 2, a) // leaves the entry as it is: further tasks may, too
	end(2)
	d.Event(&event.Event{Op: event.Alloc, Addr: a, Size: 8})
	d.e.Sweep()

	fork(0, 3)
	if d.tasks[3].ID != first {
		t.Fatalf("task 3 has id %d, want that of task 1, %d", d.tasks[3].ID, first)
	}
	read(3, 3, b)
	fork(3, 4)
	read(4, 4, b)
	end(4)
	d.Event(&event.Event{Op: event.Access, Task: 3, Kind: event.Write, Addr: b, Size: 8, Site: 6})
	end(3)
	d.Event(&event.Event{Op: event.FinishEnd, Obj: scope})
	if len(got) != 1 || got[0].First.Task != 4 || got[0].Second.Task != 3 {
		t.Errorf("races: %+v, want that of tasks 4 and 3", got)
	}
}
