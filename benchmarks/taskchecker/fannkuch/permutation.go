package fannkuch

// A permutation of 0..n-1 steps through all of them in the benchmark's order: the
// first k+1 elements are rotated to the left, for k=1 and on, up to the first k
// for which that does not restore them.
type permutation struct {
	elements []int
	rotated  []int // rotated[k]: how often the first k+1 have been, at most k
}

// newPermutation returns the one with the given index.
func newPermutation(n, index int) *permutation {
	p := &permutation{make([]int, n), make([]int, n)}
	for i := range p.elements {
		p.elements[i] = i
	}
	old := make([]int, n)
	for k := n - 1; k > 0; k-- {
		f := factorial(k)
		d := index / f
		index %= f
		p.rotated[k] = d
		copy(old, p.elements)
		for i := range k + 1 {
			p.elements[i] = old[(i+d)%(k+1)]
		}
	}
	return p
}

// next goes on to the next one; behind the last comes the first.
func (p *permutation) next() {
	for k := 1; k < len(p.elements); k++ {
		first := p.elements[0]
		copy(p.elements, p.elements[1:k+1])
		p.elements[k] = first
		if p.rotated[k]++; p.rotated[k] <= k {
			return
		}
		p.rotated[k] = 0
	}
}

func factorial(n int) int {
	f := 1
	for i := 2; i <= n; i++ {
		f *= i
	}
	return f
}
