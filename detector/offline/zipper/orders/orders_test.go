package orders_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
	"taskinstr/detector/offline/zipper"
	"taskinstr/detector/offline/zipper/orders"
	"taskinstr/detector/offline/zipper/orders/model"
)

var (
	programs = flag.Int("programs", 500, "how many random programs")
	seed     = flag.Uint64("seed", 1, "of the first")
)

func explore(t *testing.T, what any, p model.Program, c orders.Config) orders.Result {
	t.Helper()
	r, err := orders.Explore(model.Runner(p, nil), c)
	if err != nil {
		t.Fatalf("%v: %v", what, err)
	}
	return r
}

// figure2 is the program of figure 2 of the paper on Zipper. With early set, a read
// precedes main's section.
func figure2(early bool) model.Program {
	return func(t *model.Task) {
		x, a := t.Ints(1), t.Ints(1)
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Isolated(func() {
					if t.Load(a, 0) == 0 {
						t.Store(x, 0, 1)
					}
				})
			})
			if early {
				t.Load(x, 0)
			}
			t.Isolated(func() { t.Store(a, 0, 1) })
			t.Load(x, 0)
		})
	}
}

// ESP-bags reports a race of x in figure 2. There is none, because x is written only if
// the child's section comes first. A read before main's section does race.
func TestFigure2(t *testing.T) {
	for _, all := range []bool{false, true} {
		r := explore(t, "figure 2", figure2(false), orders.Config{All: all})
		if r.Race != nil || r.Orders != 2 || !r.Complete {
			t.Errorf("all %v: %v", all, r)
		}
		if s := r.String(); s != "no race in any order: proof for this input (2 orders)" {
			t.Errorf("the verdict is %q", s)
		}
		r = explore(t, "figure 2", figure2(true), orders.Config{All: all})
		if r.Race == nil || r.Race.Choices[0] != "main.1" {
			t.Errorf("all %v, with an early read: %v", all, r)
		}
	}
	r := explore(t, "figure 2", figure2(false), orders.Config{Limit: 1})
	if r.Complete || !strings.Contains(r.String(), "not all") {
		t.Errorf("one run: %v", r)
	}
}

// A race with a task inside a section occurs only if that section comes last.
func TestTaskInSection(t *testing.T) {
	p := func(t *model.Task) {
		v := t.Ints(2)
		t.Finish(func() {
			t.Async(func(t *model.Task) {
				t.Isolated(func() { t.Finish(func() { t.Async(func(t *model.Task) { t.Store(v, 0, 1) }) }) })
			})
			t.Isolated(func() { t.Store(v, 1, 1) })
			t.Load(v, 0)
		})
	}
	for _, all := range []bool{false, true} {
		r := explore(t, "a task in a section", p, orders.Config{All: all})
		if r.Race == nil || !slices.Equal(r.Race.Choices, []string{"main", "main.1"}) {
			t.Errorf("all %v: %v", all, r)
		}
	}
}

// counters runs n tasks, each of which increments one of k counters.
func counters(n, k int) model.Program {
	return func(t *model.Task) {
		c := t.Ints(k)
		t.Finish(func() {
			for i := range n {
				t.Async(func(t *model.Task) {
					t.Isolated(func() { t.Store(c, i%k, t.Load(c, i%k)+1) })
				})
			}
		})
	}
}

// Sections that commute are run in one order, other sections in every order.
func TestReduction(t *testing.T) {
	for _, c := range []struct{ tasks, counters, orders int }{
		{5, 1, 120}, {6, 6, 1}, {6, 3, 8}, {6, 2, 36},
	} {
		r := explore(t, "counters", counters(c.tasks, c.counters), orders.Config{})
		if r.Race != nil || r.Orders != c.orders {
			t.Errorf("%d tasks, %d counters: %v, want %d orders", c.tasks, c.counters, r, c.orders)
		}
	}
	if r := explore(t, "counters", counters(5, 5), orders.Config{All: true}); r.Orders != 120 {
		t.Errorf("all orders of five sections: %v", r)
	}
}

// If the program fails in some order, the error names the order.
func TestFailure(t *testing.T) {
	run := model.Runner(figure2(false), nil)
	if _, err := run([]string{"main.7"}); err == nil || !strings.Contains(err.Error(), "main.7") {
		t.Errorf("the run of a task that does not exist: %v", err)
	}
	_, err := orders.Explore(func(c []string) (orders.Execution, error) {
		if len(c) > 0 {
			return orders.Execution{}, fmt.Errorf("disk on fire")
		}
		return run(c)
	}, orders.Config{})
	if err == nil || !strings.Contains(err.Error(), "fire") {
		t.Errorf("exploring a program that fails: %v", err)
	}
}

// generator makes random programs whose control flow depends on data.
type generator struct {
	r    *rand.Rand
	left int
}

const variables = 3

type statement func(t *model.Task, v *model.Ints)

func (g *generator) block(n, depth int, isolated bool) statement {
	var list []statement
	for ; n > 0 && g.left > 0; n-- {
		g.left--
		list = append(list, g.statement(depth, isolated))
	}
	return func(t *model.Task, v *model.Ints) {
		for _, s := range list {
			s(t, v)
		}
	}
}

func (g *generator) statement(depth int, isolated bool) statement {
	i, x := g.r.IntN(variables), 1+g.r.IntN(2)
	switch k := g.r.IntN(10); {
	case k < 3 && depth > 0 && !isolated:
		body := g.block(1+g.r.IntN(3), depth-1, false)
		return func(t *model.Task, v *model.Ints) { t.Async(func(t *model.Task) { body(t, v) }) }
	case k == 3 && depth > 0:
		body := g.block(1+g.r.IntN(2), depth-1, isolated)
		if isolated && g.r.IntN(2) == 0 { // a task inside a section
			return func(t *model.Task, v *model.Ints) {
				t.Finish(func() { t.Async(func(t *model.Task) { body(t, v) }) })
			}
		}
		return func(t *model.Task, v *model.Ints) { t.Finish(func() { body(t, v) }) }
	case k < 7 && !isolated:
		body := g.block(1+g.r.IntN(2), depth, true)
		return func(t *model.Task, v *model.Ints) { t.Isolated(func() { body(t, v) }) }
	case k == 7:
		body := g.block(1, depth, isolated)
		return func(t *model.Task, v *model.Ints) {
			if t.Load(v, i) != x {
				body(t, v)
			}
		}
	case k == 8:
		return func(t *model.Task, v *model.Ints) { t.Load(v, i) }
	}
	return func(t *model.Task, v *model.Ints) { t.Store(v, i, x) }
}

func random(r *rand.Rand, size int) model.Program {
	g := &generator{r, size}
	body := g.block(2+size/3, 3, false)
	return func(t *model.Task) {
		v := t.Ints(variables)
		t.Finish(func() { body(t, v) })
	}
}

// class names the equivalence class of an execution: the graph with edges between
// conflicting sections, its nodes named by task and rank.
func class(x *orders.Execution, g *graph.Graph) string {
	names := map[uint32]string{0: "m"} // task numbers depend on the schedule
	children := map[uint32]int{}
	for _, e := range x.Trace {
		if e.Op == event.Fork {
			children[e.Task]++
			names[e.Other] = fmt.Sprintf("%s.%d", names[e.Task], children[e.Task])
		}
	}
	rank := map[uint32]int{}
	node := make([]string, len(g.Nodes))
	for n := range g.Nodes {
		t := g.Nodes[n].Task
		rank[t]++
		node[n] = fmt.Sprintf("%s/%d", names[t], rank[t])
	}
	c := g.Commuting()
	var lines []string
	for n := range int32(len(c.Nodes)) {
		for k := range event.Kind(2) {
			for _, s := range c.Set(n, k) {
				lines = append(lines, fmt.Sprint(node[n], k, s.Lo, s.Hi))
			}
		}
		for _, e := range c.Edges(n) {
			lines = append(lines, fmt.Sprint(node[e.From], e.Kind, node[n]))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// interleavings runs a program in all interleavings of single events and reports whether
// two conflicting accesses are neighbours in one of them: the definition of a race
// without any theory. It gives up after limit runs.
func interleavings(t *testing.T, p model.Program, limit int) (racy, complete bool) {
	type choice struct{ made, of int }
	var path []choice
	for range limit {
		at := 0
		trace, err := model.Interleave(p, func(n int) int {
			if at == len(path) {
				path = append(path, choice{0, n})
			}
			at++
			return path[at-1].made
		})
		if err != nil {
			t.Fatal(err)
		}
		// The end of a task follows its last event at once and establishes no order by
		// itself.
		trace = slices.DeleteFunc(trace, func(e event.Event) bool { return e.Op == event.End })
		for i := 1; i < len(trace); i++ {
			a, b := &trace[i-1], &trace[i]
			if a.Op == event.Access && b.Op == event.Access && a.Task != b.Task && a.Addr == b.Addr && a.Kind.Conflicts(b.Kind) {
				return true, true
			}
		}
		for len(path) > 0 && path[len(path)-1].made+1 == path[len(path)-1].of {
			path = path[:len(path)-1]
		}
		if len(path) == 0 {
			return false, true
		}
		path[len(path)-1].made++
	}
	return false, false
}

// On random programs whose control flow depends on data, the exploration of one order of
// each class, the exploration of all orders, and all interleavings have the same verdict,
// and every class is run.
func TestDifferential(t *testing.T) {
	const maxRuns = 20_000
	racy, free, confirmed, reduced := 0, 0, 0, 0
	for i := range uint64(*programs) {
		p := random(rand.New(rand.NewPCG(*seed+i, 17)), 6+int(i%12))
		classes, seen := map[string]bool{}, map[string]bool{}
		note := func(m map[string]bool) func(*orders.Execution, *graph.Graph) {
			return func(x *orders.Execution, g *graph.Graph) { m[class(x, g)] = true }
		}
		all := explore(t, *seed+i, p, orders.Config{All: true, Limit: maxRuns, Graph: note(classes)})
		if !all.Complete {
			continue
		}
		naive := func(g *graph.Graph, report func(graph.Race)) error { return g.Races(report) }
		if r := explore(t, *seed+i, p, orders.Config{All: true, Analysis: naive}); (r.Race != nil) != (all.Race != nil) || r.Orders != all.Orders {
			t.Fatalf("seed %d: zipper: %v, graph: %v", *seed+i, all, r)
		}
		index := func(g *graph.Graph, report func(graph.Race)) error {
			return zipper.Races(g, zipper.ByIndex, report)
		}
		one := explore(t, *seed+i, p, orders.Config{Graph: note(seen), Analysis: index})
		if (one.Race != nil) != (all.Race != nil) {
			t.Fatalf("seed %d: one order of each class: %v, all orders: %v", *seed+i, one, all)
		}
		if one.Race == nil {
			if len(seen) != len(classes) || one.Orders != len(seen) {
				t.Fatalf("seed %d: %d orders of %d classes were run, there are %d", *seed+i, one.Orders, len(seen), len(classes))
			}
			if one.Orders < all.Orders {
				reduced++
			}
		}
		if want, complete := interleavings(t, p, maxRuns); complete {
			confirmed++
			if want != (all.Race != nil) {
				t.Fatalf("seed %d: %v, but an interleaving with a race: %v", *seed+i, all, want)
			}
		}
		if all.Race != nil {
			racy++
		} else {
			free++
		}
	}
	t.Logf("%d programs have a race, %d have none; %d verdicts agree with all interleavings; in %d orders were left out", racy, free, confirmed, reduced)
	if racy == 0 || free == 0 || confirmed < *programs/4 || reduced == 0 {
		t.Error("the programs are too much alike")
	}
}
