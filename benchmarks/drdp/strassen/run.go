package strassen

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/program"
)

func run(s program.Size, racy bool) error {
	in := inputs.Of(s)
	r := rand.New(rand.NewPCG(18, 19))
	a, b, c := newMatrix(in.n), newMatrix(in.n), newMatrix(in.n)
	for i := range a.data {
		a.data[i], b.data[i] = r.Float64(), r.Float64()
	}
	multiply(c, a, b, in.block, racy)
	if racy {
		return nil
	}
	return check(a, b, c, r)
}

// check compares c·x with a·(b·x) for a random vector x (Freivalds). The sums
// and differences cost some accuracy.
func check(a, b, c matrix, r *rand.Rand) error {
	x := make([]float64, c.n)
	for i := range x {
		x[i] = r.Float64()
	}
	want, got := a.apply(b.apply(x)), c.apply(x)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= 1e-8*want[i]) {
			return fmt.Errorf("row %d, times a vector, is %g, want %g", i, got[i], want[i])
		}
	}
	return nil
}

// apply is m·x.
func (m matrix) apply(x []float64) []float64 {
	y := make([]float64, m.n)
	for i := range y {
		for j, v := range x {
			y[i] += m.data[i*m.stride+j] * v
		}
	}
	return y
}
