package kernels

import (
	"fmt"

	"taskinstr/benchmarks/model"
)

// Strassen multiplies by seven products, with a promise for each sum and product.
func Strassen(n, block int) Model {
	return Model{"strassen", fmt.Sprintf("%d %d", n, block), func(t *model.Task, checks Checks) {
		strassen(t, newMatrix(t, n), newMatrix(t, n), newMatrix(t, n), block, checks)
	}}
}

// An operand is a matrix. ready is the promise of the task that computes it, nil if the
// matrix is there from the start.
type operand struct {
	matrix
	ready *model.Promise
}

func (o operand) get(t *model.Task) matrix {
	if o.ready != nil {
		t.Get(o.ready)
	}
	return o.matrix
}

// compute returns a matrix that a task computes.
func compute(t *model.Task, n int, f func(t *model.Task, dst matrix)) operand {
	m := newMatrix(t, n)
	return operand{m, t.Future(func(t *model.Task) { f(t, m) })}
}

func sum(t *model.Task, a, b operand, checks Checks) operand {
	return compute(t, a.n, func(t *model.Task, dst matrix) {
		add(t, dst, a.get(t), b.get(t), checks)
	})
}

// add declares the accesses of dst = a + b.
func add(t *model.Task, dst, a, b matrix, checks Checks) {
	if checks.byRows(t, dst, a, b) {
		return
	}
	dst.elements(func(i, j int) {
		t.Read(a.element(i, j))
		t.Read(b.element(i, j))
		t.Write(dst.element(i, j))
	})
}

// combine declares the accesses of a sum of terms into dst, whose first term is copied by
// rows.
func combine(t *model.Task, dst matrix, checks Checks, terms ...operand) {
	terms[0].get(t).read(t)
	dst.write(t)
	for _, o := range terms[1:] {
		add(t, dst, dst, o.get(t), checks)
	}
}

func strassen(t *model.Task, c, a, b matrix, block int, checks Checks) {
	if c.n <= block {
		c.write(t)
		multiplyBlock(t, c, a, b, checks)
		return
	}
	quarter := func(m matrix, i, j int) operand { return operand{matrix: m.quadrant(i, j)} }
	a11, a12, a21, a22 := quarter(a, 0, 0), quarter(a, 0, 1), quarter(a, 1, 0), quarter(a, 1, 1)
	b11, b12, b21, b22 := quarter(b, 0, 0), quarter(b, 0, 1), quarter(b, 1, 0), quarter(b, 1, 1)
	plus := func(a, b operand) operand { return sum(t, a, b, checks) }
	product := func(a, b operand) operand {
		return compute(t, a.n, func(t *model.Task, dst matrix) {
			strassen(t, dst, a.get(t), b.get(t), block, checks)
		})
	}
	s1 := plus(a21, a22)
	s2 := plus(s1, a11)
	s3 := plus(a11, a21)
	s4 := plus(a12, s2)
	t1 := plus(b12, b11)
	t2 := plus(b22, t1)
	t3 := plus(b22, b12)
	t4 := plus(t2, b21)

	p1 := product(a11, b11)
	p2 := product(a12, b21)
	p3 := product(s4, b22)
	p4 := product(a22, t4)
	p5 := product(s1, t1)
	p6 := product(s2, t2)
	p7 := product(s3, t3)

	var results []*model.Promise
	for q, terms := range [][]operand{{p1, p2}, {p1, p6, p5, p3}, {p1, p6, p7, p4}, {p1, p6, p7, p5}} {
		dst := c.quadrant(q/2, q%2)
		results = append(results, t.Future(func(t *model.Task) { combine(t, dst, checks, terms...) }))
	}
	t.Get(append(results, p2.ready)...)
}
