package graph

import (
	"fmt"
	"slices"

	"taskinstr/detector/event"
)

// A Closure tells for each pair of nodes whether a path connects them.
type Closure struct {
	row  []int    // the index in bits of each node's row
	bits []uint64 // bit m of row n is set if node m precedes node n
}

// maxClosure is the maximum size of a closure in bytes.
const maxClosure = 1 << 30

// Closure computes the transitive closure: for each node the set of all nodes that
// precede it, as the union of the sets of its direct predecessors. The time is the number
// of edges times the number of nodes over 64.
func (g *Graph) Closure() (*Closure, error) {
	c := new(Closure)
	return c, c.Reset(g)
}

// Reset computes the closure of another graph in the same memory.
func (c *Closure) Reset(g *Graph) error {
	c.row = slices.Grow(c.row[:0], len(g.Nodes)+1)
	size := 0
	for n := range g.Nodes {
		c.row = append(c.row, size)
		size += n/64 + 1
	}
	c.row = append(c.row, size)
	if size > maxClosure/8 {
		return fmt.Errorf("graph: the closure of %d nodes takes %d MB, more than %d: use the zipper detector", len(g.Nodes), size>>17, maxClosure>>20)
	}
	c.bits = slices.Grow(c.bits[:0], size)[:size]
	clear(c.bits)
	for n := range g.Nodes {
		own := c.of(int32(n))
		for _, e := range g.Edges(int32(n)) {
			for i, w := range c.of(e.From) {
				own[i] |= w
			}
			own[e.From/64] |= 1 << (e.From % 64)
		}
	}
	return nil
}

func (c *Closure) of(n int32) []uint64 { return c.bits[c.row[n]:c.row[n+1]] }

// Precedes reports whether a path leads from a to b.
func (c *Closure) Precedes(a, b int32) bool {
	return a < b && c.bits[c.row[b]+int(a/64)]>>(a%64)&1 != 0
}

// Parallel reports whether no path connects a and b.
func (c *Closure) Parallel(a, b int32) bool {
	return a != b && !c.Precedes(min(a, b), max(a, b))
}

// A Race is a pair of parallel nodes, the smaller number first, with a pair of their
// accesses that conflict in the bytes [Lo, Hi).
type Race struct {
	First, Second int32
	Kinds         [2]event.Kind
	Access        [2]Interval
	Lo, Hi        uint64
}

// Races examines each pair of nodes and calls report for each pair that races.
func (g *Graph) Races(report func(Race)) error {
	return new(Closure).Races(g, report)
}

// Races is [Graph.Races] in the memory of c.
func (c *Closure) Races(g *Graph, report func(Race)) error {
	if err := c.Reset(g); err != nil {
		return err
	}
	for b := range int32(len(g.Nodes)) {
		if g.Nodes[b].kinds == 0 {
			continue
		}
		row := c.of(b)
		for a := range b {
			if row[a/64]>>(a%64)&1 == 0 {
				if r, ok := g.Conflict(a, b); ok {
					report(r)
				}
			}
		}
	}
	return nil
}

// conflicting[k] has the bits of the kinds that conflict with kind k.
var conflicting = func() (m [4]uint8) {
	for k := range event.Kind(4) {
		for l := range event.Kind(4) {
			if k.Conflicts(l) {
				m[k] |= 1 << l
			}
		}
	}
	return m
}()

// Conflict returns a pair of conflicting accesses of two nodes, a < b. It is a race if
// the nodes are parallel.
func (g *Graph) Conflict(a, b int32) (Race, bool) {
	x, y := &g.Nodes[a], &g.Nodes[b]
	if x.hi <= y.lo || y.hi <= x.lo {
		return Race{}, false
	}
	for k := event.Kind(0); k < 4; k++ {
		if x.kinds>>k&1 == 0 || conflicting[k]&y.kinds == 0 {
			continue
		}
		for l := event.Kind(0); l < 4; l++ {
			if conflicting[k]>>l&1 == 0 {
				continue
			}
			s, t := g.Set(a, k), g.Set(b, l)
			if i, j, ok := overlap(s, t); ok {
				return NewRace(a, b, k, l, s[i], t[j]), true
			}
		}
	}
	return Race{}, false
}

// NewRace returns the race of two accesses that share bytes.
func NewRace(a, b int32, k, l event.Kind, s, t Interval) Race {
	return Race{a, b, [2]event.Kind{k, l}, [2]Interval{s, t}, max(s.Lo, t.Lo), min(s.Hi, t.Hi)}
}

// Conflicts calls yield for each pair of intervals of two nodes that conflict.
func (g *Graph) Conflicts(a, b int32, yield func(Race)) {
	for k := event.Kind(0); k < 4; k++ {
		for l := event.Kind(0); l < 4; l++ {
			if !k.Conflicts(l) {
				continue
			}
			s, t := g.Set(a, k), g.Set(b, l)
			for i, j := 0, 0; i < len(s) && j < len(t); {
				if max(s[i].Lo, t[j].Lo) < min(s[i].Hi, t[j].Hi) {
					yield(NewRace(a, b, k, l, s[i], t[j]))
				}
				if s[i].Hi < t[j].Hi {
					i++
				} else {
					j++
				}
			}
		}
	}
}

// Event returns the race in the form in which detectors report it.
func (g *Graph) Event(r Race) event.Race {
	party := func(i int, n int32) event.Party {
		return event.Party{Task: g.Nodes[n].Task, Kind: r.Kinds[i], Site: r.Access[i].Site, Stack: r.Access[i].Stack}
	}
	return event.Race{
		Tier:  event.TierRace,
		First: party(0, r.First), Second: party(1, r.Second),
		Addr: g.Address(r.Lo), Size: r.Hi - r.Lo,
	}
}
