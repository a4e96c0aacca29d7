package programs

import (
	"math/rand/v2"

	"taskinstr/detector/offline/zipper/orders/model"
)

// A Large program has a graph of about 100,000 nodes in each order. It is run in one
// order.
type Large struct {
	Name, Doc string
	Race      bool
	Run       model.Program
}

// LargeTable lists the large programs.
var LargeTable = []Large{
	{"DoAll1", "a[i] = a[i]+1 in 50,000 tasks", no, doAll1(50_000)},
	{"Antidep1", "a[i] = a[i+1]+1 in 50,000 tasks", yes, antidep1(50_000)},
	{"ReciprocalArraySumFutures", "halves of a sum of 25,000 as futures", no, reciprocalFutures(25_000)},
	{"IntegerCounterIsolated", "40,000 sections in rounds", no, isolatedBlocks(20_000)},
	{"Chain", "each of 30,000 tasks makes the next one", no, chain(30_000)},
	{"Random", "tasks, scopes and sections by chance", no, random(100_000)},
}

// chain nests tasks: each forks the next one and continues.
func chain(n int) model.Program {
	return func(t *model.Task) {
		v := t.Ints(n)
		var link func(t *model.Task, i int)
		link = func(t *model.Task, i int) {
			t.Store(v, i, 1)
			if i+1 < n {
				t.Async(func(t *model.Task) { link(t, i+1) })
			}
			add(t, v, i, 1)
		}
		t.Finish(func() { link(t, 0) })
		t.LoadRange(v, 0, n)
	}
}

// random has about the given number of nodes. Each task reads values set at the
// beginning, writes elements of its own, and adds to counters in sections.
func random(nodes int) model.Program {
	const shared, depth = 64, 12
	return func(t *model.Task) {
		r := rand.New(rand.NewPCG(uint64(nodes), 1))
		in, counters, own := t.Ints(shared), t.Ints(shared), t.Ints(nodes)
		t.StoreRange(in, 0, zeros(shared))
		t.StoreRange(counters, 0, zeros(shared))
		left := nodes
		var body func(t *model.Task, depth int)
		body = func(t *model.Task, depth int) {
			left--
			mine := max(left, 0)
			for k := 2 + r.IntN(8); k > 0 && left > 0; k-- {
				t.Store(own, mine, t.Load(in, r.IntN(shared)))
				left--
				switch c := r.IntN(4); {
				case c < 2 && depth > 0:
					t.Async(func(t *model.Task) { body(t, depth-1) })
				case c == 2 && depth > 0:
					t.Finish(func() { body(t, depth-1) })
				default:
					i := r.IntN(shared)
					t.Isolated(func() { add(t, counters, i, 1) })
				}
			}
		}
		for left > 0 {
			t.Finish(func() { body(t, depth) })
		}
		t.LoadRange(counters, 0, shared)
	}
}
