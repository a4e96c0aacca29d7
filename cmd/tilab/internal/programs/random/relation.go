package random

// A Relation is a set of pairs of numbers, one bit for each pair.
type Relation [][]uint64

// Reach returns the transitive closure of a graph: the pairs (a, b) for which edges lead
// from a to b. succ holds the successors of each node.
func Reach(succ [][]int) Relation {
	r := make(Relation, len(succ))
	for i := range r {
		r[i] = make([]uint64, (len(succ)+63)/64)
		work := []int{i}
		for len(work) > 0 {
			n := work[len(work)-1]
			work = work[:len(work)-1]
			for _, s := range succ[n] {
				if !r.Has(i, s) {
					r[i][s/64] |= 1 << (s % 64)
					work = append(work, s)
				}
			}
		}
	}
	return r
}

// Has reports whether the pair is in the relation.
func (r Relation) Has(a, b int) bool { return r[a][b/64]>>(b%64)&1 != 0 }
