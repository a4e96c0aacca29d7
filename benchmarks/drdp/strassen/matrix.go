package strassen

// A matrix is a square view of a flat array.
type matrix struct {
	data   []float64
	n      int // rows and columns
	stride int // from row to row
}

func newMatrix(n int) matrix { return matrix{make([]float64, n*n), n, n} }

func (m matrix) quadrants() (q11, q12, q21, q22 operand) {
	h := m.n / 2
	at := func(i, j int) operand {
		return operand{matrix: matrix{m.data[i*h*m.stride+j*h:], h, m.stride}}
	}
	return at(0, 0), at(0, 1), at(1, 0), at(1, 1)
}

// add computes dst = a + f·b.
func add(dst, a, b matrix, f float64) {
	for i := range dst.n {
		for j := range dst.n {
			dst.data[i*dst.stride+j] = a.data[i*a.stride+j] + f*b.data[i*b.stride+j]
		}
	}
}

// A term is an operand with a sign.
type term struct {
	operand
	sign float64
}

func plus(o operand) term  { return term{o, 1} }
func minus(o operand) term { return term{o, -1} }

// combine sums the terms into dst.
func combine(dst matrix, terms ...term) {
	first := terms[0].get()
	for i := range dst.n {
		copy(dst.data[i*dst.stride:i*dst.stride+dst.n], first.data[i*first.stride:])
	}
	for _, t := range terms[1:] {
		add(dst, dst, t.get(), t.sign)
	}
}

// multiplyBlock computes c = a·b in the ordinary way.
func multiplyBlock(c, a, b matrix) {
	n := c.n
	for i := range n {
		for j := range n {
			c.data[i*c.stride+j] = 0
		}
		for k := range n {
			v := a.data[i*a.stride+k]
			for j := range n {
				c.data[i*c.stride+j] += v * b.data[k*b.stride+j]
			}
		}
	}
}
