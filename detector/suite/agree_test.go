package suite

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/differential"
	"taskinstr/detector/event"
)

var (
	programs = flag.Int("programs", 200, "how many random programs of each kind the detectors must agree on")
	seed     = flag.Uint64("seed", 1, "of the first program")
)

// An agreement is a kind of programs and the detectors whose models have all that such
// programs do. Each must name the bytes that brute force finds to race.
//
// Some name one pair of accesses for each pair of places or of nodes, not each byte:
// these must name racing bytes alone, and some if there are any.
var somePairs = map[string]bool{"engine": true, "graph": true, "zipper": true}

type agreement struct {
	name     string
	features differential.Features
	// exact find the structural races; ordered those that are left when critical sections
	// keep their order, which lie between none and the structural ones.
	exact, ordered string
}

var agreements = []agreement{
	{"async and finish", differential.Features{Finish: true, Ranges: true},
		"espbags,drdp,zipper,graph,ptracer,spd3,engine,engine:predicted=all,fasttrack", ""},
	{"spawn and sync", differential.Features{Sync: true, Ranges: true},
		"spbags,espbags,drdp,zipper,graph,ptracer,spd3,allsets,engine,fasttrack", ""},
	{"promises", differential.Features{Finish: true, Promises: true, Ranges: true},
		"drdp,graph,engine,engine:predicted=all,fasttrack", ""},
	{"isolated sections", differential.Features{Finish: true, Isolated: true, Ranges: true},
		"espbags,ptracer,engine:predicted=all", "zipper,graph,fasttrack"},
	{"locks", differential.Features{Sync: true, Locks: true, Ranges: true},
		"espbags,ptracer,allsets,engine:predicted=all", "graph,fasttrack"},
	{"nested scopes and locks", differential.Features{Finish: true, Locks: true, Isolated: true, Ranges: true},
		"espbags,ptracer,engine:predicted=all", "graph,fasttrack"},
}

// TestAgree tells the detectors random structured programs.
func TestAgree(t *testing.T) {
	for _, a := range agreements {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			exact, ordered := choices(t, a.exact), choices(t, a.ordered)
			raced := 0
			for i := range uint64(*programs) {
				n := *seed + i
				r := rand.New(rand.NewPCG(n, 11))
				p := differential.Random(r, 10+r.IntN(50), a.features)
				serial, mixed := p.Run(nil), p.Run(r)
				want := differential.Judge(serial).Words
				raced += len(want)
				for _, c := range exact {
					got := bytesOf(t, c, serial, mixed)
					if somePairs[c.Spec.Name] && len(got) > 0 {
						maps.Copy(got, rest(t, n, c, got, want))
					}
					if !maps.Equal(got, want) {
						t.Fatalf("program %d: %s names %s, brute force %s", n, c.Name, span(got), span(want))
					}
				}
				first := -1
				for _, c := range ordered {
					got := bytesOf(t, c, mixed, mixed)
					rest(t, n, c, got, want)
					if found := min(len(got), 1); first < 0 {
						first = found
					} else if first != found {
						t.Fatalf("program %d: %s names %s, unlike %s", n, c.Name, span(got), ordered[0].Name)
					}
				}
			}
			if raced == 0 {
				t.Error("no program has a race")
			}
		})
	}
}

// rest returns the bytes of want that got does not have. All of got must be in want.
func rest(t *testing.T, n uint64, c Choice, got, want map[uint64]bool) map[uint64]bool {
	more := maps.Clone(want)
	for b := range got {
		if !want[b] {
			t.Fatalf("program %d: %s names byte %#x, which does not race", n, c.Name, b)
		}
		delete(more, b)
	}
	return more
}

func choices(t *testing.T, list string) []Choice {
	if list == "" {
		return nil
	}
	c, err := Parse(list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bytesOf returns the bytes that a detector names, in the depth-first trace if it is
// serial, else in the other one.
func bytesOf(t *testing.T, c Choice, serial, mixed []event.Event) map[uint64]bool {
	got := map[uint64]bool{}
	option := maps.Clone(c.Option)
	if c.Spec.Name == "espbags" {
		option = map[string]string{"repeat": "yes"}
	}
	d, err := c.Spec.New(event.Config{Option: option, Report: func(x event.Race) {
		for b := x.Addr; b < x.Addr+x.Size; b++ {
			got[b] = true
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	trace := mixed
	if c.Spec.Serial {
		trace = serial
	}
	for i := range trace {
		e := trace[i]
		d.Event(&e)
	}
	d.Close()
	return got
}

func span(bytes map[uint64]bool) string {
	var b strings.Builder
	for _, x := range slices.Sorted(maps.Keys(bytes)) {
		fmt.Fprintf(&b, " %x", x&0xfff)
	}
	return b.String()
}
