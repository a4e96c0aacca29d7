package zipper_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
	"taskinstr/detector/offline/detectortest"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/graph/graphtest"
	"taskinstr/detector/offline/zipper"
)

var (
	programs = flag.Int("programs", 1000, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

func build(t *testing.T, trace []event.Event) *graph.Graph {
	t.Helper()
	g, err := graph.Build(trace)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random returns the execution of a random program. In every second program tasks wait
// for their children; the others have finish scopes only. The order of sections varies.
func random(i uint64) (*rand.Rand, []event.Event) {
	r := rand.New(rand.NewPCG(*seed+i, 13))
	f := differential.Features{Finish: i%4 < 3, Sync: i%2 == 0, Isolated: true, Atomics: i%8 == 7, Ranges: i%3 > 0}
	return r, differential.Random(r, 10+r.IntN(60), f).Run(r)
}

// Zipper, the graph and brute force agree on random executions: on parallel nodes, on
// racing pairs of nodes and on racing bytes.
func TestDifferential(t *testing.T) {
	racy, ordered := 0, 0
	for i := range uint64(*programs) {
		_, trace := random(i)
		g := build(t, trace)
		want := graphtest.Judge(trace)
		for _, analysis := range []struct {
			name string
			run  func(func(graph.Race)) error
			all  bool
		}{
			{"graph", g.Races, true},
			{"pairs", func(f func(graph.Race)) error { return zipper.Races(g, zipper.ByPairs, f) }, true},
			{"index", func(f func(graph.Race)) error { return zipper.Races(g, zipper.ByIndex, f) }, false},
		} {
			pairs, bytes := map[graphtest.Pair]bool{}, map[uint64]bool{}
			err := analysis.run(func(r graph.Race) {
				pairs[graphtest.Pair{A: r.First, B: r.Second}] = true
				if !want.Pairs[graphtest.Pair{A: r.First, B: r.Second}] {
					t.Fatalf("seed %d: %s: nodes %d and %d do not race", *seed+i, analysis.name, r.First, r.Second)
				}
				add := func(r graph.Race) {
					for b := r.Lo; b < r.Hi; b++ {
						bytes[b] = true
					}
				}
				if add(r); analysis.all {
					g.Conflicts(r.First, r.Second, add)
				}
			})
			if err != nil {
				t.Fatalf("seed %d: %s: %v", *seed+i, analysis.name, err)
			}
			if analysis.all && !maps.Equal(pairs, want.Pairs) {
				t.Fatalf("seed %d: %s finds the pairs %v, brute force %v", *seed+i, analysis.name, pairs, want.Pairs)
			}
			if !maps.Equal(bytes, want.Bytes) {
				t.Fatalf("seed %d: %s finds races of the bytes %v, brute force of %v", *seed+i, analysis.name, bytes, want.Bytes)
			}
		}
		if len(want.Pairs) > 0 {
			racy++
		}
		if len(want.Bytes) < len(differential.Judge(trace).Words) {
			ordered++
		}
	}
	if racy == 0 || racy == *programs || ordered == 0 {
		t.Errorf("%d of %d programs have a race, in %d the order of sections hides one", racy, *programs, ordered)
	}
}

// agrees compares the order of a graph with its closure.
func agrees(t *testing.T, name any, o *zipper.Order, g *graph.Graph) {
	t.Helper()
	c, err := g.Closure()
	if err != nil {
		t.Fatal(err)
	}
	for b := range int32(len(g.Nodes)) {
		for a := range b {
			if got, want := o.Parallel(a, b), c.Parallel(a, b); got != want || o.Parallel(b, a) != want {
				t.Fatalf("%v: nodes %d and %d: parallel is %v", name, a, b, got)
			}
		}
	}
}

// The order and the closure agree on each pair of nodes.
func TestOrder(t *testing.T) {
	var o zipper.Order
	for i := range uint64(min(*programs, 5000)) {
		_, trace := random(i)
		g := build(t, trace)
		if err := o.Reset(g); err != nil {
			t.Fatal(err)
		}
		agrees(t, *seed+i, &o, g)
	}
}

// A random program with promises and several locks is refused, or its order is right.
func TestModel(t *testing.T) {
	in, out := 0, 0
	for i := range uint64(*programs) {
		r := rand.New(rand.NewPCG(*seed+i, 19))
		f := differential.Features{Finish: true, Sync: i%2 == 0, Promises: i%3 == 0, Isolated: true, Locks: i%3 == 1, Ranges: true}
		g := build(t, differential.Random(r, 4+r.IntN(20), f).Run(r))
		var o zipper.Order
		if o.Reset(g) != nil {
			out++
			continue
		}
		if x := g.Outside; x.Promises+x.Locks > 0 {
			in++
		}
		agrees(t, *seed+i, &o, g)
	}
	if in == 0 || out == 0 {
		t.Errorf("%d programs with promises or several locks are in the model, %d are not", in, out)
	}
}

// The ends of a section order it if its task forks inside it. The section does not order
// the nodes that are parallel inside it.
func TestForkInSection(t *testing.T) {
	trace := eventtest.Trace(t, nil, `
		0 begin 8; 0 fork 1
		0 lock 1
		0 begin 9; 0 fork 2; 2 write 16
		0 write 16 // races with task 2
		2 end 9; 0 finish 9
		0 fork 3; 0 write 24
		0 unlock 1
		1 lock 1; 1 write 24; 1 unlock 1; 1 write 32
		3 write 32 // races with task 1
		1 end 8; 3 end 8; 0 finish 8`)
	g := build(t, trace)
	want := graphtest.Judge(trace)
	if len(want.Pairs) != 2 {
		t.Fatalf("brute force finds %v", want.Pairs)
	}
	for _, m := range []zipper.Method{zipper.ByPairs, zipper.ByIndex} {
		pairs := map[graphtest.Pair]bool{}
		if err := zipper.Races(g, m, func(r graph.Race) { pairs[graphtest.Pair{A: r.First, B: r.Second}] = true }); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(pairs, want.Pairs) {
			t.Errorf("%s finds %v, brute force %v", m, pairs, want.Pairs)
		}
	}
}

// The error for a feature outside of the series-parallel order names it, unless the
// feature adds no order.
func TestOutside(t *testing.T) {
	section := func(task, lock int, mode string) string {
		return fmt.Sprintf("%[1]d %[3]slock %[2]d; %[1]d write 8; %[1]d %[4]slock %[2]d\n", task, lock, mode, map[string]string{"": "un", "r": "run"}[mode])
	}
	const fork = "0 fork 1\n"
	for _, c := range []struct {
		err   string // "": in the model
		trace string
	}{
		{"promises", fork + "0 write 16; 0 set 9; 1 get 9"},
		{"", fork + "0 set 9; 1 get 9"},
		{"", "0 set 9; 0 get 9\n" + fork + "1 get 9"},
		{"shared", fork + section(0, 1, "") + section(1, 1, "r")},
		{"", section(0, 1, "r") + section(0, 1, "") + fork},
		{"", fork + section(0, 1, "r") + section(1, 1, "r")},
		{"locks", fork + section(0, 1, "") + section(1, 1, "") + section(0, 2, "") + section(1, 2, "")},
		{"", section(0, 2, "") + section(0, 2, "") + fork + section(0, 1, "") + section(1, 1, "") + section(0, 2, "")},
		{"nest", "0 begin 5; 0 begin 6; 0 finish 5"},
	} {
		trace := eventtest.Trace(t, nil, c.trace)
		g := build(t, trace)
		var o zipper.Order
		err := o.Reset(g)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%v: %v, want an error that names %s", c.trace, err, c.err)
		case c.err == "" && err != nil:
			t.Errorf("%v: %v", c.trace, err)
		case c.err == "":
			agrees(t, trace, &o, g)
		}
	}
	if _, err := zipper.Spec.New(event.Config{Option: map[string]string{"method": "best"}}); err == nil {
		t.Error("the detector has a method best")
	}
}

// The detectors report the races of the analyses through the common interface.
func TestDetectors(t *testing.T) {
	for i := range uint64(200) {
		_, trace := random(i)
		found := map[string]bool{}
		for _, c := range []struct {
			spec   event.Spec
			method string
		}{{graph.Spec, ""}, {zipper.Spec, "pairs"}, {zipper.Spec, ""}, {zipper.Spec, "index"}} {
			got := detectortest.Run(t, c.spec, map[string]string{"method": c.method}, trace)
			if got.Counters["nodes"] == 0 {
				t.Fatalf("seed %d: %s: %v", *seed+i, c.spec.Name, got.Counters)
			}
			if len(got.Pairs) > 0 {
				found[c.spec.Name+c.method] = true
			}
		}
		if len(found) != 0 && len(found) != 4 {
			t.Fatalf("seed %d: only %v found a race", *seed+i, found)
		}
	}
}
