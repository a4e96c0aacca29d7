// Command gonum multiplies and factorizes matrices, transforms series and reduces vectors in two
// tasks; the product of matrices has tasks of its own.
package main

import (
	"log"
	"math"
	"sync"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

const (
	tasks  = 2
	order  = 200     // of matrices: more than three of gonum's blocks
	length = 1 << 13 // of series
	rounds = 20
	small  = 1e-6
)

func main() {
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			matrices(task)
			series(task)
		})
	}
	wg.Wait()
}

func matrices(task int) {
	a := mat.NewDense(order, order, nil)
	for i := range order {
		for j := range order {
			a.Set(i, j, math.Sin(float64(i*j+task)))
		}
		a.Set(i, i, order)
	}
	var square, back mat.Dense
	square.Mul(a, a)
	var lu mat.LU
	lu.Factorize(a)
	check(lu.SolveTo(&back, false, &square))
	if !mat.EqualApprox(&back, a, small) {
		log.Fatalf("task %d: the solution of a x = a a is not a", task)
	}
}

func series(task int) {
	s := make([]float64, length)
	for i := range s {
		s[i] = math.Cos(float64(i*i+task)) + float64(i%7)
	}
	fft := fourier.NewFFT(length)
	var spectrum []complex128
	back := make([]float64, length)
	for range rounds {
		spectrum = fft.Coefficients(spectrum, s)
		fft.Sequence(back, spectrum)
		floats.Scale(1.0/length, back)
		if d := floats.Distance(back, s, 2); d > small {
			log.Fatalf("task %d: the series came back at distance %v", task, d)
		}
		mean, deviation := stat.MeanStdDev(back, nil)
		floats.AddConst(-mean, back)
		floats.CumSum(back, back)
		if deviation <= 0 || math.Abs(back[length-1]) > small {
			log.Fatalf("task %d: mean %v, deviation %v, sum without mean %v", task, mean, deviation, back[length-1])
		}
	}
}
