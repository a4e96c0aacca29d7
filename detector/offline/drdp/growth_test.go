package drdp

import (
	"flag"
	"runtime"
	"testing"

	"taskinstr/detector/event"
)

var tasks = flag.Int("tasks", 200_000, "how many tasks the growth tests make")

// heapAfter returns the heap in bytes of a detector after n tasks.
func heapAfter(n int, run func(d *detector, n int)) int {
	d := newDetector(func(event.Race) {}, traversal{})
	run(d, n)
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(d)
	return int(m.HeapAlloc)
}

func send(d *detector, events ...event.Event) {
	for i := range events {
		d.Event(&events[i])
	}
}

// write is a task's write of a word.
func write(task uint32, word uint64) event.Event {
	return event.Event{Op: event.Access, Task: task, Kind: event.Write, Addr: x + 8*word, Size: 8, Site: 1}
}

// loop runs n tasks in one finish scope. Each task writes one of the given number of
// words.
func loop(words uint32) func(d *detector, n int) {
	return func(d *detector, n int) {
		send(d, event.Event{Op: event.FinishBegin, Obj: 1})
		for i := range uint32(n) {
			send(d, event.Event{Op: event.Fork, Other: i + 1}, write(i+1, uint64(i%words)), event.Event{Op: event.End, Task: i + 1, Obj: 1})
		}
		send(d, event.Event{Op: event.FinishEnd, Obj: 1})
	}
}

// rounds runs a sequence of finish scopes with ten tasks each.
func rounds(d *detector, n int) {
	for i := range uint32(n / 10) {
		send(d, event.Event{Op: event.FinishBegin, Obj: 1})
		for k := range uint32(10) {
			task := 10*i + k + 1
			send(d, event.Event{Op: event.Fork, Other: task}, write(task, uint64(k)), event.Event{Op: event.End, Task: task, Obj: 1})
		}
		send(d, event.Event{Op: event.FinishEnd, Obj: 1})
	}
}

// futures runs tasks that set one promise each, which main gets.
func futures(d *detector, n int) {
	for i := range uint32(n) {
		promise := uint64(i + 1)
		send(d,
			event.Event{Op: event.Fork, Other: i + 1},
			write(i+1, uint64(i%1000)),
			event.Event{Op: event.Set, Task: i + 1, Obj: promise},
			event.Event{Op: event.End, Task: i + 1},
			event.Event{Op: event.Get, Obj: promise})
	}
}

// Memory does not grow with the number of tasks. With promises it grows by a bounded
// amount for each. The bounds are twice the values measured with a million tasks.
func TestGrowth(t *testing.T) {
	const slack = 16 << 20 // for the first limit and the spare capacity of slices
	empty := heapAfter(0, rounds)
	for _, c := range []struct {
		name  string
		run   func(d *detector, n int)
		bound int // bytes for each task
	}{
		{"loop over few words", loop(1000), 1},
		{"rounds", rounds, 1},
		{"loop over a word each", loop(1 << 30), 150},
		{"futures", futures, 200},
	} {
		grown := heapAfter(*tasks, c.run) - empty
		t.Logf("%s: %d tasks, %.1f bytes each", c.name, *tasks, float64(grown)/float64(*tasks))
		if grown > slack+*tasks*c.bound {
			t.Errorf("%s: %d bytes after %d tasks", c.name, grown, *tasks)
		}
	}
}
