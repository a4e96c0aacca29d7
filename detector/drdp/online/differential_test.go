package online

import (
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"taskinstr/detector/differential"
	"taskinstr/detector/event"
)

var (
	programs = flag.Int("programs", 300, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

// origin0 is where the memory of random programs lies.
const (
	origin0 = 0xc000100000
	memory  = 1 << 16 // and where it is put, since the engine has fewer addresses
)

// stretches are factors by which the memory of programs is made larger, so that accesses
// are of whole lines and parts of them.
var stretches = []uint64{1, 40, 64, 101}

func stretch(trace []event.Event, by uint64) []event.Event {
	trace = slices.Clone(trace)
	for i := range trace {
		if e := &trace[i]; e.Op == event.Access {
			e.Addr, e.Size = origin0+(e.Addr-origin0)*by, e.Size*by
		}
	}
	return trace
}

// relocate puts the memory into the addresses that the engine has.
func relocate(trace []event.Event) []event.Event {
	trace = slices.Clone(trace)
	for i := range trace {
		switch trace[i].Op {
		case event.Access, event.Alloc, event.Free:
			trace[i].Addr -= origin0 - memory
		}
	}
	return trace
}

// The exact claim of package drdp, in depth-first order and in any other.
func TestFirstRaces(t *testing.T) {
	for s := *seed; s < *seed+uint64(*programs); s++ {
		r := rand.New(rand.NewPCG(s, 5))
		noHeirs = s%3 == 0
		f := differential.Features{Finish: true, Promises: s%5 != 0, Sync: s%2 == 0, Ranges: true}
		p := differential.Random(r, 10+r.IntN(70), f)
		for _, trace := range [][]event.Event{p.Run(nil), p.Run(r)} {
			every := 0
			if s%4 == 0 {
				every = 16
			}
			same(t, s, every, trace, 1)
			same(t, s, every, stretch(trace, stretches[s/8%4]), stretches[s/8%4])
			trace = relocate(trace)
			if err := differential.FirstRaces(spec(every), nil, trace); err != nil {
				for k, e := range trace {
					t.Log(k, e, "site", e.Site)
				}
				t.Fatalf("seed %d: %v", s, err)
			}
		}
	}
}

// same fails unless the bytes with a race are those of brute force, with few sites: what is
// remembered of a place comes into play. The trace is one whose memory has been made
// larger by a factor.
func same(t *testing.T, seed uint64, every int, trace []event.Event, by uint64) {
	t.Helper()
	small := slices.Clone(trace)
	for i := range small {
		if e := &small[i]; e.Op == event.Access {
			e.Addr, e.Size = origin0+(e.Addr-origin0)/by, e.Size/by
		}
	}
	want := differential.Judge(small).Words
	got := map[uint64]bool{}
	d := newOnTrace(event.Config{Report: func(r event.Race) {
		for i := range r.Size {
			got[r.Addr+i] = true
		}
	}}, every)
	defer d.Close()
	trace = relocate(trace)
	for i := range trace {
		e := trace[i]
		e.Site = 1 + e.Site%3
		d.Event(&e)
	}
	racy := map[uint64]bool{}
	for x := range got {
		racy[origin0+(x-memory)/by] = true
	}
	for x := range racy {
		if !want[x] {
			t.Fatalf("seed %d: a race on %#x is none", seed, x)
		}
	}
	for x := range want {
		for i := range by {
			if !got[memory+(x-origin0)*by+i] {
				t.Fatalf("seed %d: no race found on byte %d of %d of %#x", seed, i, by, x)
			}
		}
	}
}

// With locks and atomics, which are outside of the model: no pair is reported that is no race.
func TestOutside(t *testing.T) {
	for s := *seed; s < *seed+uint64(*programs); s++ {
		r := rand.New(rand.NewPCG(s, 6))
		f := differential.Features{Finish: true, Promises: true, Sync: s%2 == 0, Ranges: true, Isolated: true, Locks: s%3 != 0}
		trace := differential.Random(r, 80, f).Run(r)
		judged := differential.Judge(trace).Structural
		d := newOnTrace(event.Config{Report: func(race event.Race) {
			a, b := race.First.Site, race.Second.Site
			if !judged[differential.Pair{A: min(a, b), B: max(a, b)}] {
				t.Fatalf("seed %d: sites %d and %d are no race: %+v", s, a, b, race)
			}
		}}, 0)
		trace = relocate(trace)
		for i := range trace {
			d.Event(&trace[i])
		}
		d.Close()
	}
}
