package zipper_test

import (
	"flag"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"taskinstr/detector/event"
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
	op := func(o event.Op, task uint32, obj uint64, other uint32) event.Event {
		return event.Event{Op: o, Task: task, Obj: obj, Other: other}
	}
	trace := []event.Event{
		op(event.FinishBegin, 0, 8, 0), op(event.Fork, 0, 0, 1),
		op(event.Lock, 0, 1, 0),
		op(event.FinishBegin, 0, 9, 0),
		op(event.Fork, 0, 0, 2), access(2, 16),
		access(0, 16), // races with task 2
		op(event.End, 2, 9, 0), op(event.FinishEnd, 0, 9, 0),
		op(event.Fork, 0, 0, 3),
		access(0, 24),
		op(event.Unlock, 0, 1, 0),
		op(event.Lock, 1, 1, 0), access(1, 24), op(event.Unlock, 1, 1, 0), access(1, 32),
		access(3, 32), // races with task 1
		op(event.End, 1, 8, 0), op(event.End, 3, 8, 0), op(event.FinishEnd, 0, 8, 0),
	}
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

func access(task uint32, addr uint64) event.Event {
	return event.Event{Op: event.Access, Task: task, Kind: event.Write, Addr: addr, Size: 8}
}

// The error for a feature outside of the series-parallel order names it, unless the
// feature adds no order.
func TestOutside(t *testing.T) {
	fork := event.Event{Op: event.Fork, Other: 1}
	set, get := event.Event{Op: event.Set, Obj: 9}, event.Event{Op: event.Get, Obj: 9}
	section := func(task uint32, obj uint64, shared bool) []event.Event {
		return []event.Event{
			{Op: event.Lock, Task: task, Obj: obj, Shared: shared}, access(task, 8),
			{Op: event.Unlock, Task: task, Obj: obj, Shared: shared},
		}
	}
	trace := func(parts ...any) (list []event.Event) {
		for _, p := range parts {
			switch p := p.(type) {
			case event.Event:
				list = append(list, p)
			case []event.Event:
				list = append(list, p...)
			}
		}
		return list
	}
	get1 := get
	get1.Task = 1
	for _, c := range []struct {
		err   string // "": in the model
		trace []event.Event
	}{
		{"promises", trace(fork, access(0, 16), set, get1)},
		{"", trace(fork, set, get1)},
		{"", trace(set, get, fork, get1)},
		{"shared", trace(fork, section(0, 1, false), section(1, 1, true))},
		{"", trace(section(0, 1, true), section(0, 1, false), fork)},
		{"", trace(fork, section(0, 1, true), section(1, 1, true))},
		{"locks", trace(fork, section(0, 1, false), section(1, 1, false), section(0, 2, false), section(1, 2, false))},
		{"", trace(section(0, 2, false), section(0, 2, false), fork, section(0, 1, false), section(1, 1, false), section(0, 2, false))},
		{"nest", []event.Event{{Op: event.FinishBegin, Obj: 5}, {Op: event.FinishBegin, Obj: 6}, {Op: event.FinishEnd, Obj: 5}}},
	} {
		g := build(t, c.trace)
		var o zipper.Order
		err := o.Reset(g)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%v: %v, want an error that names %s", c.trace, err, c.err)
		case c.err == "" && err != nil:
			t.Errorf("%v: %v", c.trace, err)
		case c.err == "":
			agrees(t, c.trace, &o, g)
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
			d, err := c.spec.New(event.Config{
				Report: func(r event.Race) { found[c.spec.Name+c.method] = true },
				Option: map[string]string{"method": c.method},
			})
			if err != nil {
				t.Fatal(err)
			}
			for i := range trace {
				d.Event(&trace[i])
			}
			if counters := d.Close(); counters[0].Name != "nodes" || counters[0].Value == 0 {
				t.Fatalf("seed %d: %s: %v", *seed+i, c.spec.Name, counters)
			}
		}
		if len(found) != 0 && len(found) != 4 {
			t.Fatalf("seed %d: only %v found a race", *seed+i, found)
		}
	}
}
