package graph_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/event/eventtest"
	"taskinstr/detector/offline/differential"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/graph/graphtest"
)

var programs = differential.Flags(1000)

// The graph of a random execution has the races that brute force finds, with every
// feature of programs.
func TestDifferential(t *testing.T) {
	racy := 0
	for s, r := range programs.All(11) {
		f := differential.Features{Finish: true, Sync: s%2 == 0, Promises: s%3 == 0, Isolated: true, Locks: s%5 == 0, Atomics: s%4 == 0, Ranges: true}
		trace := differential.Random(r, 10+r.IntN(50), f).Run(r)
		g, err := graph.Build(trace)
		if err != nil {
			t.Fatal(err)
		}
		got := graphtest.Judgement{Pairs: map[graphtest.Pair]bool{}, Bytes: map[uint64]bool{}}
		err = g.Races(func(x graph.Race) {
			got.Pairs[graphtest.Pair{A: x.First, B: x.Second}] = true
			g.Conflicts(x.First, x.Second, func(x graph.Race) {
				for b := x.Lo; b < x.Hi; b++ {
					got.Bytes[b] = true
				}
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		want := graphtest.Judge(trace)
		if !maps.Equal(got.Pairs, want.Pairs) || !maps.Equal(got.Bytes, want.Bytes) {
			t.Fatalf("seed %d: the graph has the races %v, brute force finds %v", s, got.Pairs, want.Pairs)
		}
		if len(want.Pairs) > 0 {
			racy++
		}
		check(t, g)
	}
	if racy == 0 || racy == *programs.N {
		t.Errorf("%d of %d programs have a race", racy, *programs.N)
	}
}

// check tests the package's promises about graphs.
func check(t *testing.T, g *graph.Graph) {
	t.Helper()
	all := 0
	for n := range int32(len(g.Nodes)) {
		for _, e := range g.Edges(n) {
			all++
			if e.To != n || e.From >= n {
				t.Fatalf("edge %v among those to node %d", e, n)
			}
		}
		x := &g.Nodes[n]
		if x.Next != graph.None && (x.Next <= n || g.Nodes[x.Next].Task != x.Task) {
			t.Fatalf("node %d is followed by %d", n, x.Next)
		}
		if x.Accesses() && (x.Kind == graph.Async || x.Kind == graph.Wait) {
			t.Fatalf("%v node %d has accesses", x.Kind, n)
		}
		for k := range event.Kind(4) {
			end := uint64(0)
			for _, r := range g.Set(n, k) {
				if r.Lo < end || r.Lo >= r.Hi {
					t.Fatalf("node %d: set %v", n, g.Set(n, k))
				}
				end = r.Hi
			}
		}
	}
	for range g.AllEdges() {
		all--
	}
	if all != 0 {
		t.Fatalf("the nodes and the graph differ by %d edges", all)
	}
}

// text renders a graph as one line.
func text(g *graph.Graph) string {
	var s []string
	for n := range int32(len(g.Nodes)) {
		from := ""
		for _, e := range g.Edges(n) {
			from += fmt.Sprintf(" %v %d", e.Kind, e.From)
		}
		s = append(s, fmt.Sprintf("%d %v%s", n, g.Nodes[n].Kind, from))
	}
	return strings.Join(s, "; ")
}

// The program of figure 2 of the Zipper paper in both of its orders.
func TestShape(t *testing.T) {
	trace := eventtest.Trace(t, nil, `
		0 begin 7; 0 fork 1
		0 lock 1; 0 write 8; 0 unlock 1; 0 read 16
		1 lock 1; 1 read 8; 1 unlock 1; 1 end 7
		0 finish 7`)
	g, err := graph.Build(trace)
	if err != nil {
		t.Fatal(err)
	}
	const want = "0 async; 1 isolated continue 0; 2 other continue 1; 3 isolated spawn 0 isolation 1; 4 wait continue 2 join 3"
	if s := text(g); s != want {
		t.Errorf("the graph is\n%s, want\n%s", s, want)
	}
	if g.Nodes[0].Partner != 4 || g.Nodes[4].Partner != 0 || g.Nodes[0].Child != 3 {
		t.Errorf("nodes are %+v", g.Nodes)
	}
}

// Memory that is allocated again has no history; its neighbours keep theirs.
func TestAlloc(t *testing.T) {
	const begin = "0 fork 1; 1 write 4000:200; 0 alloc 4080:32\n" // two pages
	trace := eventtest.Trace(t, nil, begin+"0 read 4070:60")
	var races []event.Race
	d, err := graph.Spec.New(event.Config{Report: func(r event.Race) { races = append(races, r) }})
	if err != nil {
		t.Fatal(err)
	}
	for i := range trace {
		d.Event(&trace[i])
	}
	d.Close()
	if len(races) != 1 || races[0].Addr != 4070 || races[0].Size != 10 {
		t.Fatalf("races %+v, want one of ten bytes at 4070", races)
	}
	trace = eventtest.Trace(t, nil, begin+"0 write 4080:32; 0 fork 2; 2 read 4100:4; 0 write 4096")
	g, err := graph.Build(trace)
	if err != nil {
		t.Fatal(err)
	}
	var found []event.Race
	if err := g.Races(func(r graph.Race) { found = append(found, g.Event(r)) }); err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Addr != 4100 || found[0].Size != 4 {
		t.Fatalf("races %+v, want one of four bytes at 4100", found)
	}
}

// In the graph for all orders of commuting sections, two sections with disjoint accesses
// do not order the nodes around them.
func TestCommuting(t *testing.T) {
	for _, c := range []struct {
		second uint64
		races  int
	}{{8, 0}, {16, 1}} {
		g, err := graph.Build(eventtest.Trace(t, nil, fmt.Sprintf(`
			0 fork 1
			0 write 64; 0 lock 1; 0 write 8; 0 unlock 1
			1 lock 1; 1 write %d; 1 unlock 1; 1 read 64`, c.second)))
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range []*graph.Graph{g, g.Commuting()} {
			races := 0
			if err := g.Races(func(graph.Race) { races++ }); err != nil {
				t.Fatal(err)
			}
			if want := i * c.races; races != want {
				t.Errorf("second section writes %d, commuting %d: %d races, want %d", c.second, i, races, want)
			}
			check(t, g)
		}
	}
}

// A task whose parent is not known follows no node. A task that has ended has no events.
func TestUnknownParent(t *testing.T) {
	g, err := graph.Build(eventtest.Trace(t, nil, "0 write 8; 0 orphan 1; 1 read 8; 1 end; 1 write 8; 5 read 8"))
	if err != nil {
		t.Fatal(err)
	}
	races := 0
	if err := g.Races(func(graph.Race) { races++ }); err != nil {
		t.Fatal(err)
	}
	if races != 2 || g.Outside.Escaped != 2 || len(g.Nodes) != 3 {
		t.Errorf("%d races, outside %+v, nodes %s", races, g.Outside, text(g))
	}
}

func TestClosureTooLarge(t *testing.T) {
	b := graph.NewBuilder()
	for i := range uint32(140_000) {
		b.Event(&event.Event{Op: event.Fork, Other: i + 1})
	}
	g, err := b.Graph()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Closure(); err == nil || !strings.Contains(err.Error(), "zipper") {
		t.Errorf("closure of %d nodes: %v", len(g.Nodes), err)
	}
}
