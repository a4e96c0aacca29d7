package lufact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

func run(n int, racy bool) error {
	a, b := system(n)
	pivots := factor(a, racy)
	x := append([]float64(nil), b...)
	solve(a, pivots, x)
	if racy {
		return nil
	}
	a, b = system(n)
	return check(a, x, b)
}

// system makes the columns of a random matrix, and the sums of its rows: the solution is
// a vector of ones.
func system(n int) (a [][]float64, b []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	a, b = make([][]float64, n), make([]float64, n)
	for j := range a {
		a[j] = make([]float64, n)
		for i := range a[j] {
			a[j][i] = r.Float64() - 0.5
			b[i] += a[j][i]
		}
	}
	return a, b
}

// factor replaces a by its factors: U on and above the diagonal, the negated
// multipliers of L below it. It returns the row that was swapped with row k at
// step k.
func factor(a [][]float64, racy bool) (pivots []int) {
	n := len(a)
	pivots = make([]int, n)
	for k := range n - 1 {
		pivot := a[k]
		l := k
		for i := k + 1; i < n; i++ {
			if math.Abs(pivot[i]) > math.Abs(pivot[l]) {
				l = i
			}
		}
		pivots[k] = l
		pivot[l], pivot[k] = pivot[k], pivot[l]
		for i := k + 1; i < n; i++ {
			pivot[i] /= -pivot[k]
		}
		first := k + 1
		if racy {
			first = k
		}
		var wg sync.WaitGroup
		for j := first; j < n; j++ {
			wg.Go(func() { update(a[j], pivot, k, l) })
		}
		wg.Wait()
	}
	return pivots
}

// update swaps the rows k and l of one column, and adds a multiple of the pivot column
// below row k.
func update(col, pivot []float64, k, l int) {
	t := col[l]
	col[l] = col[k]
	col[k] = t
	for i := k + 1; i < len(col); i++ {
		col[i] += t * pivot[i]
	}
}

// solve replaces the right hand side b by the solution.
func solve(a [][]float64, pivots []int, b []float64) {
	n := len(a)
	for k := range n - 1 {
		l := pivots[k]
		b[l], b[k] = b[k], b[l]
		for i := k + 1; i < n; i++ {
			b[i] += b[k] * a[k][i]
		}
	}
	for k := n - 1; k >= 0; k-- {
		b[k] /= a[k][k]
		for i := range k {
			b[i] -= b[k] * a[k][i]
		}
	}
}

// check computes Linpack's normalized residual, which is about one for a solution as good
// as rounding allows.
func check(a [][]float64, x, b []float64) error {
	const limit = 30
	n := len(a)
	residual := make([]float64, n)
	norm, largest, eps := 0.0, 0.0, math.Nextafter(1, 2)-1
	for j, col := range a {
		largest = max(largest, math.Abs(x[j]))
		for i, v := range col {
			residual[i] += v * x[j]
			norm = max(norm, math.Abs(v))
		}
	}
	worst := 0.0
	for i := range residual {
		worst = max(worst, math.Abs(residual[i]-b[i]))
	}
	if r := worst / (float64(n) * norm * largest * eps); !(r < limit) {
		return fmt.Errorf("normalized residual %g, want below %d", r, limit)
	}
	return nil
}
