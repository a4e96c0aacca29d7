package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

const tasks = 64

type matrix struct {
	val      []float64
	row, col []int // rows in ascending order
}

func run(in input, racy bool) error {
	r := rand.New(rand.NewPCG(10, 11))
	m := random(r, in)
	x, y := make([]float64, in.rows), make([]float64, in.rows)
	for i := range x {
		x[i] = r.Float64()
	}
	var wg sync.WaitGroup
	for t := range tasks {
		lo, hi := m.border(t), m.border(t+1)
		if racy {
			hi = min(hi+1, len(m.val))
		}
		wg.Go(func() { m.multiply(y, x, lo, hi, in.rounds) })
	}
	wg.Wait()
	if racy {
		return nil
	}
	return m.check(y, x, in.rounds)
}

// multiply adds the product of the elements lo to hi and x to y, the given number of
// times.
func (m *matrix) multiply(y, x []float64, lo, hi, rounds int) {
	for range rounds {
		for i := lo; i < hi; i++ {
			y[m.row[i]] += m.val[i] * x[m.col[i]]
		}
	}
}

// border returns the first element of task t, which is the first element of a row.
func (m *matrix) border(t int) int {
	n := len(m.val)
	at := n * t / tasks
	for 0 < at && at < n && m.row[at] == m.row[at-1] {
		at++
	}
	return at
}

func random(r *rand.Rand, in input) *matrix {
	m := &matrix{make([]float64, in.elements), make([]int, in.elements), make([]int, in.elements)}
	for i := range m.val {
		m.val[i], m.row[i], m.col[i] = r.Float64(), r.IntN(in.rows), r.IntN(in.rows)
	}
	slices.Sort(m.row)
	return m
}

// check compares y with a sequential product.
func (m *matrix) check(y, x []float64, rounds int) error {
	once := make([]float64, len(y))
	m.multiply(once, x, 0, len(m.val), 1)
	for i, v := range once {
		if want := v * float64(rounds); !(math.Abs(y[i]-want) <= 1e-9*want) {
			return fmt.Errorf("row %d is %g, want %g", i, y[i], want)
		}
	}
	return nil
}
