package kernels

import (
	"fmt"

	"taskinstr/benchmarks/model"
)

// Poisson performs Jacobi steps by blocks. The tasks of a block wait for the promises of
// the block and its four neighbours.
func Poisson(n, block, steps int) Model {
	return Model{"poisson", fmt.Sprintf("%d %d %d", n, block, steps), func(t *model.Task, checks Checks) {
		poisson(t, n, block, steps, checks)
	}}
}

func poisson(t *model.Task, n, block, steps int, checks Checks) {
	before, now, right := newMatrix(t, n), newMatrix(t, n), newMatrix(t, n)
	side := n / block
	var computed []*model.Promise
	for range steps {
		copied, next := promises(t, side*side), promises(t, side*side)
		for bi := range side {
			for bj := range side {
				own := bi*side + bj
				last, around := neighbours(computed, bi, bj, side), neighbours(copied, bi, bj, side)
				t.Async(func(t *model.Task) {
					t.Get(last...)
					copyBlock(t, before.part(bi*block, bj*block, block), now.part(bi*block, bj*block, block), checks)
					t.Set(copied[own])
				})
				t.Async(func(t *model.Task) {
					t.Get(around...)
					jacobi(t, now, before, right, now.part(bi*block, bj*block, block), checks)
					t.Set(next[own])
				})
			}
		}
		computed = next
	}
	t.Get(computed...)
}

func promises(t *model.Task, n int) []*model.Promise {
	ps := make([]*model.Promise, n)
	for i := range ps {
		ps[i] = t.Promise()
	}
	return ps
}

// neighbours returns the promises of a block and its neighbours. It returns nil for nil.
func neighbours(ps []*model.Promise, bi, bj, side int) []*model.Promise {
	if ps == nil {
		return nil
	}
	at := bi*side + bj
	near := []*model.Promise{ps[at]}
	if bi > 0 {
		near = append(near, ps[at-side])
	}
	if bi < side-1 {
		near = append(near, ps[at+side])
	}
	if bj > 0 {
		near = append(near, ps[at-1])
	}
	if bj < side-1 {
		near = append(near, ps[at+1])
	}
	return near
}

func copyBlock(t *model.Task, dst, src matrix, checks Checks) {
	if checks.byRows(t, dst, src) {
		return
	}
	dst.elements(func(i, j int) {
		t.Read(src.element(i, j))
		t.Write(dst.element(i, j))
	})
}

// jacobi computes the inner elements of a block of now from before.
func jacobi(t *model.Task, now, before, right, block matrix, checks Checks) {
	n := now.n
	i0, j0 := block.at/n, block.at%n
	lo, hi := max(j0, 1), min(j0+block.n, n-1)
	span := func(m matrix, i, lo, hi int) model.Var {
		return m.v.Part(uint64(i*m.stride+lo)*float, uint64(hi-lo)*float)
	}
	first, last := max(i0, 1), min(i0+block.n, n-1)
	if checks == Rows {
		t.Read(span(before, first-1, lo, hi))
		for i := first; i < last; i++ {
			t.Read(span(before, i, lo-1, hi+1))
			t.Read(span(right, i, lo, hi))
			t.Write(span(now, i, lo, hi))
		}
		t.Read(span(before, last, lo, hi))
		return
	}
	for i := first; i < last; i++ {
		for j := lo; j < hi; j++ {
			t.Read(before.element(i-1, j))
			t.Read(before.element(i+1, j))
			t.Read(before.element(i, j-1))
			t.Read(before.element(i, j+1))
			t.Read(right.element(i, j))
			t.Write(now.element(i, j))
		}
	}
}
