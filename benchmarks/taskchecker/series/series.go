package series

import (
	"fmt"
	"math"
	"sync"

	"taskinstr/benchmarks/program"
)

const (
	period    = 2.0
	intervals = 1000
)

func run(n int, racy bool) error {
	cosines, sines := make([]float64, n), make([]float64, n)
	var wg sync.WaitGroup
	for i := range n {
		k := i
		if racy {
			k = i / 2
		}
		wg.Go(func() { coefficients(cosines, sines, k) })
		if (i+1)%program.Alive == 0 {
			wg.Wait()
		}
	}
	wg.Wait()
	if racy {
		return nil
	}
	return check(cosines, sines)
}

func f(x float64) float64 { return math.Pow(x+1, x) }

// coefficients computes the k-th pair. The first has the mean and no sine.
func coefficients(cosines, sines []float64, k int) {
	if k == 0 {
		cosines[0] = integrate(f) / period
		return
	}
	omega := 2 * math.Pi * float64(k) / period
	cosines[k] = integrate(func(x float64) float64 { return f(x) * math.Cos(omega*x) })
	sines[k] = integrate(func(x float64) float64 { return f(x) * math.Sin(omega*x) })
}

// integrate applies the trapezoid rule to one period.
func integrate(g func(float64) float64) float64 {
	const dx = period / intervals
	sum := (g(0) + g(period)) / 2
	for i := 1; i < intervals; i++ {
		sum += g(float64(i) * dx)
	}
	return sum * dx
}

// check compares the first pairs with their known values.
func check(cosines, sines []float64) error {
	const within = 5e-5 // the rule's own error with that many intervals is smaller
	want := [...][2]float64{
		{2.8819181, 0},
		{1.1340356, -1.8820903},
		{0.3622205, -1.1648064},
		{0.1703171, -0.8147093},
	}
	for k, w := range want {
		if !(math.Abs(cosines[k]-w[0]) < within && math.Abs(sines[k]-w[1]) < within) {
			return fmt.Errorf("pair %d is %.7f, %.7f; want %.5f, %.5f", k, cosines[k], sines[k], w[0], w[1])
		}
	}
	return nil
}
