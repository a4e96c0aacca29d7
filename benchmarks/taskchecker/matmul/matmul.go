package matmul

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

func run(n int, racy bool) error {
	r := rand.New(rand.NewPCG(12, 13))
	a, b, c := random(r, n), random(r, n), zero(n)
	var wg sync.WaitGroup
	for i := range n {
		row := i
		if racy {
			row = i / 2
		}
		wg.Go(func() { multiplyRow(c, a, b, row) })
	}
	wg.Wait()
	if racy {
		return nil
	}
	return check(a, b, c, r)
}

// multiplyRow adds row i of the product of a and b to c.
func multiplyRow(c, a, b [][]float64, i int) {
	n := len(c)
	for j := range n {
		for k := range n {
			c[i][j] += a[i][k] * b[k][j]
		}
	}
}

func zero(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

func random(r *rand.Rand, n int) [][]float64 {
	m := zero(n)
	for _, row := range m {
		for j := range row {
			row[j] = r.Float64()
		}
	}
	return m
}

// check compares c·x with a·(b·x) for a random vector x (Freivalds). A wrong product
// passes with probability zero.
func check(a, b, c [][]float64, r *rand.Rand) error {
	x := make([]float64, len(c))
	for i := range x {
		x[i] = r.Float64()
	}
	want, got := apply(a, apply(b, x)), apply(c, x)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-9*want[i]) {
			return fmt.Errorf("row %d, times a vector, is %g, want %g", i, got[i], want[i])
		}
	}
	return nil
}

// apply returns m·x.
func apply(m [][]float64, x []float64) []float64 {
	y := make([]float64, len(m))
	for i, row := range m {
		for j, v := range row {
			y[i] += v * x[j]
		}
	}
	return y
}
