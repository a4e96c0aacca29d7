package gen

import (
	"slices"

	"taskinstr/cmd/tilab/internal/programs/random"
)

// node is an event of the script. The events of a task are a chain of nodes; a rendezvous
// on an unbuffered channel is one node of two chains.
type node struct {
	id    int
	succ  []int // structural order
	lock  *lock // if the node is a critical section, its lock
	write bool  // the section holds the lock in write mode
	at    *access
}

type lock struct {
	name string
	rw   bool
}

// orders holds the three orders of one case, and the possible order: the pairs that any
// order of the critical sections could order.
type orders struct{ structural, weak, hb, possible random.Relation }

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
	join := func(more [][2]int) random.Relation {
		succ := make([][]int, len(nodes))
		for _, e := range append(slices.Clone(structural), more...) {
			succ[e[0]] = append(succ[e[0]], e[1])
		}
		return random.Reach(succ)
	}
	return orders{join(nil), join(weak), join(hb), join(possible)}
}

// conflict reports whether two accesses touch a common byte and one of them writes.
func conflict(a, b *access) bool {
	return a != nil && b != nil && a.v == b.v && (a.write || b.write) && a.lo < b.hi && b.lo < a.hi
}

// commonLock reports whether the two sections exclude each other.
func commonLock(a, b *node) bool {
	return a.lock != nil && a.lock == b.lock && (a.write || b.write)
}

// tier returns the tier of the race of two nodes, "" if they do not race.
func (o orders) tier(a, b *node) string {
	if a.id > b.id {
		a, b = b, a
	}
	switch {
	case !conflict(a.at, b.at) || commonLock(a, b):
		return ""
	case !o.hb.Has(a.id, b.id):
		return "race"
	case !o.weak.Has(a.id, b.id):
		return "predicted"
	}
	return ""
}

// uncertain reports whether the order of critical sections decides if the pair races.
func (o orders) uncertain(a, b *node) bool {
	return conflict(a.at, b.at) && !commonLock(a, b) &&
		!o.structural.Has(a.id, b.id) && !o.structural.Has(b.id, a.id) &&
		(o.possible.Has(a.id, b.id) || o.possible.Has(b.id, a.id))
}
