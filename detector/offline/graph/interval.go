package graph

import (
	"cmp"
	"slices"

	"taskinstr/detector/event"
)

// An Interval is a run of bytes [Lo, Hi) that a node accesses in one way, with the place
// of one access that covers them. Bytes are identified by names: their addresses, except
// in memory that was allocated after it had been accessed (see Graph.Address).
type Interval struct {
	Lo, Hi      uint64
	Site, Stack uint32
}

// A span is a part of Graph.intervals.
type span struct{ from, to int32 }

// An accumulator collects the accesses of one node. The zero value is empty.
type accumulator struct {
	recs  [4][]Interval
	limit [4]int // the length at which recs is compacted
}

// compactAt is the length at which a list of accesses is first compacted.
const compactAt = 64

func (a *accumulator) add(k event.Kind, r Interval) {
	recs := a.recs[k]
	for i := len(recs) - 1; i >= 0 && i >= len(recs)-4; i-- { // the statements of a loop body alternate
		p := &recs[i]
		if p.Site == r.Site && p.Stack == r.Stack && r.Lo <= p.Hi && p.Lo <= r.Hi {
			p.Lo, p.Hi = min(p.Lo, r.Lo), max(p.Hi, r.Hi)
			return
		}
	}
	recs = append(recs, r)
	if len(recs) >= max(a.limit[k], compactAt) {
		recs = disjoint(recs)
		a.limit[k] = 2 * len(recs)
	}
	a.recs[k] = recs
}

// flush appends the sets to list and returns the list, the position of each set in it,
// and a bit for each set that is not empty. It empties the accumulator.
func (a *accumulator) flush(list []Interval) (_ []Interval, sets [4]span, kinds uint8) {
	for k := range a.recs {
		sets[k].from = int32(len(list))
		if len(a.recs[k]) > 0 {
			kinds |= 1 << k
			list = append(list, disjoint(a.recs[k])...)
		}
		sets[k].to = int32(len(list))
		a.recs[k], a.limit[k] = a.recs[k][:0], 0
	}
	return list, sets, kinds
}

// disjoint sorts intervals and removes overlaps. It works in place.
func disjoint(recs []Interval) []Interval {
	if len(recs) > 1 {
		slices.SortStableFunc(recs, func(a, b Interval) int { return cmp.Compare(a.Lo, b.Lo) })
	}
	out := recs[:0]
	for _, r := range recs {
		if n := len(out); n > 0 {
			p := &out[n-1]
			if r.Hi <= p.Hi {
				continue
			}
			r.Lo = max(r.Lo, p.Hi)
			if r.Lo == p.Hi && r.Site == p.Site && r.Stack == p.Stack {
				p.Hi = r.Hi
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// overlap returns the first pair of intervals of two sets that share bytes.
func overlap(a, b []Interval) (i, j int, ok bool) {
	if len(b) == 0 || len(a) == 0 || a[len(a)-1].Hi <= b[0].Lo || b[len(b)-1].Hi <= a[0].Lo {
		return 0, 0, false
	}
	for i < len(a) && j < len(b) {
		switch {
		case a[i].Hi <= b[j].Lo:
			i++
		case b[j].Hi <= a[i].Lo:
			j++
		default:
			return i, j, true
		}
	}
	return 0, 0, false
}

// A Footprint holds the accesses of a section, as disjoint intervals.
type Footprint struct{ Reads, Writes []Interval }

// Conflicts reports whether two sections do not commute.
func (f Footprint) Conflicts(g Footprint) bool {
	for _, p := range [3][2][]Interval{{f.Writes, g.Writes}, {f.Writes, g.Reads}, {f.Reads, g.Writes}} {
		if _, _, ok := overlap(p[0], p[1]); ok {
			return true
		}
	}
	return false
}

// Footprints returns the footprint of each section: the accesses of its task, and of the
// tasks that are forked and joined inside it.
func (g *Graph) Footprints() []Footprint {
	list := make([]Footprint, len(g.Sections))
	for i := range g.Sections {
		f := &list[i]
		g.inside(&g.Sections[i], func(n int32) {
			f.Reads = append(append(f.Reads, g.Set(n, event.Read)...), g.Set(n, event.AtomicRead)...)
			f.Writes = append(append(f.Writes, g.Set(n, event.Write)...), g.Set(n, event.AtomicWrite)...)
		})
		f.Reads, f.Writes = disjoint(f.Reads), disjoint(f.Writes)
	}
	return list
}

// inside calls f for the nodes on the paths from the first to the last node of s.
func (g *Graph) inside(s *Section, f func(n int32)) {
	if f(s.First); s.First == s.Last {
		return
	}
	last := s.Last
	if last == None {
		last = int32(len(g.Nodes)) - 1
	}
	const behind, before = 1, 2 // of First; of Last
	marks := make([]uint8, last-s.First+1)
	marks[0] = behind
	for n := s.First + 1; n <= last; n++ {
		for _, e := range g.Edges(n) {
			if e.From >= s.First && e.Kind != Isolation {
				marks[n-s.First] |= marks[e.From-s.First]
			}
		}
	}
	if s.Last == None {
		for n := g.Nodes[s.First].Next; n != None; n = g.Nodes[n].Next {
			f(n)
		}
		return
	}
	marks[last-s.First] |= before
	for n := last; n > s.First; n-- {
		if marks[n-s.First]&before == 0 {
			continue
		}
		if marks[n-s.First]&behind != 0 {
			f(n)
		}
		for _, e := range g.Edges(n) {
			if e.From >= s.First && e.Kind != Isolation {
				marks[e.From-s.First] |= before
			}
		}
	}
}
