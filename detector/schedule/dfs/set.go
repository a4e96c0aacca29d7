package dfs

// A set is a set of numbers below its size.
type set []uint64

const wordBits = 64

func newSet(size int) set { return make(set, (size+wordBits-1)/wordBits) }

func (s set) has(i int) bool { return s[i/wordBits]>>(i%wordBits)&1 != 0 }

func (s set) add(i int) { s[i/wordBits] |= 1 << (i % wordBits) }

// merge adds the numbers of t. t must not be larger than s.
func (s set) merge(t set) {
	for i, w := range t {
		s[i] |= w
	}
}
