package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/promise"
	"taskinstr/benchmarks/program"
)

// A matrix is a square view of a flat array.
type matrix struct {
	data   []float64
	n      int // rows and columns
	stride int // from row to row
}

func newMatrix(n int) matrix { return matrix{make([]float64, n*n), n, n} }

// quadrant returns a quarter: i and j are 0 or 1.
func (m matrix) quadrant(i, j int) matrix {
	h := m.n / 2
	return matrix{m.data[i*h*m.stride+j*h:], h, m.stride}
}

func run(s program.Size, racy bool) error {
	in := inputs.Of(s)
	r := rand.New(rand.NewPCG(14, 15))
	a, b, c := newMatrix(in.n), newMatrix(in.n), newMatrix(in.n)
	for i := range a.data {
		a.data[i], b.data[i] = r.Float64(), r.Float64()
	}
	multiply(c, a, b, in.block, racy)
	if racy {
		return nil
	}
	return check(a, b, c, r)
}

// multiply adds the product of a and b to c.
func multiply(c, a, b matrix, block int, racy bool) {
	if c.n <= block {
		multiplyBlock(c, a, b)
		return
	}
	var first [3]promise.Done
	for k := range 2 {
		var pending [3]promise.Done
		for q := range 3 {
			i, j := q/2, q%2
			pending[q] = promise.Do(func() {
				multiply(c.quadrant(i, j), a.quadrant(i, k), b.quadrant(k, j), block, false)
			})
		}
		multiply(c.quadrant(1, 1), a.quadrant(1, k), b.quadrant(k, 1), block, false)
		from := 0
		if racy && k == 0 {
			first, from = pending, 1
		}
		for _, p := range pending[from:] {
			p.Get()
		}
	}
	if racy {
		first[0].Get()
	}
}

func multiplyBlock(c, a, b matrix) {
	n := c.n
	for i := range n {
		for k := range n {
			v := a.data[i*a.stride+k]
			for j := range n {
				c.data[i*c.stride+j] += v * b.data[k*b.stride+j]
			}
		}
	}
}

// check compares c·x with a·(b·x) for a random vector x (Freivalds).
func check(a, b, c matrix, r *rand.Rand) error {
	x := make([]float64, c.n)
	for i := range x {
		x[i] = r.Float64()
	}
	want, got := a.apply(b.apply(x)), c.apply(x)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*want[i]) {
			return fmt.Errorf("row %d, times a vector, is %g, want %g", i, got[i], want[i])
		}
	}
	return nil
}

// apply is m·x.
func (m matrix) apply(x []float64) []float64 {
	y := make([]float64, m.n)
	for i := range y {
		for j, v := range x {
			y[i] += m.data[i*m.stride+j] * v
		}
	}
	return y
}
