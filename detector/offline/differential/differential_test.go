package differential

import (
	"maps"
	"testing"

	"taskinstr/detector/event"
)

var programs = Flags(300)

var all = Features{Finish: true, Sync: true, Promises: true, Isolated: true, Locks: true, Atomics: true, Ranges: true}

// Structural races do not depend on the schedule, and both ways to execute a program
// depth-first agree.
func TestSchedules(t *testing.T) {
	races := 0
	for s, r := range programs.All(0) {
		p := Random(r, 10+r.IntN(60), all)
		serial := p.Run(nil)
		random := p.Run(r)
		for _, trace := range [][]event.Event{serial, random} {
			if err := event.Check(trace); err != nil {
				t.Fatalf("seed %d: %v", s, err)
			}
		}
		if at := event.IsDepthFirst(serial); at >= 0 {
			t.Fatalf("seed %d: event %d is not in depth-first order", s, at)
		}
		a, b := Judge(serial), Judge(random)
		if !maps.Equal(a.Structural, b.Structural) || !maps.Equal(a.Order, b.Order) {
			t.Fatalf("seed %d: %v, another schedule: %v", s, a.Structural, b.Structural)
		}
		races += len(a.Structural)
		again, at := event.DepthFirst(random)
		if at >= 0 {
			t.Fatalf("seed %d: event %d of the reordered trace is not in depth-first order", s, at)
		}
		if err := event.Check(again); err != nil {
			t.Fatalf("seed %d: reordered: %v", s, err)
		}
		if len(again) != len(serial) {
			t.Fatalf("seed %d: %d events, reordered %d", s, len(serial), len(again))
		}
		if c := Judge(again); !maps.Equal(a.Structural, c.Structural) {
			t.Fatalf("seed %d: %v, reordered: %v", s, a.Structural, c.Structural)
		}
		number := map[uint32]uint32{0: 0} // tasks are numbered differently
		for k := range again {
			if again[k].Op == event.Fork {
				number[again[k].Other] = serial[k].Other
			}
			if again[k].Site != serial[k].Site || number[again[k].Task] != serial[k].Task {
				t.Fatalf("seed %d: event %d is %v, reordered %v", s, k, serial[k], again[k])
			}
		}
	}
	if races == 0 {
		t.Error("no program has a race")
	}
}
