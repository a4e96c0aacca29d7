package espbags

import (
	"slices"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(400)

// find returns the bytes that the detector reports for a trace, and fails if a pair of
// accesses that it reports is none of brute force.
func find(t *testing.T, seed uint64, trace []event.Event, j differential.Judgement) map[uint64]bool {
	t.Helper()
	got := map[uint64]bool{}
	d := newOnTrace(event.Config{Report: func(r event.Race) {
		p := differential.Pair{A: min(r.First.Site, r.Second.Site), B: max(r.First.Site, r.Second.Site)}
		if j.Structural != nil && !j.Structural[p] {
			t.Errorf("seed %d: sites %d and %d do not race", seed, p.A, p.B)
		}
		for i := range r.Size {
			got[r.Addr+i] = true
		}
	}}, true)
	for i := range trace {
		d.Event(&trace[i])
		if seed%4 == 0 && i%64 == 63 {
			d.e.Sweep()
		}
	}
	for _, c := range d.Close() {
		if c.Name == "outside: tasks and scopes that escape" || c.Name == "outside: events out of depth-first order" {
			t.Errorf("seed %d: %s: %d", seed, c.Name, c.Value)
		}
	}
	return got
}

// stretches are factors for differential.Stretch.
var stretches = []uint64{1, 40, 64, 101, 300}

// On structured programs, the bytes with a race are the bytes that brute force finds, and each pair
// reported races.
func TestDifferential(t *testing.T) {
	mixes := []differential.Features{
		{},
		{Finish: true},
		{Sync: true},
		{Finish: true, Sync: true, Ranges: true},
		{Finish: true, Isolated: true},
		{Finish: true, Sync: true, Isolated: true, Ranges: true},
		{Finish: true, Locks: true},
		{Finish: true, Sync: true, Isolated: true, Locks: true, Atomics: true, Ranges: true},
	}
	races := 0
	for seed, r := range programs.All(0) {
		trace := differential.Random(r, 10+r.IntN(90), mixes[seed%uint64(len(mixes))]).Run(nil)
		j := differential.Judge(trace)
		got := find(t, seed, trace, j)
		// All accesses at few places: origins that are remembered by place come into play.
		places := slices.Clone(trace)
		for k := range places {
			places[k].Site = 1 + places[k].Site%3
		}
		for x := range find(t, seed, places, differential.Judgement{}) {
			if !j.Words[x] {
				t.Errorf("seed %d: a race on %#x is none, with few places", seed, x)
			}
			delete(j.Words, x)
		}
		for x := range j.Words {
			t.Errorf("seed %d: no race found on %#x, with few places", seed, x)
		}
		for x := range got {
			j.Words[x] = true
		}
		if by := stretches[seed/8%uint64(len(stretches))]; by > 1 {
			stretched := find(t, seed, differential.Stretch(trace, by), j)
			got = map[uint64]bool{}
			for x := range stretched {
				got[differential.Base+(x-differential.Base)/by] = true
			}
			for x := range got {
				for i := range by {
					if !stretched[differential.Base+(x-differential.Base)*by+i] {
						t.Errorf("seed %d: byte %d of the %d that stand for %#x has no race, others have", seed, i, by, x)
						break
					}
				}
			}
		}
		for x := range j.Words {
			if !got[x] {
				t.Errorf("seed %d: no race found on %#x", seed, x)
			}
		}
		for x := range got {
			if !j.Words[x] {
				t.Errorf("seed %d: a race on %#x is none", seed, x)
			}
		}
		if t.Failed() {
			for k, e := range trace {
				t.Log(k, e, "site", e.Site)
			}
			t.FailNow()
		}
		races += len(got)
	}
	t.Logf("%d programs, %d racy bytes", *programs.N, races)
	if races == 0 {
		t.Error("no program has a race")
	}
}
