package graph

import (
	"iter"
	"math"
	"sort"

	"taskinstr/detector/event"
)

// A Kind says what a node stands for.
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
	// Next is the next node of the same task, Child the first node of the task that
	// an Async node makes (None: that task has no node). Partner is of a Wait node the
	// first Async node in its scope and of that Async node the Wait node; of all
	// others None.
	Next, Child, Partner int32

	first int32   // its first edge, in Graph.edges
	sets  [4]span // its accesses, by event.Kind
	kinds uint8   // bit k: sets[k] is not empty
	// All accesses lie in [lo, hi).
	lo, hi uint64
}

// Accesses reports whether the node has any access.
func (n *Node) Accesses() bool { return n.kinds != 0 }

// Writes reports whether the node writes.
func (n *Node) Writes() bool { return n.kinds&(1<<event.Write|1<<event.AtomicWrite) != 0 }

// An EdgeKind says where order comes from.
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
	First, Last int32 // the nodes that begin and end it; Last is None if the execution ended before
}

// A Graph is the computation graph of one execution.
type Graph struct {
	Nodes    []Node
	Sections []Section // in the order in which they began
	// Outside counts what the nodes and edges do not say, see [Outside].
	Outside Outside

	edges     []Edge // by To
	intervals []Interval
	names     names
}

// Outside counts what is in an execution and not in the model of series-parallel
// graphs with one isolation. The graph itself has edges for all of it but Uses.
type Outside struct {
	Escaped  int // tasks that end in no scope or not in the innermost one, scopes that do not nest
	Promises int // Sets and Gets
	Shared   int // shared sections
	Locks    int // locks beyond the first
	Uses     int // events Outside
}

// Edges returns the edges that lead to node n.
func (g *Graph) Edges(n int32) []Edge {
	end := len(g.edges)
	if int(n)+1 < len(g.Nodes) {
		end = int(g.Nodes[n+1].first)
	}
	return g.edges[g.Nodes[n].first:end]
}

// AllEdges returns all edges, ordered by the nodes that they lead to.
func (g *Graph) AllEdges() iter.Seq[Edge] {
	return func(yield func(Edge) bool) {
		for _, e := range g.edges {
			if !yield(e) {
				return
			}
		}
	}
}

// Set returns the bytes that node n accesses in the given way: disjoint intervals in
// ascending order. The slice belongs to the graph.
func (g *Graph) Set(n int32, k event.Kind) []Interval {
	s := g.Nodes[n].sets[k]
	return g.intervals[s.from:s.to]
}

// Intervals returns how many intervals the sets of all nodes have.
func (g *Graph) Intervals() int { return len(g.intervals) }

// Address returns where the byte that the graph knows by a name was in memory, see
// [Interval].
func (g *Graph) Address(name uint64) uint64 { return g.names.address(name) }

// Commuting returns the graph whose isolation edges lie only between sections that
// conflict, that is, do not commute: one writes a byte that the other accesses, be it
// atomically. A race in it is a race of an execution that differs from the present
// one in the order of commuting sections alone. Time is quadratic in the sections.
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

// link sorts the edges and tells each node where its own begin.
func (g *Graph) link() {
	sort.SliceStable(g.edges, func(i, j int) bool { return g.edges[i].To < g.edges[j].To })
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
