package zipper

import (
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/graph"
)

// An access is an interval of one node.
type access struct {
	lo, hi   uint64
	node     int32
	interval int32 // its place in the node's set
	kind     event.Kind
}

// An Index finds races byte by byte. Its memory serves for one graph after the other.
type Index struct {
	o      *Order
	report func(graph.Race)
	list   []access // in the order of the trace
	bounds bounds
	parts  []history // by bound: that of the bytes up to the next bound
	cells  []cell
}

// A history is what a later access of some bytes has to be compared with: the last
// plain write and what has come since. Each list begins with the latest.
type history struct {
	write int32 // index into Index.list, none
	since [3]int32
}

// A cell is one element of a list.
type cell struct{ access, next int32 }

const none = -1

// The lists of a history.
const (
	reads = iota
	atomicReads
	atomicWrites
)

// against says which lists an access of each kind conflicts with; all kinds conflict
// with the last plain write. list is the one that it joins.
var against = [4][]int{
	event.Read:        {atomicWrites},
	event.Write:       {reads, atomicReads, atomicWrites},
	event.AtomicRead:  {},
	event.AtomicWrite: {reads},
}
var list = [4]int{event.Read: reads, event.AtomicRead: atomicReads, event.AtomicWrite: atomicWrites}

// Races calls report for each byte that races, or for several bytes that race by the
// same accesses, at least once.
func (x *Index) Races(o *Order, report func(graph.Race)) {
	x.o, x.report = o, report
	g := o.g
	x.list = slices.Grow(x.list[:0], g.Intervals())
	for n := range int32(len(g.Nodes)) {
		if !g.Nodes[n].Accesses() {
			continue
		}
		for k := event.Kind(0); k < 4; k++ {
			for i, r := range g.Set(n, k) {
				x.list = append(x.list, access{r.Lo, r.Hi, n, int32(i), k})
			}
		}
	}
	x.bounds.reset(x.list)
	x.parts, x.cells = slices.Grow(x.parts[:0], len(x.bounds.at)), x.cells[:0]
	for range x.bounds.at {
		x.parts = append(x.parts, history{none, [3]int32{none, none, none}})
	}
	var part [4]int // of the last access of each kind
	for i := range x.list {
		a := &x.list[i]
		p := x.bounds.find(a.lo, part[a.kind])
		part[a.kind] = p
		for ; x.bounds.at[p] < a.hi; p++ {
			x.access(int32(i), &x.parts[p])
		}
	}
}

// access compares an access with the history of a part of its bytes and adds it.
func (x *Index) access(i int32, h *history) {
	a := &x.list[i]
	if h.write != none {
		x.compare(h.write, i)
	}
	for _, l := range against[a.kind] {
		for e := h.since[l]; e != none; e = x.cells[e].next {
			x.compare(x.cells[e].access, i)
		}
	}
	if a.kind == event.Write {
		*h = history{i, [3]int32{none, none, none}}
		return
	}
	l := list[a.kind]
	first := h.since[l]
	if first != none && !x.o.Parallel(x.list[x.cells[first].access].node, a.node) {
		// What is parallel to the latest of the list and comes later is parallel to a: the
		// latest precedes a. So a takes its place.
		next := x.cells[first].next
		x.cells = append(x.cells, cell{i, next})
	} else {
		x.cells = append(x.cells, cell{i, first})
	}
	h.since[l] = int32(len(x.cells) - 1)
}

func (x *Index) compare(i, j int32) {
	a, b := &x.list[i], &x.list[j]
	if x.o.Parallel(a.node, b.node) {
		g := x.o.g
		x.report(graph.NewRace(a.node, b.node, a.kind, b.kind, g.Set(a.node, a.kind)[a.interval], g.Set(b.node, b.kind)[b.interval]))
	}
}
