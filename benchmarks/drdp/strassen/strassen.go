package strassen

import (
	"taskinstr/benchmarks/drdp/matrix"
	"taskinstr/benchmarks/drdp/promise"
)

// operand is a matrix, possibly computed by a task.
type operand struct {
	matrix.Matrix
	ready promise.Done // nil: the matrix is there from the start
}

func (o operand) get() matrix.Matrix {
	if o.ready != nil {
		o.ready.Get()
	}
	return o.Matrix
}

// compute returns a matrix that a task computes.
func compute(n int, f func(dst matrix.Matrix)) operand {
	m := matrix.New(n)
	return operand{m, promise.Do(func() { f(m) })}
}

func sum(a, b operand) operand {
	return compute(a.N, func(dst matrix.Matrix) { add(dst, a.get(), b.get(), 1) })
}

func difference(a, b operand) operand {
	return compute(a.N, func(dst matrix.Matrix) { add(dst, a.get(), b.get(), -1) })
}

func product(a, b operand, block int) operand {
	return compute(a.N, func(dst matrix.Matrix) { multiply(dst, a.get(), b.get(), block, false) })
}

// multiply computes c = a·b.
func multiply(c, a, b matrix.Matrix, block int, racy bool) {
	if c.N <= block {
		multiplyBlock(c, a, b)
		return
	}
	a11, a12, a21, a22 := quadrants(a)
	b11, b12, b21, b22 := quadrants(b)

	s1 := sum(a21, a22)
	s2 := difference(s1, a11)
	s3 := difference(a11, a21)
	s4 := difference(a12, s2)
	t1 := difference(b12, b11)
	t2 := difference(b22, t1)
	t3 := difference(b22, b12)
	t4 := difference(t2, b21)

	p1 := product(a11, b11, block)
	p2 := product(a12, b21, block)
	p3 := product(s4, b22, block)
	p4 := product(a22, t4, block)
	p5 := product(s1, t1, block)
	p6 := product(s2, t2, block)
	p7 := product(s3, t3, block)

	late := p2.ready
	if racy {
		p2.ready = nil
	}
	c11, c12, c21, c22 := quadrants(c)
	results := []promise.Done{
		promise.Do(func() { combine(c11.Matrix, plus(p1), plus(p2)) }),
		promise.Do(func() { combine(c12.Matrix, plus(p1), plus(p6), plus(p5), plus(p3)) }),
		promise.Do(func() { combine(c21.Matrix, plus(p1), plus(p6), plus(p7), minus(p4)) }),
		promise.Do(func() { combine(c22.Matrix, plus(p1), plus(p6), plus(p7), plus(p5)) }),
		late,
	}
	for _, r := range results {
		r.Get()
	}
}
