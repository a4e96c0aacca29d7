package drdp

import (
	"fmt"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
	"taskinstr/detector/offline/differential"
)

const x = 0xc000100000

// script returns a trace in which each access has a site of its own.
func script(t *testing.T, text string) []event.Event {
	t.Helper()
	trace := eventtest.Trace(t, eventtest.Names{"x": x}, text)
	for i := range trace {
		if trace[i].Op == event.Access {
			trace[i].Site = uint32(i + 1)
		}
	}
	return trace
}

// check compares with brute force under all traversals and expects the given number of
// races.
func check(t *testing.T, races int, text string) {
	t.Helper()
	s := script(t, text)
	if err := event.Check(s); err != nil {
		t.Fatal(err)
	}
	if got := len(differential.Judge(s).Structural); got != races {
		t.Fatalf("brute force finds %d races, want %d", got, races)
	}
	for _, option := range traversals() {
		if err := differential.FirstRaces(Spec, option, s); err != nil {
			t.Errorf("%v: %v", option, err)
		}
	}
}

func TestKnown(t *testing.T) {
	for name, c := range map[string]struct {
		races int
		trace string
	}{
		// After the end of the scope around it, a setter's set also contains the joins after the
		// Set. A query at that time would conclude that task 2 knows the events of task 1.
		"past of a point": {1, `
			0 fork 4
			0 fork 1; 1 write x; 1 set 101; 1 end
			0 begin 7; 0 fork 2; 2 set 102
			2 get 101 // after task 2's own Set
			2 end 7; 0 finish 7
			4 get 102; 4 write x; 4 end`},
		// A setter that has ended has the lsa of the task that waited for it. A query at that
		// time would lose the joins that the parent had when it forked task 2.
		"ancestors of a point": {0, `
			0 fork 3
			0 fork 1; 1 write x; 1 set 101; 1 end
			0 fork 4; 4 get 101; 4 begin 7
			4 fork 2; 2 set 102; 2 end 7
			4 finish 7; 4 end
			3 get 102; 3 write x // ordered after task 1 by task 4's Get
			3 end`},
		// Two paths lead to a point. The search must examine the point and continue after it,
		// although the first path has marked it. Each of a chain of tasks gets the promises of the
		// previous and the first task.
		"two ways": {0, `
			0 fork 1; 1 write x; 1 set 101; 1 end
			0 fork 2; 2 get 101; 2 write x; 2 set 102; 2 end
			0 fork 3; 3 get 102; 3 write x; 3 set 103; 3 end
			0 fork 4; 4 get 103; 4 get 102; 4 write x; 4 set 104; 4 end
			0 fork 5; 5 get 104; 5 get 102; 5 write x; 5 set 105; 5 end
			0 fork 9; 9 get 105; 9 get 103; 9 write x; 9 end`},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.races, c.trace) })
	}
}

// Every byte of every access counts: single bytes, the last byte of a range, the last
// element of a range that spans pages.
func TestBytes(t *testing.T) {
	for _, c := range []struct {
		first, size   uint64
		second, bytes uint64
		races         int
	}{
		{x, 1, x, 1, 1},
		{x + 3, 1, x + 2, 1, 0},
		{x + 2, 2, x + 3, 1, 1},
		{x, 4096, x + 4095, 1, 1},
		{x, 4096, x + 4088, 8, 1},
		{x, 4096, x + 4096, 8, 0},
		{x + 1020, 8, x + 1024, 2, 1},
		{x + 1016, 8, x + 1024, 1024, 0},
	} {
		check(t, c.races, fmt.Sprintf("0 fork 1; 1 write %d:%d; 1 end; 0 read %d:%d", c.first, c.size, c.second, c.bytes))
	}
}

// Fresh memory has no history.
func TestAlloc(t *testing.T) {
	races := 0
	d := newDetector(func(event.Race) { races++ }, traversal{})
	s := script(t, "0 fork 1; 1 write x:16; 1 end; 0 free x; 0 write x")
	for i := range s {
		d.Event(&s[i])
	}
	if races != 0 {
		t.Errorf("%d races with memory that was freed", races)
	}
	d.Event(&script(t, "0 write x+8")[0])
	if races != 1 {
		t.Errorf("%d races with the rest, want 1", races)
	}
}

// The next join invalidates an answer, even if the epoch maps to the same slot of the
// table.
func TestAnswers(t *testing.T) {
	var b strings.Builder
	b.WriteString("0 fork 1; 1 write x; 1 write x+8; 1 set 101; 1 end\n")
	slots := len(detector{}.answers)
	for i := range slots {
		fmt.Fprintf(&b, "0 fork %[1]d; %[1]d set %[2]d; %[1]d end\n", 2+i, 1000+i)
	}
	b.WriteString("0 get 1000; 0 write x // a race\n")
	for i := range slots - 1 {
		fmt.Fprintf(&b, "0 get %d\n", 1001+i)
	}
	b.WriteString("0 get 101; 0 write x+8 // none\n")
	s := script(t, b.String())
	var races []event.Race
	d := newDetector(func(r event.Race) { races = append(races, r) }, traversal{})
	for i := range s {
		d.Event(&s[i])
	}
	if len(races) != 1 || races[0].Addr != x {
		t.Errorf("races: %+v", races)
	}
}
