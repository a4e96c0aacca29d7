package recorded

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/schedule/dfs"
	"taskinstr/detector/trace"
)

const (
	x, y, fresh = 0x1000, 0x2000, 0x3000
	l, m        = 0x10, 0x20
)

func read(task uint32, addr uint64) event.Event {
	return event.Event{Op: event.Access, Task: task, Addr: addr, Size: 8}
}

func write(task uint32, addr uint64) event.Event {
	return event.Event{Op: event.Access, Task: task, Addr: addr, Size: 8, Kind: event.Write}
}

func lock(task uint32, obj uint64) event.Event {
	return event.Event{Op: event.Lock, Task: task, Obj: obj}
}

func unlock(task uint32, obj uint64) event.Event {
	return event.Event{Op: event.Unlock, Task: task, Obj: obj}
}

// A builder writes events and the record of the same run.
type builder struct {
	events []event.Event
	record strings.Builder
}

func newBuilder(tasks int) *builder {
	b := &builder{}
	b.record.WriteString("taskinstr schedule 1\nstrategy dfs\nseed 0\npoints locks\n")
	b.events = append(b.events, event.Event{Op: event.FinishBegin, Obj: 7})
	for i := range tasks {
		b.events = append(b.events, event.Event{Op: event.Fork, Other: uint32(i + 1)})
	}
	b.record.WriteString("main\n")
	return b
}

// section adds a choice and the events of the chosen task.
func (b *builder) section(task string, candidates string, events ...event.Event) {
	fmt.Fprintf(&b.record, "# event %d\n%s | %s\n", len(b.events), task, candidates)
	b.events = append(b.events, events...)
}

func (b *builder) read(t *testing.T) *Run {
	t.Helper()
	r, err := Read(b.record.String()+"exit\n", detectortest.Source(t, b.events), true)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Both sides of a section are found, with its accesses.
func TestSections(t *testing.T) {
	b := newBuilder(2)
	b.section("main.1", "main.1:1 main.2:1",
		lock(1, l), read(1, x), write(1, x),
		event.Event{Op: event.Alloc, Task: 1, Addr: fresh, Size: 64}, write(1, fresh+8),
		unlock(1, l), write(1, y))
	b.section("main.2", "main.2:1", lock(2, l), read(2, y), unlock(2, l))
	r := b.read(t)
	if len(r.Sections) != 2 || len(r.Tries) != 0 {
		t.Fatalf("sections %+v, tries %+v", r.Sections, r.Tries)
	}
	for i, want := range []Section{{Choice: 1, Name: "main.1", Task: 1, Lock: l, First: 3, Last: 8}, {Choice: 2, Name: "main.2", Task: 2, Lock: l, First: 10, Last: 12}} {
		if r.Sections[i] != want {
			t.Errorf("section %+v, want %+v", r.Sections[i], want)
		}
	}
	for i, want := range [][]dfs.Access{{{Lo: x, Hi: x + 8}, {Lo: x, Hi: x + 8, Write: true}}, {{Lo: y, Hi: y + 8}}} {
		if c := r.Record.Choices[i+1]; !c.Known || !slices.Equal(c.Accesses, want) {
			t.Errorf("choice %+v, want the accesses %v", c, want)
		}
	}
	var got []string // the tasks that enter sections
	for _, c := range r.Record.Choices {
		if isSection(c) {
			got = append(got, c.Task)
		}
	}
	if !slices.Equal(got, []string{"main.1", "main.2"}) {
		t.Errorf("order %v", got)
	}
}

// The accesses of a section are not known if other events come between, if it has not
// ended, or if some packages are not checked. An operation on a channel counts as a
// write, an operation on a WaitGroup does not count.
func TestKnown(t *testing.T) {
	done := event.Event{Op: event.ReleaseMerge, Task: 1, Obj: y, Use: event.UseWaitGroup}
	send := event.Event{Op: event.Release, Task: 1, Obj: y, Use: event.UseChannel}
	for _, c := range []struct {
		name     string
		events   []event.Event
		known    bool
		accesses []dfs.Access
	}{
		{"nothing", []event.Event{lock(1, l), unlock(1, l)}, true, nil},
		{"another task", []event.Event{lock(1, l), read(2, x), unlock(1, l)}, false, nil},
		{"a task of its own", []event.Event{lock(1, l), {Op: event.Fork, Task: 1, Other: 3}, unlock(1, l)}, false, nil},
		{"no end", []event.Event{lock(1, l), read(1, x)}, false, nil},
		{"WaitGroup", []event.Event{lock(1, l), done, unlock(1, l)}, true, nil},
		{"channel", []event.Event{lock(1, l), send, unlock(1, l)}, true, []dfs.Access{{Lo: y, Hi: y + 1, Write: true}}},
	} {
		b := newBuilder(2)
		b.section("main.1", "main.1:1", c.events...)
		got := b.read(t).Record.Choices[1]
		if got.Known != c.known || !slices.Equal(got.Accesses, c.accesses) {
			t.Errorf("%s: %+v, want known %v, %v", c.name, got, c.known, c.accesses)
		}
	}
	for packages, want := range map[string]bool{"": false, "all": false, "./...": true} {
		if got := partial(&trace.Symbols{Meta: map[string]string{"packages": packages}}); got != want {
			t.Errorf("with the packages %q checked the accesses of some are not known: %v", packages, got)
		}
	}
	b := newBuilder(2)
	b.section("main.1", "main.1:1", lock(1, l), read(1, x))
	b.section("main.1", "main.1:2", lock(1, m), read(1, y), unlock(1, m), unlock(1, l))
	r := b.read(t)
	if a, c := r.Record.Choices[1], r.Record.Choices[2]; a.Known || !c.Known || r.Sections[0].Last != 8 {
		t.Errorf("a section in a section: %+v, %+v, %+v", a, c, r.Sections)
	}
}

// A choice that takes no lock is a TryLock.
func TestTry(t *testing.T) {
	b := newBuilder(2)
	b.section("main.1", "main.1:1 main.2:1", lock(1, l))
	b.section("main.2", "main.2:1")
	b.section("main.1", "main.1:2", lock(1, m), unlock(1, m), unlock(1, l))
	r := b.read(t)
	if len(r.Sections) != 2 || len(r.Tries) != 1 || r.Tries[0].Name != "main.2" {
		t.Errorf("sections %+v, tries %+v", r.Sections, r.Tries)
	}
	if c := r.Record.Choices[2]; c.Known {
		t.Errorf("a TryLock that fails is known: %+v", c)
	}
}

// The order of sections that commute hides a race. The order that shows it ends with the
// sections of the race.
func TestHidden(t *testing.T) {
	for _, c := range []struct {
		second uint64 // the address that the second section accesses
		order  []string
	}{
		{y, []string{"main.2"}},
		{x + 8, nil},
	} {
		b := newBuilder(2)
		b.events = append(b.events, write(1, fresh))
		b.section("main.1", "main.1:1 main.2:1", lock(1, l), write(1, x+8), unlock(1, l), event.Event{Op: event.End, Task: 1, Obj: 7})
		b.section("main.2", "main.2:1", lock(2, l), write(2, c.second), unlock(2, l), write(2, fresh), event.Event{Op: event.End, Task: 2, Obj: 7},
			event.Event{Op: event.FinishEnd, Obj: 7})
		order, found, err := b.read(t).Hidden()
		if err != nil || found != (c.order != nil) || !slices.Equal(order, c.order) {
			t.Errorf("second section at %#x: order %v, found %v, error %v", c.second, order, found, err)
		}
	}
}

func TestBadRecord(t *testing.T) {
	if _, err := Read("main x\n", detectortest.Source(t, nil), true); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a record that is none: %v", err)
	}
	if _, err := Read("main\n", detectortest.Source(t, nil), true); err == nil || !strings.Contains(err.Error(), "no events") {
		t.Errorf("a trace that is empty: %v", err)
	}
}
