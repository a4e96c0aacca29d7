package spd3

import (
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(2000)

// The exact claim of doc.go holds in depth-first order and in any other order.
func TestFirstRaces(t *testing.T) {
	for s, r := range programs.All(3) {
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
	for s, r := range programs.Part(10, 4) {
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
