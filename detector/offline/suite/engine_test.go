package suite

import (
	"testing"
	"time"

	"taskinstr/detector/event"
)

// Memory with a new owner has no history, also for a task that has accessed it often.
func TestNewOwner(t *testing.T) {
	write := func(task uint32) event.Event {
		return event.Event{Op: event.Access, Kind: event.Write, Task: task, Addr: 0xc000100000, Size: 8, Site: task}
	}
	for _, c := range []struct {
		name   string
		events []event.Event
		races  int
	}{
		{"the same owner", []event.Event{write(1), write(2)}, 1},
		{"another task", []event.Event{write(1), {Op: event.Alloc, Addr: 0xc000100000, Size: 64}, write(2)}, 0},
		{"given up", []event.Event{write(1), {Op: event.Free, Addr: 0xc000100000, Size: 64}, write(2)}, 0},
		{"the same task again", []event.Event{write(1), write(1), {Op: event.Alloc, Addr: 0xc000100000, Size: 64}, write(1), write(2)}, 1},
	} {
		races := 0
		d, err := newEngine(event.Config{Report: func(event.Race) { races++ }})
		if err != nil {
			t.Fatal(err)
		}
		d.Event(&event.Event{Op: event.Fork, Other: 1})
		d.Event(&event.Event{Op: event.Fork, Other: 2})
		for i := range uint64(1 << 14) { // until the task has a filter and caches
			d.Event(&event.Event{Op: event.Access, Kind: event.Write, Task: 1, Addr: 0xc000200000 + 8*i, Size: 8, Site: 3})
		}
		for _, e := range c.events {
			d.Event(&e)
		}
		d.Close()
		if races != c.races {
			t.Errorf("%s: %d races, want %d", c.name, races, c.races)
		}
	}
}

// The cost of new memory does not depend on the number of living tasks.
func TestManyTasks(t *testing.T) {
	const tasks, news, limit = 20000, 100000, 10 * time.Second
	d, err := newEngine(event.Config{Report: func(r event.Race) { t.Errorf("%v", r) }})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for i := range uint32(tasks) {
		d.Event(&event.Event{Op: event.Fork, Other: i + 1})
	}
	for i := range uint32(news) {
		d.Event(&event.Event{Op: event.Alloc, Addr: 0xc000100000, Size: 64})
		d.Event(&event.Event{Op: event.Access, Kind: event.Write, Task: 1 + i%tasks, Addr: 0xc000100000, Size: 8, Site: 1})
	}
	if took := time.Since(start); took > limit {
		t.Errorf("%v for %d pieces of memory beside %d tasks", took, news, tasks)
	}
	d.Close()
}
