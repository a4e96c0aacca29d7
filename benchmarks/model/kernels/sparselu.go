package kernels

import (
	"fmt"

	"taskinstr/benchmarks/model"
)

// SparseLU factorizes a sparse matrix of blocks. Each operation on a block is a task that
// gets the promises of the tasks that last wrote its operands.
func SparseLU(blocks, size int) Model {
	return Model{"sparselu", fmt.Sprintf("%d %d", blocks, size), func(t *model.Task, checks Checks) {
		sparselu(t, blocks, size, checks)
	}}
}

func sparselu(t *model.Task, n, size int, checks Checks) {
	blocks := sparse(t, n, size)
	written := make([][]*model.Promise, n)
	for i := range written {
		written[i] = make([]*model.Promise, n)
	}
	write := func(i, j int, f func(t *model.Task), needed ...*model.Promise) {
		if before := written[i][j]; before != nil {
			needed = append(needed, before)
		}
		written[i][j] = t.Future(func(t *model.Task) {
			t.Get(needed...)
			f(t)
		})
	}
	for k := range n {
		diagonal := *blocks[k][k]
		write(k, k, func(t *model.Task) { factor(t, diagonal, checks) })
		for j := k + 1; j < n; j++ {
			if b := blocks[k][j]; b != nil {
				write(k, j, func(t *model.Task) { forward(t, *b, diagonal, checks) }, written[k][k])
			}
		}
		for i := k + 1; i < n; i++ {
			if b := blocks[i][k]; b != nil {
				write(i, k, func(t *model.Task) { divide(t, *b, diagonal, checks) }, written[k][k])
			}
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				l, u := blocks[i][k], blocks[k][j]
				if l == nil || u == nil {
					continue
				}
				if blocks[i][j] == nil {
					b := newMatrix(t, size)
					blocks[i][j] = &b
				}
				b := *blocks[i][j]
				write(i, j, func(t *model.Task) { update(t, b, *l, *u, checks) }, written[i][k], written[k][j])
			}
		}
	}
	for _, row := range written {
		for _, p := range row {
			if p != nil {
				t.Get(p)
			}
		}
	}
}

// sparse returns a matrix of n times n blocks, nil for those without elements.
func sparse(t *model.Task, n, size int) [][]*matrix {
	blocks := make([][]*matrix, n)
	for i := range blocks {
		blocks[i] = make([]*matrix, n)
		for j := range blocks[i] {
			if near := j - i; near < -1 || near > 1 {
				if i%3 != 0 || j%3 != 0 {
					continue
				}
			}
			b := newMatrix(t, size)
			blocks[i][j] = &b
		}
	}
	return blocks
}

func factor(t *model.Task, d matrix, checks Checks) {
	if checks.byRows(t, d, d) {
		return
	}
	for k := range d.n {
		for i := k + 1; i < d.n; i++ {
			t.Read(d.element(k, k))
			t.Update(d.element(i, k))
			for j := k + 1; j < d.n; j++ {
				t.Read(d.element(i, k))
				t.Read(d.element(k, j))
				t.Update(d.element(i, j))
			}
		}
	}
}

func forward(t *model.Task, b, d matrix, checks Checks) {
	if checks.byRows(t, b, d, b) {
		return
	}
	for k := range b.n {
		for i := k + 1; i < b.n; i++ {
			for j := range b.n {
				t.Read(d.element(i, k))
				t.Read(b.element(k, j))
				t.Update(b.element(i, j))
			}
		}
	}
}

func divide(t *model.Task, b, d matrix, checks Checks) {
	if checks.byRows(t, b, d, b) {
		return
	}
	b.elements(func(i, k int) {
		t.Read(d.element(k, k))
		t.Update(b.element(i, k))
		for j := k + 1; j < b.n; j++ {
			t.Read(b.element(i, k))
			t.Read(d.element(k, j))
			t.Update(b.element(i, j))
		}
	})
}

func update(t *model.Task, b, l, u matrix, checks Checks) {
	if checks == Rows {
		multiplyBlock(t, b, l, u, checks)
		return
	}
	b.elements(func(i, j int) {
		for k := range b.n {
			t.Read(l.element(i, k))
			t.Read(u.element(k, j))
			t.Update(b.element(i, j))
		}
	})
}
