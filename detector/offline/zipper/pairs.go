package zipper

import (
	"sort"

	"taskinstr/detector/offline/graph"
)

// A zipper lists the nodes of one branch that have accesses, in their order. Both sliders
// rise along it.
type zipper []int32

// checkDown returns the nodes of z that do not precede a node with the given down slider.
// They form the end of the list.
func (o *Order) checkDown(z zipper, down int32) zipper {
	if len(z) == 0 || o.nodes[z[0]].up >= down {
		return z
	}
	return z[sort.Search(len(z), func(i int) bool { return o.nodes[z[i]].up >= down }):]
}

// checkUp returns the nodes of z that a node with the given up slider does not precede.
// They form the beginning of the list.
func (o *Order) checkUp(z zipper, up int32) zipper {
	if l := len(z); l == 0 || o.nodes[z[l-1]].down <= up {
		return z
	}
	return z[:sort.Search(len(z), func(i int) bool { return o.nodes[z[i]].down > up })]
}

// Pairs calls report for each pair of racing nodes, by the paper's method.
func (o *Order) Pairs(report func(graph.Race)) {
	zippers := o.zippers()
	o.walk(true, func(n, branch int32, parallel bag) {
		if !o.g.Nodes[n].Accesses() {
			return
		}
		slider := &o.nodes[n]
		for _, r := range parallel {
			for b := r.from; b < r.to; b++ {
				c := o.checkUp(o.checkDown(zippers.of(b), slider.down), slider.up)
				for _, m := range c {
					if race, ok := o.g.Conflict(min(m, n), max(m, n)); ok {
						report(race)
					}
				}
			}
		}
	})
}

// chains holds the zippers of all branches, one after the other.
type chains struct {
	nodes []int32
	end   []int32 // by branch: the end of its zipper in nodes
}

func (c *chains) of(branch int32) zipper {
	from := int32(0)
	if branch > 0 {
		from = c.end[branch-1]
	}
	return c.nodes[from:c.end[branch]]
}

// zippers distributes the nodes to their branches.
func (o *Order) zippers() *chains {
	type member struct{ node, branch int32 }
	list := make([]member, 0, len(o.nodes))
	count := o.walk(true, func(n, branch int32, _ bag) {
		if o.g.Nodes[n].Accesses() {
			list = append(list, member{n, branch})
		}
	})
	c := &chains{make([]int32, len(list)), make([]int32, count+1)}
	for _, m := range list {
		c.end[m.branch+1]++
	}
	for b := int32(1); b <= count; b++ {
		c.end[b] += c.end[b-1]
	}
	for _, m := range list { // moves end[b] from the beginning of branch b to its end
		c.nodes[c.end[m.branch]] = m.node
		c.end[m.branch]++
	}
	return c
}
