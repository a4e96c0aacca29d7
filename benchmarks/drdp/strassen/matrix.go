package strassen

import "taskinstr/benchmarks/drdp/matrix"

// quadrants returns the quadrants of m, as operands that are ready.
func quadrants(m matrix.Matrix) (q11, q12, q21, q22 operand) {
	at := func(i, j int) operand { return operand{Matrix: m.Quadrant(i, j)} }
	return at(0, 0), at(0, 1), at(1, 0), at(1, 1)
}

// add computes dst = a + f·b.
func add(dst, a, b matrix.Matrix, f float64) {
	for i := range dst.N {
		for j := range dst.N {
			dst.Data[i*dst.Stride+j] = a.Data[i*a.Stride+j] + f*b.Data[i*b.Stride+j]
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
func combine(dst matrix.Matrix, terms ...term) {
	first := terms[0].get()
	for i := range dst.N {
		copy(dst.Data[i*dst.Stride:i*dst.Stride+dst.N], first.Data[i*first.Stride:])
	}
	for _, t := range terms[1:] {
		add(dst, dst, t.get(), t.sign)
	}
}

// multiplyBlock computes c = a·b in the ordinary way.
func multiplyBlock(c, a, b matrix.Matrix) {
	n := c.N
	for i := range n {
		for j := range n {
			c.Data[i*c.Stride+j] = 0
		}
		for k := range n {
			v := a.Data[i*a.Stride+k]
			for j := range n {
				c.Data[i*c.Stride+j] += v * b.Data[k*b.Stride+j]
			}
		}
	}
}
