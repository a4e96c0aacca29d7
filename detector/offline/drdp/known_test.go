package drdp

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

// A script builds a trace. Each of its accesses has a site of its own.
type script []event.Event

func (s *script) add(e event.Event) { *s = append(*s, e) }

func (s *script) fork(t, child uint32) { s.add(event.Event{Op: event.Fork, Task: t, Other: child}) }
func (s *script) end(t uint32, scope uint64) {
	s.add(event.Event{Op: event.End, Task: t, Obj: scope})
}
func (s *script) begin(t uint32, scope uint64) {
	s.add(event.Event{Op: event.FinishBegin, Task: t, Obj: scope})
}
func (s *script) finish(t uint32, scope uint64) {
	s.add(event.Event{Op: event.FinishEnd, Task: t, Obj: scope})
}
func (s *script) set(t uint32, p uint64) { s.add(event.Event{Op: event.Set, Task: t, Obj: p}) }
func (s *script) get(t uint32, p uint64) { s.add(event.Event{Op: event.Get, Task: t, Obj: p}) }
func (s *script) access(t uint32, k event.Kind, addr, size uint64) {
	s.add(event.Event{Op: event.Access, Task: t, Kind: k, Addr: addr, Size: size, Site: uint32(len(*s) + 1)})
}
func (s *script) write(t uint32, addr, size uint64) { s.access(t, event.Write, addr, size) }
func (s *script) read(t uint32, addr, size uint64)  { s.access(t, event.Read, addr, size) }

// check compares with brute force under all traversals and expects the given number of
// races.
func (s script) check(t *testing.T, races int) {
	t.Helper()
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

const x = 0xc000100000

// After the end of the scope around it, a setter's set also contains the joins after the
// Set. A query at that time would conclude that task 2 knows the events of task 1.
func TestPastOfPoint(t *testing.T) {
	var s script
	s.fork(0, 4)
	s.fork(0, 1)
	s.write(1, x, 8)
	s.set(1, 101)
	s.end(1, 0)
	s.begin(0, 7)
	s.fork(0, 2)
	s.set(2, 102)
	s.get(2, 101) // after task 2's own Set
	s.end(2, 7)
	s.finish(0, 7)
	s.get(4, 102)
	s.write(4, x, 8)
	s.end(4, 0)
	s.check(t, 1)
}

// A setter that has ended has the lsa of the task that waited for it. A query at that
// time would lose the joins that the parent had when it forked task 2.
func TestAncestorsOfPoint(t *testing.T) {
	var s script
	s.fork(0, 3)
	s.fork(0, 1)
	s.write(1, x, 8)
	s.set(1, 101)
	s.end(1, 0)
	s.fork(0, 4)
	s.get(4, 101)
	s.begin(4, 7)
	s.fork(4, 2)
	s.set(2, 102)
	s.end(2, 7)
	s.finish(4, 7)
	s.end(4, 0)
	s.get(3, 102)
	s.write(3, x, 8) // ordered after task 1 by task 4's Get
	s.end(3, 0)
	s.check(t, 0)
}

// Two paths lead to a point. The search must examine the point and continue after it,
// although the first path has marked it.
func TestTwoWays(t *testing.T) {
	var s script
	s.fork(0, 1)
	s.write(1, x, 8)
	s.set(1, 101)
	s.end(1, 0)
	for i := range uint32(4) { // a chain of tasks, each of which gets the promises of the previous and the first task
		task := 2 + i
		s.fork(0, task)
		s.get(task, 101+uint64(i))
		if i > 1 {
			s.get(task, 102)
		}
		s.write(task, x, 8)
		s.set(task, 102+uint64(i))
		s.end(task, 0)
	}
	s.fork(0, 9)
	s.get(9, 105)
	s.get(9, 103)
	s.write(9, x, 8)
	s.end(9, 0)
	s.check(t, 0)
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
		var s script
		s.fork(0, 1)
		s.write(1, c.first, c.size)
		s.end(1, 0)
		s.read(0, c.second, c.bytes)
		s.check(t, c.races)
	}
}

// Fresh memory has no history.
func TestAlloc(t *testing.T) {
	races := 0
	d := newDetector(func(event.Race) { races++ }, traversal{})
	var s script
	s.fork(0, 1)
	s.write(1, x, 16)
	s.end(1, 0)
	s.add(event.Event{Op: event.Free, Addr: x, Size: 8})
	s.write(0, x, 8)
	for i := range s {
		d.Event(&s[i])
	}
	if races != 0 {
		t.Errorf("%d races with memory that was freed", races)
	}
	s = nil
	s.write(0, x+8, 8)
	d.Event(&s[0])
	if races != 1 {
		t.Errorf("%d races with the rest, want 1", races)
	}
}

// The next join invalidates an answer, even if the epoch maps to the same slot of the
// table.
func TestAnswers(t *testing.T) {
	slots := uint64(len(detector{}.answers))
	var s script
	s.fork(0, 1)
	s.write(1, x, 8)
	s.write(1, x+8, 8)
	s.set(1, 101)
	s.end(1, 0)
	for i := range slots {
		task := uint32(2 + i)
		s.fork(0, task)
		s.set(task, 1000+i)
		s.end(task, 0)
	}
	s.get(0, 1000)
	s.write(0, x, 8) // a race
	for i := range slots - 1 {
		s.get(0, 1001+i)
	}
	s.get(0, 101)
	s.write(0, x+8, 8) // none
	var races []event.Race
	d := newDetector(func(r event.Race) { races = append(races, r) }, traversal{})
	for i := range s {
		d.Event(&s[i])
	}
	if len(races) != 1 || races[0].Addr != x {
		t.Errorf("races: %+v", races)
	}
}
