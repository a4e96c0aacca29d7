package spbags

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"taskinstr/detector/differential"
	"taskinstr/detector/event"
)

var (
	programs = flag.Int("programs", 400, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

// run returns the bytes that the detector reports for a trace, and how much of it was
// outside of its model.
func run(t *testing.T, trace []event.Event, each func(event.Race)) (words map[uint64]bool, outside int64) {
	t.Helper()
	words = map[uint64]bool{}
	d, err := Spec.New(event.Config{Report: func(r event.Race) {
		each(r)
		for i := range r.Size {
			words[r.Addr+i] = true
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range trace {
		d.Event(&trace[i])
	}
	for _, c := range d.Close() {
		if strings.HasPrefix(c.Name, "outside: ") {
			outside += c.Value
		}
	}
	return words, outside
}

// On programs of spawn and sync, the bytes with a race are those of brute force, and
// each pair reported races.
func TestDifferential(t *testing.T) {
	races := 0
	for i := range uint64(*programs) {
		seed := *seed + i
		r := rand.New(rand.NewPCG(seed, 0))
		trace := differential.Random(r, 10+r.IntN(90), differential.Features{Sync: true, Ranges: seed%2 == 0}).Run(nil)
		j := differential.Judge(trace)
		got, outside := run(t, trace, func(r event.Race) {
			p := differential.Pair{A: min(r.First.Site, r.Second.Site), B: max(r.First.Site, r.Second.Site)}
			if !j.Order[p] {
				t.Fatalf("seed %d: sites %d and %d do not race", seed, p.A, p.B)
			}
		})
		if outside != 0 {
			t.Fatalf("seed %d: %d outside of the model", seed, outside)
		}
		for x := range j.OrderWords {
			if !got[x] {
				t.Fatalf("seed %d: no race found on %#x", seed, x)
			}
		}
		races += len(got)
	}
	if races == 0 {
		t.Error("no program has a race")
	}
}

// What the model leaves out is counted: with nested scopes or locks a wrong answer
// never goes with a count of 0.
func TestOutside(t *testing.T) {
	wrong := 0
	for i := range uint64(*programs) {
		seed := *seed + i
		r := rand.New(rand.NewPCG(seed, 0))
		trace := differential.Random(r, 10+r.IntN(90), differential.Features{Finish: true, Sync: seed%2 == 0, Isolated: seed%3 == 0}).Run(nil)
		j := differential.Judge(trace)
		got, outside := run(t, trace, func(event.Race) {})
		same := len(got) == len(j.Words)
		for x := range j.Words {
			same = same && got[x]
		}
		if !same {
			wrong++
			if outside == 0 {
				t.Fatalf("seed %d: %d bytes, brute force has %d, and nothing is counted", seed, len(got), len(j.Words))
			}
		}
	}
	if wrong == 0 {
		t.Error("no program shows the difference")
	}
}
