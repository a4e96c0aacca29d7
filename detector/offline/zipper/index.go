package zipper

import (
	"slices"

	"taskinstr/detector/event"
	"taskinstr/detector/offline/graph"
)

// An access is an interval of a node.
type access struct {
	lo, hi   uint64
	node     int32
	interval int32 // its index in the node's set
	kind     event.Kind
}

// An Index finds races byte by byte. Its memory is reused from graph to graph.
type Index struct {
	o      *Order
	report func(graph.Race)
	list   []access // in the order of the trace
	bounds bounds
	parts  []history // by bound: the history of the bytes up to the next bound
	cells  []cell
}

// A history holds the accesses with which a later access of some bytes must be compared:
// the last plain write and the accesses since. Each list begins with the latest.
type history struct {
	write int32 // an index into Index.list, or none
	since [3]int32
}

// A cell is an element of a list.
type cell struct{ access, next int32 }

const none = -1

// The lists of a history.
const (
	reads = iota
	atomicReads
	atomicWrites
)

// against lists the lists whose accesses conflict with an access of each kind; all kinds
// conflict with the last plain write. list is the list that an access of the kind joins.
var against = [4][]int{
	event.Read:        {atomicWrites},
	event.Write:       {reads, atomicReads, atomicWrites},
	event.AtomicRead:  {},
	event.AtomicWrite: {reads},
}
var list = [4]int{event.Read: reads, event.AtomicRead: atomicReads, event.AtomicWrite: atomicWrites}

// Races calls report at least once for each byte that races, or for several bytes on
// which the same accesses race.
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
	var part [4]int // by kind: the part in which the last access began
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
		// The latest access of the list precedes a, so that each later access that is
		// parallel to it is parallel to a. a replaces it.
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
