package gen

// node is an event of the script. What happens in a task is a chain of nodes;
// a rendezvous on an unbuffered channel is one node of two chains.
type node struct {
	id    int
	succ  []int // structural order
	lock  *lock // the section that this node is, if any
	write bool  // of the section: in write mode
	at    *access
}

type lock struct {
	name string
	rw   bool
}

// closure is a reachability relation between nodes. Node numbers rise along
// the script, and every edge points forward.
type closure [][]uint64

func newClosure(n int) closure {
	c := make(closure, n)
	for i := range c {
		c[i] = make([]uint64, (n+63)/64)
	}
	return c
}

func (c closure) has(a, b int) bool { return c[a][b/64]>>(b%64)&1 != 0 }

// closeOver returns the transitive closure of the edges.
func closeOver(n int, edges [][2]int) closure {
	succ := make([][]int, n)
	for _, e := range edges {
		succ[e[0]] = append(succ[e[0]], e[1])
	}
	c := newClosure(n)
	var visit func(from, at int)
	visit = func(from, at int) {
		for _, s := range succ[at] {
			if !c.has(from, s) {
				c[from][s/64] |= 1 << (s % 64)
				visit(from, s)
			}
		}
	}
	for i := range n {
		visit(i, i)
	}
	return c
}

// orders are the three orders of one case, and the possible one: what any
// order of the critical sections could order.
type orders struct{ structural, weak, hb, possible closure }

func ordersOf(nodes []*node) orders {
	var structural, weak, hb, possible [][2]int
	for _, n := range nodes {
		for _, s := range n.succ {
			structural = append(structural, [2]int{n.id, s})
		}
	}
	for i, a := range nodes {
		for _, b := range nodes[i+1:] {
			if a.lock == nil || a.lock != b.lock || !a.write && !b.write {
				continue
			}
			hb = append(hb, [2]int{a.id, b.id})
			possible = append(possible, [2]int{a.id, b.id}, [2]int{b.id, a.id})
			if conflict(a.at, b.at) {
				weak = append(weak, [2]int{a.id, b.id})
			}
		}
	}
	n := len(nodes)
	join := func(more [][2]int) closure {
		return closeOver(n, append(append([][2]int(nil), structural...), more...))
	}
	return orders{join(nil), join(weak), join(hb), join(possible)}
}

// conflict tells whether two accesses touch a common byte and one writes.
func conflict(a, b *access) bool {
	return a != nil && b != nil && a.v == b.v && (a.write || b.write) && a.lo < b.hi && b.lo < a.hi
}

// commonLock tells whether the two sections exclude each other.
func commonLock(a, b *node) bool {
	return a.lock != nil && a.lock == b.lock && (a.write || b.write)
}

// tier is "" when the two nodes do not race.
func (o orders) tier(a, b *node) string {
	if a.id > b.id {
		a, b = b, a
	}
	switch {
	case !conflict(a.at, b.at) || commonLock(a, b):
		return ""
	case !o.hb.has(a.id, b.id):
		return "race"
	case !o.weak.has(a.id, b.id):
		return "predicted"
	}
	return ""
}

// uncertain tells that the order of critical sections decides about the pair.
func (o orders) uncertain(a, b *node) bool {
	return conflict(a.at, b.at) && !commonLock(a, b) &&
		!o.structural.has(a.id, b.id) && !o.structural.has(b.id, a.id) &&
		(o.possible.has(a.id, b.id) || o.possible.has(b.id, a.id))
}
