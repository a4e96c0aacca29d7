// Package matrix implements the square matrices of the programs that multiply matrices.
package matrix

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// A Matrix is a square view of a flat array.
type Matrix struct {
	Data   []float64
	N      int // rows and columns
	Stride int // distance between rows in the array
}

// New returns a matrix of zeros.
func New(n int) Matrix { return Matrix{make([]float64, n*n), n, n} }

// Operands returns two random matrices, and one of zeros for their product.
func Operands(n int, r *rand.Rand) (a, b, product Matrix) {
	a, b, product = New(n), New(n), New(n)
	for i := range a.Data {
		a.Data[i], b.Data[i] = r.Float64(), r.Float64()
	}
	return a, b, product
}

// Quadrant returns a quadrant; i and j are 0 or 1.
func (m Matrix) Quadrant(i, j int) Matrix {
	h := m.N / 2
	return Matrix{m.Data[i*h*m.Stride+j*h:], h, m.Stride}
}

// apply returns m·x.
func (m Matrix) apply(x []float64) []float64 {
	y := make([]float64, m.N)
	for i := range y {
		for j, v := range x {
			y[i] += m.Data[i*m.Stride+j] * v
		}
	}
	return y
}

// CheckProduct compares c·x with a·(b·x) for a random vector x (Freivalds). The relative
// error of each element must not exceed within.
func CheckProduct(c, a, b Matrix, r *rand.Rand, within float64) error {
	x := make([]float64, c.N)
	for i := range x {
		x[i] = r.Float64()
	}
	want, got := a.apply(b.apply(x)), c.apply(x)
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= within*want[i]) {
			return fmt.Errorf("row %d, times a vector, is %g, want %g", i, got[i], want[i])
		}
	}
	return nil
}
