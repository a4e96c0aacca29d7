package bags

// A Forest is a set of disjoint bags. Its elements are numbered from 0; a new element is
// an S-bag of its own.
type Forest struct {
	parent   []uint32
	rank     []uint8 // at roots: a bound on the height of the tree
	parallel []bool  // at roots: whether the set is a P-bag
}

// Len returns the number of elements.
func (f *Forest) Len() int { return len(f.parent) }

// Add adds an element and returns its number.
func (f *Forest) Add() uint32 {
	n := uint32(len(f.parent))
	f.parent = append(f.parent, n)
	f.rank = append(f.rank, 0)
	f.parallel = append(f.parallel, false)
	return n
}

// find returns the root of x, with path compression by halving.
func (f *Forest) find(x uint32) uint32 {
	for f.parent[x] != x {
		f.parent[x] = f.parent[f.parent[x]]
		x = f.parent[x]
	}
	return x
}

// Unite merges the bags of x and y into a P-bag if parallel is set, else into an S-bag.
func (f *Forest) Unite(x, y uint32, parallel bool) {
	x, y = f.find(x), f.find(y)
	if f.rank[x] < f.rank[y] {
		x, y = y, x
	}
	if x != y {
		f.parent[y] = x
		if f.rank[x] == f.rank[y] {
			f.rank[x]++
		}
	}
	f.parallel[x] = parallel
}

// SetParallel turns the bag of x into a P-bag.
func (f *Forest) SetParallel(x uint32) { f.parallel[f.find(x)] = true }

// Parallel reports whether the bag of x is a P-bag.
func (f *Forest) Parallel(x uint32) bool { return f.parallel[f.find(x)] }
