package dpst

// A Node is an index into a tree. The root is 0.
type Node uint32

// A Kind is the kind of a node.
type Kind uint8

const (
	Finish Kind = iota
	Async
	Step
)

// A Tree is a program structure tree. The zero value has no root: see New.
type Tree struct {
	nodes []node
	free  Node // the first free node, linked by parent; 0: none
	live  int  // nodes in use
	// Queries counts the calls of LCA and Precedes, Climbed the nodes that they visited.
	Queries, Climbed int64
	Height           uint32 // the greatest depth of a node
	escaped          bool   // some task escapes
}

type node struct {
	parent   Node
	depth    uint32
	rank     uint32 // index among the children of parent
	children uint32
	joined   uint32 // of a task: children of lower rank precede the end of the scope around it, even if the task escapes
	kind     Kind
	flags    flags
}

type flags uint8

const (
	ended   flags = 1 << iota // a finish scope after its FinishEnd
	escapes                   // a task for which the innermost scope around it does not wait
	marked                    // by the present mark and sweep
	pinned                    // a node at or below it is pinned
	unused                    // free
)

// New returns a tree of one node, the finish scope of the whole execution.
func New() *Tree { return &Tree{nodes: make([]node, 1, 64), live: 1} }

// Add adds a rightmost child to parent.
func (t *Tree) Add(parent Node, kind Kind) Node {
	p := &t.nodes[parent]
	n := node{parent: parent, depth: p.depth + 1, rank: p.children, kind: kind}
	p.children++
	t.Height = max(t.Height, n.depth)
	t.live++
	if f := t.free; f != 0 {
		t.free = t.nodes[f].parent
		t.nodes[f] = n
		return f
	}
	t.nodes = append(t.nodes, n)
	return Node(len(t.nodes) - 1)
}

// Len returns the number of nodes in use.
func (t *Tree) Len() int { return t.live }

// Parent returns the parent of n; the root is its own parent.
func (t *Tree) Parent(n Node) Node { return t.nodes[n].parent }

// Kind returns the kind of n.
func (t *Tree) Kind(n Node) Kind { return t.nodes[n].kind }

// Depth returns the number of edges between n and the root.
func (t *Tree) Depth(n Node) uint32 { return t.nodes[n].depth }

// LCA returns the lowest common ancestor of a and b and its children on the paths to
// them, the left one first. If one of a and b is an ancestor of the other, left and right
// are both the child on the path to the other, or the node itself if a == b.
func (t *Tree) LCA(a, b Node) (lca, left, right Node) {
	lca, ca, cb := t.lca(a, b)
	if ca == lca && cb != lca {
		return lca, cb, cb
	}
	if cb == lca && ca != lca {
		return lca, ca, ca
	}
	if t.nodes[ca].rank > t.nodes[cb].rank {
		ca, cb = cb, ca
	}
	return lca, ca, cb
}

// lca returns the lowest common ancestor of a and b and its children on the paths to a
// and to b, or the ancestor itself in place of a missing child.
func (t *Tree) lca(a, b Node) (lca, ca, cb Node) {
	t.Queries++
	ca, cb = a, b
	for t.nodes[a].depth > t.nodes[b].depth {
		ca, a = a, t.nodes[a].parent
		t.Climbed++
	}
	for t.nodes[b].depth > t.nodes[a].depth {
		cb, b = b, t.nodes[b].parent
		t.Climbed++
	}
	for a != b {
		ca, a = a, t.nodes[a].parent
		cb, b = b, t.nodes[b].parent
		t.Climbed += 2
	}
	return a, ca, cb
}

// Parallel reports whether steps a and b may run in parallel.
func (t *Tree) Parallel(a, b Node) bool {
	return a != b && !t.Precedes(a, b) && !t.Precedes(b, a)
}

// Precedes reports whether the tree orders a before b. a is a step, or an ended scope
// that replaces the steps inside it; b is a step.
func (t *Tree) Precedes(a, b Node) bool {
	if a == b {
		return true
	}
	lca, ca, cb := t.lca(a, b)
	if ca == lca || cb == lca || t.nodes[ca].rank > t.nodes[cb].rank || t.nodes[ca].kind == Async {
		return false
	}
	return !t.escaped || t.joined(a, ca)
}

// joined reports whether the scopes from a up to and including its ancestor top wait for
// a. A scope waits for the end of a task. So, seen from below, only the first task above
// a and the first task above each scope count: a's own task, and the tasks that opened
// the scopes.
func (t *Tree) joined(a, top Node) bool {
	var w waits
	for n := a; ; n = t.nodes[n].parent {
		if !w.climb(t, n) {
			return false
		}
		if n == top {
			return true
		}
	}
}

// A waits follows a path from a step upwards.
type waits struct {
	task  Node // the first task since the last scope, 0 if there is none yet
	below Node // the child of task on the path
	last  Node
}

// climb moves to the next node n. It returns false if n is a scope that does not wait for
// the path below it.
func (w *waits) climb(t *Tree, n Node) bool {
	switch x := &t.nodes[n]; x.kind {
	case Async:
		if w.task == 0 {
			w.task, w.below = n, w.last
		}
	case Finish:
		if w.task != 0 {
			if own := &t.nodes[w.task]; own.flags&escapes != 0 && t.nodes[w.below].rank >= own.joined {
				return false
			}
		}
		w.task = 0
	}
	w.last = n
	return true
}

// join records that the end of a task counts for the innermost scope around it. So the
// steps that the tasks around it made before they forked it precede the end of that
// scope, even if these tasks escape.
func (t *Tree) join(task Node) {
	for n := task; ; {
		x := &t.nodes[n]
		p := &t.nodes[x.parent]
		if p.kind != Async || p.joined > x.rank {
			return
		}
		p.joined = x.rank + 1
		n = x.parent
	}
}

// Escape marks a task for which the innermost scope around it does not wait.
func (t *Tree) Escape(task Node) {
	t.nodes[task].flags |= escapes
	t.escaped = true
}
