package diagnosis

// bits is a set of nodes.
type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bits) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bits) join(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// sorted returns the nodes of a graph in topological order, without the nodes on cycles
// and behind them.
func sorted(preds [][]int) []int {
	succs := make([][]int, len(preds))
	missing := make([]int, len(preds))
	for n, list := range preds {
		missing[n] = len(list)
		for _, m := range list {
			succs[m] = append(succs[m], n)
		}
	}
	var order []int
	for n := range preds {
		if missing[n] == 0 {
			order = append(order, n)
		}
	}
	for k := 0; k < len(order); k++ {
		for _, n := range succs[order[k]] {
			if missing[n]--; missing[n] == 0 {
				order = append(order, n)
			}
		}
	}
	return order
}

// reachable returns for each node the nodes behind it, or nil if the graph has a cycle.
func reachable(preds [][]int) []bits {
	order := sorted(preds)
	if len(order) < len(preds) {
		return nil
	}
	reach := make([]bits, len(preds))
	for n := range reach {
		reach[n] = make(bits, (len(preds)+63)/64)
	}
	for k := len(order) - 1; k >= 0; k-- {
		n := order[k]
		for _, m := range preds[n] {
			reach[m].add(n)
			reach[m].join(reach[n])
		}
	}
	return reach
}
