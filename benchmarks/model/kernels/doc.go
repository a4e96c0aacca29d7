// Package kernels has models (package benchmarks/model) of the DRDP paper's programs
// whose use of promises or finish does not depend on their data: matmul, strassen,
// sparselu and poisson. They fork the same tasks as the Go programs in benchmarks/drdp,
// and set and get the same promises. A model has async and finish only if the paper's
// version does.
//
// A model declares the accesses of a step in one of two ways: every access, as the source
// makes them, or each row of a block once, as after the elimination of redundant checks.
package kernels

import "taskinstr/benchmarks/model"

// A Model is a program with parameters.
type Model struct {
	Name  string
	Input string
	Run   func(t *model.Task, c Checks)
}

// Checks selects the declared accesses.
type Checks bool

const (
	Rows Checks = false // each row of a block, once in a step
	Each Checks = true  // each element, at each access
)

// byRows declares, if each row is declared once, the reads of all rows of the operands and the writes of
// the result. It reports whether it did.
func (c Checks) byRows(t *model.Task, result matrix, operands ...matrix) bool {
	if c != Rows {
		return false
	}
	for _, m := range operands {
		m.read(t)
	}
	result.write(t)
	return true
}

// float is the size of an element.
const float = 8

// A matrix is a square view of memory, row by row.
type matrix struct {
	v         model.Var
	n, stride int
	at        int // the index of its first element in v
}

func newMatrix(t *model.Task, n int) matrix {
	return matrix{v: t.Var(uint64(n * n * float)), n: n, stride: n}
}

func (m matrix) part(i, j, n int) matrix {
	m.at += i*m.stride + j
	m.n = n
	return m
}

func (m matrix) quadrant(i, j int) matrix { return m.part(i*m.n/2, j*m.n/2, m.n/2) }

func (m matrix) element(i, j int) model.Var {
	return m.v.Part(uint64(m.at+i*m.stride+j)*float, float)
}

func (m matrix) row(i int) model.Var {
	return m.v.Part(uint64(m.at+i*m.stride)*float, uint64(m.n)*float)
}

// read declares reads of all rows.
func (m matrix) read(t *model.Task) {
	for i := range m.n {
		t.Read(m.row(i))
	}
}

// write declares writes of all rows.
func (m matrix) write(t *model.Task) {
	for i := range m.n {
		t.Write(m.row(i))
	}
}

// elements calls f for all pairs of indices.
func (m matrix) elements(f func(i, j int)) {
	for i := range m.n {
		for j := range m.n {
			f(i, j)
		}
	}
}

// multiplyBlock declares the accesses of c += a·b.
func multiplyBlock(t *model.Task, c, a, b matrix, checks Checks) {
	if checks.byRows(t, c, a, b, c) {
		return
	}
	c.elements(func(i, k int) {
		t.Read(a.element(i, k))
		for j := range c.n {
			t.Read(b.element(k, j))
			t.Update(c.element(i, j))
		}
	})
}
