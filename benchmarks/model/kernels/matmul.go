package kernels

import (
	"fmt"

	"taskinstr/benchmarks/model"
)

// Matmul multiplies by quadrants, with async and finish.
func Matmul(n, block int) Model {
	return Model{"matmul", fmt.Sprintf("%d %d", n, block), func(t *model.Task, checks Checks) {
		multiply(t, newMatrix(t, n), newMatrix(t, n), newMatrix(t, n), block, checks)
	}}
}

func multiply(t *model.Task, c, a, b matrix, block int, checks Checks) {
	if c.n <= block {
		multiplyBlock(t, c, a, b, checks)
		return
	}
	for k := range 2 {
		t.Finish(func() {
			for q := range 3 {
				i, j := q/2, q%2
				t.Async(func(t *model.Task) {
					multiply(t, c.quadrant(i, j), a.quadrant(i, k), b.quadrant(k, j), block, checks)
				})
			}
			multiply(t, c.quadrant(1, 1), a.quadrant(1, k), b.quadrant(k, 1), block, checks)
		})
	}
}
