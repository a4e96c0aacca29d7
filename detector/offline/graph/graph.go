package graph

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"taskinstr/detector/event"
)

// A Kind is the kind of a node.
type Kind uint8

const (
	Other    Kind = iota // accesses outside critical sections
	Isolated             // inside
	Async                // a fork
	Wait                 // the end of a scope
)

func (k Kind) String() string { return [...]string{"other", "isolated", "async", "wait"}[k] }

// None is the number of no node.
const None = int32(-1)

// A Node is a run of events of one task.
type Node struct {
	Kind Kind
	Task uint32
	Site uint32 // of the event that begins it; of the first access, for an Other node
	// Next is the next node of the same task. Child is the first node of the task that an
	// Async node forks (None: that task has no node). Partner links a Wait node and the
	// first Async node by which the scope's own task forked in the scope. Each is None if
	// it does not apply.
	Next, Child, Partner int32

	first int32   // its first edge, in Graph.edges
	sets  [4]span // its accesses, indexed by event.Kind
	kinds uint8   // bit k: sets[k] is not empty
	// All accesses lie in [lo, hi).
	lo, hi uint64
}

// Accesses reports whether the node has any access.
func (n *Node) Accesses() bool { return n.kinds != 0 }

// Writes reports whether the node writes.
func (n *Node) Writes() bool { return n.kinds&(1<<event.Write|1<<event.AtomicWrite) != 0 }

// An EdgeKind is the origin of an edge's order.
type EdgeKind uint8

const (
	Continue EdgeKind = iota
	Spawn
	Join
	Promise
	Isolation
)

func (k EdgeKind) String() string {
	return [...]string{"continue", "spawn", "join", "promise", "isolation"}[k]
}

// An Edge leads from a node to one with a greater number.
type Edge struct {
	From, To int32
	Kind     EdgeKind
}

// A Section is a critical section.
type Section struct {
	Lock        uint64
	Shared      bool
	Task        uint32
	First, Last int32 // the first and the last node of the section; Last is None if the execution ended inside it
}

// A Graph is the computation graph of one execution.
type Graph struct {
	Nodes    []Node
	Sections []Section // in the order in which they began
	// Outside counts events that the graph may not represent, see [Outside].
	Outside Outside

	edges     []Edge // sorted by To
	intervals []Interval
	names     names
}

// Outside counts the features of an execution that lie outside of the model of
// series-parallel graphs with one isolation. The graph has edges for all of them but
// Uses.
type Outside struct {
	Escaped  int // tasks that end in no scope or not in the innermost one, scopes that do not nest
	Promises int // Sets and Gets
	Shared   int // shared sections
	Locks    int // locks beyond the first
	Uses     int // events with the operation Outside
}

// Edges returns the edges that lead to node n.
func (g *Graph) Edges(n int32) []Edge {
	end := len(g.edges)
	if int(n)+1 < len(g.Nodes) {
		end = int(g.Nodes[n+1].first)
	}
	return g.edges[g.Nodes[n].first:end]
}

// AllEdges returns all edges, sorted by To.
func (g *Graph) AllEdges() iter.Seq[Edge] { return slices.Values(g.edges) }

// Set returns the bytes that node n accesses in the given way: disjoint intervals in
// ascending order. The slice belongs to the graph.
func (g *Graph) Set(n int32, k event.Kind) []Interval {
	s := g.Nodes[n].sets[k]
	return g.intervals[s.from:s.to]
}

// Intervals returns the total number of intervals in the sets of all nodes.
func (g *Graph) Intervals() int { return len(g.intervals) }

// Address returns the memory address of a named byte, see [Interval].
func (g *Graph) Address(name uint64) uint64 { return g.names.address(name) }

// Commuting returns the graph whose isolation edges connect only sections that conflict,
// that is, do not commute: one writes a byte that the other accesses, atomically or not.
// A race in it is a race of an execution that differs from the present one only in the
// order of commuting sections. Its time is quadratic in the number of sections.
func (g *Graph) Commuting() *Graph {
	c := *g
	c.Nodes = append([]Node(nil), g.Nodes...)
	c.edges = make([]Edge, 0, len(g.edges))
	for _, e := range g.edges {
		if e.Kind != Isolation {
			c.edges = append(c.edges, e)
		}
	}
	footprints := g.Footprints()
	for j, t := range g.Sections {
		for i, s := range g.Sections[:j] {
			if s.Lock == t.Lock && s.Last != None && !(s.Shared && t.Shared) && s.Last < t.First && footprints[i].Conflicts(footprints[j]) {
				c.edges = append(c.edges, Edge{s.Last, t.First, Isolation})
			}
		}
	}
	c.link()
	return &c
}

// link sorts the edges and sets the first edge of each node.
func (g *Graph) link() {
	slices.SortStableFunc(g.edges, func(a, b Edge) int { return cmp.Compare(a.To, b.To) })
	at := 0
	for n := range g.Nodes {
		for at < len(g.edges) && g.edges[at].To < int32(n) {
			at++
		}
		g.Nodes[n].first = int32(at)
	}
}

// maxNodes bounds the numbers of nodes, edges and intervals.
const maxNodes = math.MaxInt32
