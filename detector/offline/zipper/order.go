package zipper

import (
	"fmt"
	"math"
	"slices"

	"taskinstr/detector/offline/graph"
)

// noSection is the up slider of a node with no section after it. The down slider of a
// node with no section before it is -1.
const noSection = math.MaxInt32

// An Order decides which nodes of a graph are parallel. Reset computes it.
type Order struct {
	g     *graph.Graph
	nodes []place
	stack []fork // stack and bag are the memory of walk, kept for its next call
	bag   bag
}

// A place holds a node's position in the order.
type place struct {
	childFirst int32 // its number in the traversal that takes the child of a fork first
	childLast  int32 // its number in the traversal that takes the child of a fork last
	down, up   int32 // sliders
}

// Reset computes the order of a graph, in the memory of the previous one. It returns an
// error if the graph is outside of the model.
func (o *Order) Reset(g *graph.Graph) error {
	if n := g.Outside.Escaped; n > 0 {
		return outside(n, "tasks or scopes do not nest")
	}
	o.g = g
	o.nodes = slices.Grow(o.nodes[:0], len(g.Nodes))[:len(g.Nodes)]
	for n := range o.nodes {
		o.nodes[n].down, o.nodes[n].up = -1, noSection
	}
	o.number()
	lock, err := o.isolation()
	if err == nil && len(g.Sections) > 0 {
		o.slide(lock)
	}
	return err
}

// isolation returns the lock whose sections the order of tasks leaves unordered. Other
// locks, and promises, are in the model only if they add nothing to that order.
func (o *Order) isolation() (lock uint64, err error) {
	g := o.g
	if g.Outside.Promises > 0 {
		open := 0
		for e := range g.AllEdges() {
			if e.Kind == graph.Promise && o.Branches(e.From, e.To) {
				open++
			}
		}
		if open > 0 {
			return 0, outside(open, "promises order parallel tasks")
		}
	}
	if len(g.Sections) == 0 {
		return 0, nil
	}
	if g.Outside.Locks == 0 && g.Outside.Shared == 0 {
		return g.Sections[0].Lock, nil
	}
	locks := map[uint64]bool{}
	for _, s := range g.Sections {
		for _, e := range g.Edges(s.First) {
			if e.Kind == graph.Isolation && o.Branches(e.From, e.To) {
				lock = s.Lock
				locks[lock] = true
			}
		}
	}
	if len(locks) > 1 {
		return 0, outside(len(locks), "locks order parallel tasks, not one")
	}
	shared := 0
	for _, s := range g.Sections {
		if s.Shared && locks[s.Lock] {
			shared++
		}
	}
	if shared > 0 {
		return 0, outside(shared, "shared sections")
	}
	return lock, nil
}

func outside(n int, what string) error {
	return fmt.Errorf("zipper: %d %s in the execution: use the graph detector", n, what)
}

// slide computes the sliders for the sections of a lock: down sliders along the edges of
// tasks, up sliders against them. Edges lead to greater numbers, so that one pass in the
// order of numbers and one in the reverse order suffice.
func (o *Order) slide(lock uint64) {
	g := o.g
	for i, s := range g.Sections {
		if s.Lock != lock {
			continue
		}
		o.nodes[s.First].down = int32(i)
		if s.Last != graph.None {
			o.nodes[s.Last].up = min(o.nodes[s.Last].up, int32(i)) // one node may end several sections
		}
	}
	for n := range o.nodes {
		for _, e := range g.Edges(int32(n)) {
			if e.Kind != graph.Isolation && e.Kind != graph.Promise {
				o.nodes[n].down = max(o.nodes[n].down, o.nodes[e.From].down)
			}
		}
	}
	for n := len(o.nodes) - 1; n >= 0; n-- {
		for _, e := range g.Edges(int32(n)) {
			if e.Kind != graph.Isolation && e.Kind != graph.Promise {
				o.nodes[e.From].up = min(o.nodes[e.From].up, o.nodes[n].up)
			}
		}
	}
}

// number numbers the nodes in both orders of traversal.
func (o *Order) number() {
	i := int32(0)
	o.walk(true, func(n, _ int32, _ bag) { o.nodes[n].childFirst = i; i++ })
	i = 0
	o.walk(false, func(n, _ int32, _ bag) { o.nodes[n].childLast = i; i++ })
}

// Branches reports whether a and b lie in parallel branches: no path without isolation
// edges connects them.
func (o *Order) Branches(a, b int32) bool {
	x, y := &o.nodes[a], &o.nodes[b]
	return (x.childFirst < y.childFirst) != (x.childLast < y.childLast)
}

// Parallel reports whether no path leads from a to b or from b to a.
func (o *Order) Parallel(a, b int32) bool {
	x, y := &o.nodes[a], &o.nodes[b]
	return (x.childFirst < y.childFirst) != (x.childLast < y.childLast) && x.up >= y.down && y.up >= x.down
}
