package suite

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/oracle"
	"taskinstr/detector/parallel"
)

var (
	programs = flag.Int("programs", 1200, "on how many random programs, of all kinds together, the detectors must agree")
	seed     = flag.Uint64("seed", 1, "of the first program of each kind; the next has the next one")
)

// An agreement is a kind of programs and the detectors whose models cover every feature
// of such programs. Each detector must name exactly the bytes that race by brute force.
//
// The detectors of somePairs report one pair of accesses for each pair of places or
// nodes, not one for each byte. They must name only racing bytes, and at least one if a
// byte races.
var somePairs = map[string]bool{"engine": true, "graph": true, "zipper": true}

type agreement struct {
	name     string
	features differential.Features
	// The detectors in exact find the structural races. The detectors in ordered find the
	// races that remain when critical sections keep their order.
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
		"espbags,ptracer,engine:predicted=all", "zipper,graph,fasttrack,engine:predicted=off"},
	{"locks", differential.Features{Sync: true, Locks: true, Ranges: true},
		"espbags,ptracer,allsets,engine:predicted=all", "graph,fasttrack,engine:predicted=off"},
	{"nested scopes and locks", differential.Features{Finish: true, Locks: true, Isolated: true, Ranges: true},
		"espbags,ptracer,engine:predicted=all", "graph,fasttrack,engine:predicted=off"},
}

// engineOrders are the engine's orders: structural, weak, happens-before.
var engineOrders = []parallel.Options{{All: true}, {}, {NoPredict: true}}

// TestAgree runs the detectors on random structured programs.
//
// There are two brute-force judges: [differential.Judge], which knows the structural
// order alone, and package oracle, which knows the engine's three orders. Both must find
// the same structural races. The engine's answers are compared with the oracle's for each
// access and byte in each order.
func TestAgree(t *testing.T) {
	for _, a := range agreements {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			exact, ordered := choices(t, a.exact), choices(t, a.ordered)
			raced := 0
			for i := range uint64(*programs+len(agreements)-1) / uint64(len(agreements)) {
				n := *seed + i
				r := rand.New(rand.NewPCG(n, 11))
				p := differential.Random(r, 10+r.IntN(50), a.features)
				serial, mixed := p.Run(nil), p.Run(r)
				want := differential.Judge(serial).Words
				raced += len(want)
				for _, c := range exact {
					got := bytesOf(t, c, serial, mixed)
					if somePairs[c.Spec.Name] && len(got) > 0 {
						maps.Copy(got, rest(t, n, c.Name, got, want))
					}
					if !maps.Equal(got, want) {
						t.Fatalf("program %d: %s names %s, brute force %s", n, c.Name, span(got), span(want))
					}
				}
				judged := lowered(mixed)
				for _, o := range engineOrders {
					if err := oracle.Check(judged, o, nil); err != nil {
						t.Fatalf("program %d: engine with %+v: %v", n, o, err)
					}
				}
				structural, happens := bytesOfOracle(judged)
				if !maps.Equal(structural, want) {
					t.Fatalf("program %d: the oracle names %s, brute force %s", n, span(structural), span(want))
				}
				for _, c := range ordered {
					got := bytesOf(t, c, mixed, mixed)
					if rest(t, n, c.Name, got, happens); len(got) == 0 && len(happens) > 0 {
						t.Fatalf("program %d: %s names nothing, the oracle %s", n, c.Name, span(happens))
					}
				}
			}
			if raced == 0 {
				t.Error("no program has a race")
			}
		})
	}
}

// Scopes and promises, and locks, have addresses apart from memory.
const (
	scopesAt = 1 << 46
	locksAt  = 1 << 47
)

// lowered returns a structured trace as events of package oracle.
func lowered(trace []event.Event) []oracle.Event {
	var out []oracle.Event
	for _, e := range trace {
		task, obj, lock := int(e.Task), uintptr(scopesAt+16*e.Obj), uintptr(locksAt+16*e.Obj)
		switch e.Op {
		case event.Fork:
			out = append(out, oracle.Event{Op: oracle.Fork, Task: task, Other: int(e.Other)})
		case event.End:
			out = append(out, oracle.Event{Op: oracle.ReleaseMerge, Task: task, Addr: obj}, oracle.Event{Op: oracle.End, Task: task})
		case event.Set:
			out = append(out, oracle.Event{Op: oracle.ReleaseMerge, Task: task, Addr: obj})
		case event.FinishEnd, event.Get:
			out = append(out, oracle.Event{Op: oracle.Acquire, Task: task, Addr: obj})
		case event.Lock:
			out = append(out, oracle.Event{Op: oracle.Lock, Task: task, Addr: lock, Shared: e.Shared})
		case event.Unlock:
			out = append(out, oracle.Event{Op: oracle.Unlock, Task: task, Addr: lock, Shared: e.Shared})
		case event.Access:
			out = append(out, oracle.Event{Op: oracle.Access, Task: task, Addr: uintptr(e.Addr), N: uintptr(e.Size), Kind: parallel.Kind(e.Kind), Site: uintptr(e.Site)})
		}
	}
	return out
}

// bytesOfOracle returns the bytes that race in the structural order and in
// happens-before.
func bytesOfOracle(trace []oracle.Event) (structural, happens map[uint64]bool) {
	structural, happens = map[uint64]bool{}, map[uint64]bool{}
	for _, v := range oracle.Judge(trace, nil, true) {
		for k, s := range v.Spans {
			for b := s.Lo; b < s.Hi; b++ {
				if v.Predicted[k] {
					structural[uint64(b)] = true
				}
				if v.Race[k] {
					happens[uint64(b)] = true
				}
			}
		}
	}
	return structural, happens
}

// rest returns the bytes of want that are not in got. It fails if got is not a subset of
// want.
func rest(t *testing.T, n uint64, name string, got, want map[uint64]bool) map[uint64]bool {
	more := maps.Clone(want)
	for b := range got {
		if !want[b] {
			t.Fatalf("program %d: %s names byte %#x, which does not race", n, name, b)
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

// bytesOf returns the bytes that a detector names: in the depth-first trace if the
// detector is serial, otherwise in the other trace.
func bytesOf(t *testing.T, c Choice, serial, mixed []event.Event) map[uint64]bool {
	option := maps.Clone(c.Option)
	if c.Spec.Name == "espbags" {
		option = map[string]string{"repeat": "yes"}
	}
	trace := mixed
	if c.Spec.Serial {
		trace = serial
	}
	return detectortest.Run(t, c.Spec, option, trace).Bytes
}

func span(bytes map[uint64]bool) string {
	var b strings.Builder
	for _, x := range slices.Sorted(maps.Keys(bytes)) {
		fmt.Fprintf(&b, " %x", x&0xfff)
	}
	return b.String()
}
