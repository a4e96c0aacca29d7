package sparselu

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/promise"
)

func run(in input, racy bool) error {
	m := newMatrix(in)
	m.factor(racy)
	if racy {
		return nil
	}
	return m.check(newMatrix(in))
}

// A matrix consists of blocks; a block of zeros is nil.
type matrix struct {
	input
	blocks [][]block
}

// newMatrix makes random blocks on three diagonals, and where every third row meets every
// third column. The diagonal dominates, so that pivoting is unnecessary.
func newMatrix(in input) *matrix {
	r := rand.New(rand.NewPCG(20, 21))
	m := &matrix{in, make([][]block, in.blocks)}
	for i := range m.blocks {
		m.blocks[i] = make([]block, in.blocks)
		for j := range m.blocks[i] {
			if near := j - i; (near < -1 || near > 1) && (i%3 != 0 || j%3 != 0) {
				continue
			}
			b := newBlock(in.size)
			for k := range b {
				for l := range b[k] {
					b[k][l] = r.Float64() - 0.5
				}
				if i == j {
					b[k][k] += float64(in.size * in.blocks)
				}
			}
			m.blocks[i][j] = b
		}
	}
	return m
}

// factor replaces the matrix by its factors.
func (m *matrix) factor(racy bool) {
	n := m.input.blocks
	// written holds, for each block, the promise of the task that writes it last.
	written := make([][]promise.Done, n)
	for i := range written {
		written[i] = make([]promise.Done, n)
	}
	// write starts a task that does f to the block i, j after the needed promises.
	write := func(i, j int, f func(), needed ...promise.Done) {
		if before := written[i][j]; before != nil {
			needed = append(needed, before)
		}
		written[i][j] = promise.Do(func() {
			for _, p := range needed {
				p.Get()
			}
			f()
		})
	}
	for k := range n {
		diagonal := m.blocks[k][k]
		write(k, k, diagonal.factor)
		for j := k + 1; j < n; j++ {
			if b := m.blocks[k][j]; b != nil {
				write(k, j, func() { b.forward(diagonal) }, written[k][k])
			}
		}
		for i := k + 1; i < n; i++ {
			if b := m.blocks[i][k]; b != nil {
				write(i, k, func() { b.divide(diagonal) }, written[k][k])
			}
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				l, u := m.blocks[i][k], m.blocks[k][j]
				if l == nil || u == nil {
					continue
				}
				if m.blocks[i][j] == nil {
					m.blocks[i][j] = newBlock(m.size)
				}
				b := m.blocks[i][j]
				needed := []promise.Done{written[i][k], written[k][j]}
				if racy && k == 0 && i == 1 && j == 1 {
					needed = needed[:1]
				}
				write(i, j, func() { b.update(l, u) }, needed...)
			}
		}
	}
	for _, row := range written {
		for _, p := range row {
			if p != nil {
				p.Get()
			}
		}
	}
}

// check compares L·(U·x) with a·x for a random vector x, where a is the matrix before the
// factorization.
func (m *matrix) check(a *matrix) error {
	r := rand.New(rand.NewPCG(22, 23))
	x := make([]float64, m.input.blocks*m.size)
	for i := range x {
		x[i] = r.Float64()
	}
	upper := m.apply(x, func(i, j int) float64 { return btof(j >= i) })
	got := m.apply(upper, func(i, j int) float64 { return btof(j < i) })
	want := a.apply(x, func(int, int) float64 { return 1 })
	for i := range got {
		got[i] += upper[i] // the diagonal of L is all ones
		if !(math.Abs(got[i]-want[i]) <= 1e-9*float64(len(x))) {
			return fmt.Errorf("row %d, times a vector, is %g, want %g", i, got[i], want[i])
		}
	}
	return nil
}

// apply multiplies the elements, each scaled by its weight, by x.
func (m *matrix) apply(x []float64, weight func(i, j int) float64) []float64 {
	y := make([]float64, len(x))
	for bi, row := range m.blocks {
		for bj, b := range row {
			for k := range b {
				for l, v := range b[k] {
					i, j := bi*m.size+k, bj*m.size+l
					y[i] += weight(i, j) * v * x[j]
				}
			}
		}
	}
	return y
}

func btof(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
