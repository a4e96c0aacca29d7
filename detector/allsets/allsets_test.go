package allsets

import (
	"flag"
	"maps"
	"math/rand/v2"
	"testing"

	"taskinstr/detector/differential"
	"taskinstr/detector/event"
)

var (
	programs = flag.Int("programs", 500, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

var features = []differential.Features{
	{Sync: true, Locks: true, Ranges: true},
	{Sync: true, Finish: true, Locks: true, Isolated: true, Ranges: true},
	{Sync: true, Locks: true, Atomics: true},
}

// The racy bytes are those of brute force, and each pair that is named is a pair of
// brute force.
func TestJudge(t *testing.T) {
	races := 0
	for i := range uint64(*programs) {
		s := *seed + i
		r := rand.New(rand.NewPCG(s, 98))
		trace := differential.Random(r, 10+r.IntN(80), features[s%uint64(len(features))]).Run(nil)
		want := differential.Judge(trace)
		got := map[uint64]bool{}
		d, err := Spec.New(event.Config{Report: func(r event.Race) {
			for x := range r.Size {
				got[r.Addr+x] = true
			}
			p := differential.Pair{A: min(r.First.Site, r.Second.Site), B: max(r.First.Site, r.Second.Site)}
			if !want.Structural[p] {
				t.Fatalf("seed %d: sites %d and %d do not race", s, p.A, p.B)
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		for k := range trace {
			d.Event(&trace[k])
		}
		if !maps.Equal(got, want.Words) {
			t.Fatalf("seed %d: racy bytes %v, want %v", s, got, want.Words)
		}
		for _, c := range d.Close() {
			if c.Name == "outside the model" && c.Value != 0 {
				t.Fatalf("seed %d: %d events are outside the model", s, c.Value)
			}
		}
		races += len(got)
	}
	if races < *programs/10 {
		t.Errorf("only %d racy bytes", races)
	}
	t.Logf("%d programs, %d racy bytes", *programs, races)
}
