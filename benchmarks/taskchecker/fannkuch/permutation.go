package fannkuch

// A permutation of 0..n-1 steps through all permutations in the benchmark's order: it
// rotates the first k+1 elements to the left, for k = 1, 2 and so on, up to the first k
// at which the rotation does not restore the elements.
type permutation struct {
	elements []int
	rotated  []int // by k: the number of rotations of the first k+1 elements, at most k
}

// newPermutation returns the permutation with an index.
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

// next steps to the next permutation; after the last comes the first.
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
