package dpst

// Mark says that n, and so its ancestors, must survive the next [Tree.Sweep].
func (t *Tree) Mark(n Node) {
	for t.nodes[n].flags&marked == 0 {
		t.nodes[n].flags |= marked
		n = t.nodes[n].parent
	}
}

// Pin marks n and says that queries will be made with n in the place of b, so that
// no scope around n can stand for the steps below it. Pins hold until the next Sweep.
func (t *Tree) Pin(n Node) {
	t.Mark(n)
	for t.nodes[n].flags&pinned == 0 {
		t.nodes[n].flags |= pinned
		n = t.nodes[n].parent
	}
}

// Summary returns the outermost scope around n that may stand for n in the place of
// a, in all queries still to come; n itself if there is none. Such a scope has
// ended, it waited for n, and nothing below it is pinned: all pins must have been
// made before.
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

// Sweep gives back all nodes that are not marked and takes the marks away. The
// owner of the tree must not use a node that was given back.
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
