package spd3

import (
	"flag"
	"math/rand/v2"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

var (
	programs = flag.Int("programs", 2000, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

// The exact claim of doc.go holds in depth-first order and in any other order.
func TestFirstRaces(t *testing.T) {
	for s := *seed; s < *seed+uint64(*programs); s++ {
		r := rand.New(rand.NewPCG(s, 3))
		f := differential.Features{Finish: true, Sync: s%2 == 0, Ranges: true}
		p := differential.Random(r, 10+r.IntN(60), f)
		for _, trace := range [][]event.Event{p.Run(nil), p.Run(r)} {
			if err := differential.FirstRaces(Spec, nil, trace); err != nil {
				t.Fatalf("seed %d: %v", s, err)
			}
		}
	}
}

// Reclaiming does not change the result.
func TestReclaim(t *testing.T) {
	spec := Spec
	spec.New = func(c event.Config) (event.Detector, error) {
		d := newDetector(c.Report)
		return reclaiming{d}, nil
	}
	for s := *seed; s < *seed+uint64(*programs)/10; s++ {
		r := rand.New(rand.NewPCG(s, 4))
		f := differential.Features{Finish: true, Sync: s%2 == 0, Ranges: true}
		trace := differential.Random(r, 60, f).Run(r)
		if err := differential.FirstRaces(spec, nil, trace); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
	}
}

type reclaiming struct{ *detector }

func (r reclaiming) Event(e *event.Event) {
	r.detector.Event(e)
	r.reclaim()
}
