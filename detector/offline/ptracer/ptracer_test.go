package ptracer

import (
	"fmt"
	"maps"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/differential"
)

var programs = differential.Flags(500)

// features are the kinds of random programs for which the detector must be exact.
var features = []differential.Features{
	{Sync: true, Locks: true, Ranges: true},
	{Finish: true, Locks: true, Isolated: true, Ranges: true},
	{Finish: true, Sync: true, Locks: true, Isolated: true, Ranges: true, Atomics: true},
	{Finish: true, Ranges: true},
}

// A finding is the report of a detector about one access of a trace.
type finding struct {
	bytes map[uint64]bool
	first map[uint32]bool // the sites of the earlier accesses
}

// tiny is an option of run: caches so small that entries displace each other.
const tiny = "tiny"

// run tells a trace to a detector. The findings are by the event that they were
// reported at.
func run(t *testing.T, trace []event.Event, option map[string]string) (map[int]finding, map[string]int64) {
	t.Helper()
	found := map[int]finding{}
	now := 0
	config := event.Config{Option: option, Report: func(r event.Race) {
		f, ok := found[now]
		if !ok {
			f = finding{map[uint64]bool{}, map[uint32]bool{}}
			found[now] = f
		}
		for i := range r.Size {
			f.bytes[r.Addr+i] = true
		}
		f.first[r.First.Site] = true
	}}
	d, err := Spec.New(config)
	if option[tiny] != "" {
		d = newDetector(config.Report, sizes{lca: 4, access: 4, turns: 1}, &diagnoser{})
	}
	if err != nil {
		t.Fatal(err)
	}
	for now = range trace {
		d.Event(&trace[now])
	}
	counters := map[string]int64{}
	for _, c := range d.Close() {
		counters[c.Name] = c.Value
	}
	return found, counters
}

func words(found map[int]finding) map[uint64]bool {
	w := map[uint64]bool{}
	for _, f := range found {
		maps.Copy(w, f.bytes)
	}
	return w
}

// The detector and brute force find the same racy bytes in every schedule, with the caches on
// and off, and each pair that the detector names is a pair of brute force.
func TestJudge(t *testing.T) {
	races, named, hits := 0, 0, int64(0)
	for s, r := range programs.All(16) {
		p := differential.Random(r, 10+r.IntN(80), features[s%uint64(len(features))])
		trace := p.Run(nil)
		if s/4%3 != 0 {
			trace = p.Run(r)
		}
		option := map[string]string{}
		if s%3 == 0 {
			option["access-cache"] = "off"
		}
		switch s % 5 {
		case 0:
			option["lca-cache"] = "off"
		case 1:
			option[tiny] = "caches"
		}
		found, counters := run(t, trace, option)
		want := differential.Judge(trace)
		if err := compare(trace, found, want); err != nil {
			t.Fatalf("seed %d: %v", s, err)
		}
		if n := counters["outside the model"]; n != 0 {
			t.Fatalf("seed %d: %d events are outside the model", s, n)
		}
		races += len(want.Words)
		hits += counters["LCA cache hits"] + counters["access cache hits"]
		named += len(found)
	}
	if races < *programs.N/10 || named == 0 || hits == 0 {
		t.Errorf("only %d racy bytes, %d racy accesses, %d cache hits", races, named, hits)
	}
	t.Logf("%d programs, %d racy bytes, %d racy accesses, %d cache hits", *programs.N, races, named, hits)
}

func compare(trace []event.Event, found map[int]finding, want differential.Judgement) error {
	if got := words(found); !maps.Equal(got, want.Words) {
		return fmt.Errorf("racy bytes %v, want %v", got, want.Words)
	}
	for i, f := range found {
		for site := range f.first {
			p := differential.Pair{A: min(site, trace[i].Site), B: max(site, trace[i].Site)}
			if !want.Structural[p] {
				return fmt.Errorf("event %d (%v): sites %d and %d do not race", i, trace[i], p.A, p.B)
			}
		}
	}
	return nil
}
