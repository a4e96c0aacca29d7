package spbags

import (
	"maps"
	"strings"
	"testing"

	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(400)

// outside returns the number of events that the detector counted as outside of its model.
func outside(r detectortest.Result) (n int64) {
	for name, value := range r.Counters {
		if strings.HasPrefix(name, "outside: ") {
			n += value
		}
	}
	return n
}

// On programs of spawn and sync, the detector names the racy bytes that brute force finds,
// and each reported pair races.
func TestDifferential(t *testing.T) {
	races := 0
	for seed, r := range programs.All(0) {
		trace := differential.Random(r, 10+r.IntN(90), differential.Features{Sync: true, Ranges: seed%2 == 0}).Run(nil)
		j := differential.Judge(trace)
		got := detectortest.Run(t, Spec, nil, trace)
		if err := got.Wrong(j.Order); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n := outside(got); n != 0 {
			t.Fatalf("seed %d: %d outside of the model", seed, n)
		}
		for x := range j.OrderWords {
			if !got.Bytes[x] {
				t.Fatalf("seed %d: no race found on %#x", seed, x)
			}
		}
		races += len(got.Bytes)
	}
	if races == 0 {
		t.Error("no program has a race")
	}
}

// Events outside of the model are counted: on programs with nested scopes or locks, a wrong
// answer never comes with a count of 0.
func TestOutside(t *testing.T) {
	wrong := 0
	for seed, r := range programs.All(0) {
		trace := differential.Random(r, 10+r.IntN(90), differential.Features{Finish: true, Sync: seed%2 == 0, Isolated: seed%3 == 0}).Run(nil)
		j := differential.Judge(trace)
		got := detectortest.Run(t, Spec, nil, trace)
		if !maps.Equal(got.Bytes, j.Words) {
			wrong++
			if outside(got) == 0 {
				t.Fatalf("seed %d: %d bytes, brute force has %d, and nothing is counted", seed, len(got.Bytes), len(j.Words))
			}
		}
	}
	if wrong == 0 {
		t.Error("no program shows the difference")
	}
}
