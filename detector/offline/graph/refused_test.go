package graph

import (
	"strings"
	"testing"

	"taskinstr/detector/event"
)

// A closure that would not fit in memory is refused, with the reason.
func TestRefused(t *testing.T) {
	for _, x := range []struct {
		tasks   uint32
		refused bool
	}{{3, false}, {150000, true}} {
		d, err := Spec.New(event.Config{Report: func(event.Race) {}})
		if err != nil {
			t.Fatal(err)
		}
		d.Event(&event.Event{Op: event.FinishBegin, Obj: 1})
		for task := uint32(1); task <= x.tasks; task++ {
			d.Event(&event.Event{Op: event.Fork, Other: task})
			d.Event(&event.Event{Op: event.Access, Kind: event.Write, Task: task, Addr: uint64(0x1000 + 8*task), Size: 8})
			d.Event(&event.Event{Op: event.End, Task: task, Obj: 1})
		}
		d.Event(&event.Event{Op: event.FinishEnd, Obj: 1})
		counters := d.Close()
		err = d.(event.Refuser).Refused()
		if (err != nil) != x.refused || (counters == nil) != x.refused {
			t.Errorf("%d tasks: refused: %v, counters %v", x.tasks, err, counters)
		}
		if x.refused && !strings.Contains(err.Error(), "use the zipper detector") {
			t.Errorf("%d tasks: %v", x.tasks, err)
		}
	}
}
