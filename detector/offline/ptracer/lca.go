package ptracer

import "taskinstr/detector/structure/dpst"

// A relation tells how two steps are ordered. It never changes.
type relation struct {
	parallel bool
	depth    uint32 // of their lowest common ancestor
}

// lcaCache remembers the latest relations of steps: accesses to one array ask for the same
// pair of steps again and again.
type lcaCache struct {
	tree          *dpst.Tree
	queries, hits int64
	entries       []lcaEntry // their number is a power of two, or 0
}

type lcaEntry struct {
	a, b dpst.Node
	relation
}

func newLCACache(t *dpst.Tree, size int) *lcaCache {
	return &lcaCache{tree: t, entries: make([]lcaEntry, size)}
}

// relate returns the relation of two steps.
func (c *lcaCache) relate(a, b dpst.Node) relation {
	if a == b {
		return relation{depth: c.tree.Depth(a)}
	}
	if a > b {
		a, b = b, a
	}
	c.queries++
	if len(c.entries) == 0 {
		return c.ask(a, b)
	}
	e := &c.entries[int(uint32(a)*0x9e3779b1^uint32(b))&(len(c.entries)-1)]
	if e.a == a && e.b == b {
		c.hits++
		return e.relation
	}
	*e = lcaEntry{a, b, c.ask(a, b)}
	return e.relation
}

func (c *lcaCache) ask(a, b dpst.Node) relation {
	lca, left, right := c.tree.LCA(a, b)
	return relation{left != right && c.tree.Kind(left) == dpst.Async, c.tree.Depth(lca)}
}
