package spbags

// A forest holds disjoint sets of tasks.
type forest struct {
	parent []uint32
	rank   []uint8
	bag    []bag // of a root: what set it is
}

type bag uint8

const (
	serial bag = iota
	parallel
)

// add makes a set of one new task and returns its node.
func (f *forest) add() uint32 {
	n := uint32(len(f.parent))
	f.parent = append(f.parent, n)
	f.rank = append(f.rank, 0)
	f.bag = append(f.bag, serial)
	return n
}

// find returns the root of x, with path compression by halving.
func (f *forest) find(x uint32) uint32 {
	for f.parent[x] != x {
		f.parent[x] = f.parent[f.parent[x]]
		x = f.parent[x]
	}
	return x
}

// unite makes one set of those of x and y, as bag b.
func (f *forest) unite(x, y uint32, b bag) {
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
	f.bag[x] = b
}

func (f *forest) parallel(x uint32) bool { return f.bag[f.find(x)] == parallel }
