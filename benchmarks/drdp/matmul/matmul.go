package matmul

import (
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/matrix"
	"taskinstr/benchmarks/drdp/promise"
)

func run(in input, racy bool) error {
	r := rand.New(rand.NewPCG(14, 15))
	a, b, c := matrix.Operands(in.n, r)
	multiply(c, a, b, in.block, racy)
	if racy {
		return nil
	}
	return matrix.CheckProduct(c, a, b, r, 1e-9)
}

// multiply adds the product of a and b to c.
func multiply(c, a, b matrix.Matrix, block int, racy bool) {
	if c.N <= block {
		multiplyBlock(c, a, b)
		return
	}
	var first [3]promise.Done
	for k := range 2 {
		var pending [3]promise.Done
		for q := range 3 {
			i, j := q/2, q%2
			pending[q] = promise.Do(func() {
				multiply(c.Quadrant(i, j), a.Quadrant(i, k), b.Quadrant(k, j), block, false)
			})
		}
		multiply(c.Quadrant(1, 1), a.Quadrant(1, k), b.Quadrant(k, 1), block, false)
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

func multiplyBlock(c, a, b matrix.Matrix) {
	n := c.N
	for i := range n {
		for k := range n {
			v := a.Data[i*a.Stride+k]
			for j := range n {
				c.Data[i*c.Stride+j] += v * b.Data[k*b.Stride+j]
			}
		}
	}
}
