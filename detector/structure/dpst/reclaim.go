package dpst

// Mark keeps n, and so its ancestors, through the next [Tree.Sweep].
func (t *Tree) Mark(n Node) {
	for t.nodes[n].flags&marked == 0 {
		t.nodes[n].flags |= marked
		n = t.nodes[n].parent
	}
}

// Pin marks n and announces queries with n as the right node, so that no scope around n
// may replace the steps below that scope. Pins last until the next Sweep.
func (t *Tree) Pin(n Node) {
	t.Mark(n)
	for t.nodes[n].flags&pinned == 0 {
		t.nodes[n].flags |= pinned
		n = t.nodes[n].parent
	}
}

// Summary returns the outermost scope around n that may replace n as the left node in all
// later queries, or n itself if there is none. Such a scope has ended, has waited for n,
// and has no pinned node below it. All pins must have been made before the call.
func (t *Tree) Summary(n Node) Node {
	best := n
	var w waits
	for a := n; a != 0; a = t.nodes[a].parent {
		if !w.climb(t, a) {
			break
		}
		if x := &t.nodes[a]; x.kind == Finish {
			if x.flags&pinned != 0 {
				break
			}
			if x.flags&ended != 0 {
				best = a
			}
		}
	}
	return best
}

// Sweep frees all unmarked nodes and removes the marks. The caller must not use a freed
// node.
func (t *Tree) Sweep() {
	t.free, t.live = 0, 0
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if i == 0 || n.flags&marked != 0 {
			n.flags &^= marked | pinned
			t.live++
			continue
		}
		*n = node{parent: t.free, flags: unused}
		t.free = Node(i)
	}
}
