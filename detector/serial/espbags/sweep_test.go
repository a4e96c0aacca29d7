package espbags

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
)

// An entry that all tasks may read is known until a sweep: then the id of its reader,
// which no word has any more, is given to another task, whose children it says nothing
// of.
func TestSweepOfSharedEntry(t *testing.T) {
	var got []event.Race
	d := newOnTrace(event.Config{Report: func(r event.Race) { got = append(got, r) }}, false)
	defer d.Close()
	run := func(text string) {
		for _, e := range eventtest.Trace(t, eventtest.Names{"a": 0x1000, "b": 0x2000, "c": 0x3000}, text) {
			d.Event(&e)
		}
	}
	run(`
		0 begin 1
		0 fork 5; 5 read c @5; 5 end 1 // the root of the bag that task 1 will be in
		0 fork 1; 1 read a @1`)
	first := d.Task(1).ID
	run(`
		1 end 1
		0 fork 2; 2 read a @2; 2 end 1 // leaves the entry as it is: further tasks may, too
		0 alloc a`)
	d.e.Sweep()
	run("0 fork 3")
	if d.Task(3).ID != first {
		t.Fatalf("task 3 has id %d, want that of task 1, %d", d.Task(3).ID, first)
	}
	run(`
		3 read b @3; 3 fork 4; 4 read b @4; 4 end 1
		3 write b @6; 3 end 1
		0 finish 1`)
	if len(got) != 1 || got[0].First.Task != 4 || got[0].Second.Task != 3 {
		t.Errorf("races: %+v, want that of tasks 4 and 3", got)
	}
}
