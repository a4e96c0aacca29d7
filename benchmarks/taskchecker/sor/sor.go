package sor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
)

// omega is the relaxation factor.
const omega = 1.25

func run(in input, racy bool) error {
	g := grid(in.rows)
	before := residual(g)
	for sweep := range in.sweeps {
		step := 2
		if racy && sweep == 0 {
			step = 1
		}
		for parity := range 2 {
			var wg sync.WaitGroup
			for i := 1 + parity; i < in.rows-1; i += step {
				wg.Go(func() { relax(g[i-1], g[i], g[i+1]) })
			}
			wg.Wait()
		}
	}
	if racy {
		return nil
	}
	return check(g, in, before)
}

// grid returns a grid with a solution on its border and noise in the interior.
func grid(n int) [][]float64 {
	r := rand.New(rand.NewPCG(8, 9))
	g := make([][]float64, n)
	for i := range g {
		g[i] = make([]float64, n)
		for j := range g[i] {
			if i == 0 || j == 0 || i == n-1 || j == n-1 {
				g[i][j] = solution(i, j, n)
			} else {
				g[i][j] = r.Float64()
			}
		}
	}
	return g
}

// solution returns a value of a function that solves the discrete equation exactly, too.
func solution(i, j, n int) float64 {
	x, y := float64(i)/float64(n), float64(j)/float64(n)
	return x*x - y*y
}

// relax updates the inner cells of a row.
func relax(up, row, down []float64) {
	for j := 1; j < len(row)-1; j++ {
		row[j] = omega/4*(up[j]+down[j]+row[j-1]+row[j+1]) + (1-omega)*row[j]
	}
}

// residual returns the mean square error of the equation.
func residual(g [][]float64) float64 {
	sum, n := 0.0, len(g)
	for i := 1; i < n-1; i++ {
		for j := 1; j < n-1; j++ {
			d := g[i-1][j] + g[i+1][j] + g[i][j-1] + g[i][j+1] - 4*g[i][j]
			sum += d * d
		}
	}
	return sum / float64((n-2)*(n-2))
}

// check compares the residual with the known effect of the sweeps: they smooth out the
// noise within a few sweeps, and the rest slowly.
func check(g [][]float64, in input, before float64) error {
	limit := before / float64(in.sweeps*in.sweeps)
	if after := residual(g); !(after < limit) {
		return fmt.Errorf("residual %g after %d sweeps, want below %g", after, in.sweeps, limit)
	}
	worst := 0.0
	for i := range g {
		for j, v := range g[i] {
			worst = max(worst, math.Abs(v-solution(i, j, in.rows)))
		}
	}
	if !(worst < 1.5) {
		return fmt.Errorf("a cell is %g away from the solution", worst)
	}
	return nil
}
