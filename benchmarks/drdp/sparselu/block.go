package sparselu

// A block is a dense matrix; its rows are slices.
type block [][]float64

func newBlock(size int) block {
	b := make(block, size)
	for i := range b {
		b[i] = make([]float64, size)
	}
	return b
}

// factor replaces a block of the diagonal by its factors. The diagonal of L, which is all
// ones, is not stored.
func (d block) factor() {
	n := len(d)
	for k := range n {
		for i := k + 1; i < n; i++ {
			d[i][k] /= d[k][k]
			for j := k + 1; j < n; j++ {
				d[i][j] -= d[i][k] * d[k][j]
			}
		}
	}
}

// forward replaces b, a block right of the diagonal block d, by the solution x of Lx = b.
func (b block) forward(d block) {
	n := len(b)
	for k := range n {
		for i := k + 1; i < n; i++ {
			for j := range n {
				b[i][j] -= d[i][k] * b[k][j]
			}
		}
	}
}

// divide replaces b, a block below the diagonal block d, by the solution x of xU = b.
func (b block) divide(d block) {
	n := len(b)
	for i := range n {
		for k := range n {
			b[i][k] /= d[k][k]
			for j := k + 1; j < n; j++ {
				b[i][j] -= b[i][k] * d[k][j]
			}
		}
	}
}

// update subtracts the product of a block of L and a block of U.
func (b block) update(l, u block) {
	n := len(b)
	for i := range n {
		for j := range n {
			for k := range n {
				b[i][j] -= l[i][k] * u[k][j]
			}
		}
	}
}
