package suite

import (
	"testing"
	"time"

	"taskinstr/detector/event"
)

// A task that repeats an access after the memory has got a new owner has not made it
// yet: what it was told before is forgotten with the history.
func TestNewOwner(t *testing.T) {
	for _, op := range []event.Op{event.Alloc, event.Free} {
		races := 0
		d, err := newEngine(event.Config{Report: func(event.Race) { races++ }})
		if err != nil {
			t.Fatal(err)
		}
		write := func(task uint32) event.Event {
			return event.Event{Op: event.Access, Kind: event.Write, Task: task, Addr: 0xc000100000, Size: 8, Site: task}
		}
		for _, e := range []event.Event{
			{Op: event.Fork, Other: 1}, {Op: event.Fork, Other: 2},
			write(1), write(1), {Op: op, Addr: 0xc000100000, Size: 64}, write(1), write(2),
		} {
			d.Event(&e)
		}
		d.Close()
		if races != 1 {
			t.Errorf("%v: %d races, want 1", op, races)
		}
	}
}

// What new memory costs does not depend on how many tasks are alive.
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
