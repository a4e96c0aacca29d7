package differential

import (
	"flag"
	"maps"
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
)

var (
	programs = flag.Int("programs", 300, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

var all = Features{Finish: true, Sync: true, Promises: true, Isolated: true, Locks: true, Atomics: true, Ranges: true}

// Structural races do not depend on the schedule, and both ways to execute a program
// depth-first agree.
func TestSchedules(t *testing.T) {
	races := 0
	for i := range uint64(*programs) {
		r := rand.New(rand.NewPCG(*seed+i, 0))
		p := Random(r, 10+r.IntN(60), all)
		serial := p.Run(nil)
		random := p.Run(r)
		for _, trace := range [][]event.Event{serial, random} {
			if err := event.Check(trace); err != nil {
				t.Fatalf("seed %d: %v", *seed+i, err)
			}
		}
		if at := event.IsDepthFirst(serial); at >= 0 {
			t.Fatalf("seed %d: event %d is not in depth-first order", *seed+i, at)
		}
		a, b := Judge(serial), Judge(random)
		if !maps.Equal(a.Structural, b.Structural) || !maps.Equal(a.Order, b.Order) {
			t.Fatalf("seed %d: %v, another schedule: %v", *seed+i, a.Structural, b.Structural)
		}
		races += len(a.Structural)
		again, at := event.DepthFirst(random)
		if at >= 0 {
			t.Fatalf("seed %d: event %d of the reordered trace is not in depth-first order", *seed+i, at)
		}
		if err := event.Check(again); err != nil {
			t.Fatalf("seed %d: reordered: %v", *seed+i, err)
		}
		if len(again) != len(serial) {
			t.Fatalf("seed %d: %d events, reordered %d", *seed+i, len(serial), len(again))
		}
		if c := Judge(again); !maps.Equal(a.Structural, c.Structural) {
			t.Fatalf("seed %d: %v, reordered: %v", *seed+i, a.Structural, c.Structural)
		}
		number := map[uint32]uint32{0: 0} // tasks are numbered differently
		for k := range again {
			if again[k].Op == event.Fork {
				number[again[k].Other] = serial[k].Other
			}
			if again[k].Site != serial[k].Site || number[again[k].Task] != serial[k].Task {
				t.Fatalf("seed %d: event %d is %v, reordered %v", *seed+i, k, serial[k], again[k])
			}
		}
	}
	if races == 0 {
		t.Error("no program has a race")
	}
}
