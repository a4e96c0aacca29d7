package dpst

// A Node is an index into a tree. The root is 0.
type Node uint32

// Kind says what a node stands for.
type Kind uint8

const (
	Finish Kind = iota
	Async
	Step
)

// A Tree is a program structure tree. The zero value has no root yet: see New.
type Tree struct {
	nodes []node
	// Queries and Climbed count the calls of LCA and the nodes that they passed.
	Queries, Climbed int64
	Height           uint32 // the greatest depth of a node
}

type node struct {
	parent   Node
	depth    uint32
	rank     uint32 // among the children of parent
	children uint32
	kind     Kind
}

// New returns a tree of one node: the finish scope of the whole execution.
func New() *Tree { return &Tree{nodes: make([]node, 1, 64)} }

// Add makes a rightmost child of parent.
func (t *Tree) Add(parent Node, kind Kind) Node {
	p := &t.nodes[parent]
	n := node{parent: parent, depth: p.depth + 1, rank: p.children, kind: kind}
	p.children++
	t.Height = max(t.Height, n.depth)
	t.nodes = append(t.nodes, n)
	return Node(len(t.nodes) - 1)
}

// Len returns the number of nodes.
func (t *Tree) Len() int { return len(t.nodes) }

// Parent returns the parent of n; the root is its own.
func (t *Tree) Parent(n Node) Node { return t.nodes[n].parent }

// Kind returns what n stands for.
func (t *Tree) Kind(n Node) Kind { return t.nodes[n].kind }

// Depth returns the number of edges between n and the root.
func (t *Tree) Depth(n Node) uint32 { return t.nodes[n].depth }

// LCA returns the lowest common ancestor of a and b and its children that lead to
// them, the left one first. If one is an ancestor of the other, left and right are
// both the child that leads to the lower one, or the node itself for a == b.
func (t *Tree) LCA(a, b Node) (lca, left, right Node) {
	t.Queries++
	ca, cb := a, b
	for t.nodes[a].depth > t.nodes[b].depth {
		ca, a = a, t.nodes[a].parent
		t.Climbed++
	}
	for t.nodes[b].depth > t.nodes[a].depth {
		cb, b = b, t.nodes[b].parent
		t.Climbed++
	}
	if a == b { // one is above the other, or both are one
		if ca == a {
			return a, cb, cb
		}
		return a, ca, ca
	}
	for a != b {
		ca, a = a, t.nodes[a].parent
		cb, b = b, t.nodes[b].parent
		t.Climbed += 2
	}
	if t.nodes[ca].rank > t.nodes[cb].rank {
		ca, cb = cb, ca
	}
	return a, ca, cb
}

// Parallel reports whether steps a and b may run in parallel.
func (t *Tree) Parallel(a, b Node) bool {
	if a == b {
		return false
	}
	_, left, right := t.LCA(a, b)
	return left != right && t.nodes[left].kind == Async
}
