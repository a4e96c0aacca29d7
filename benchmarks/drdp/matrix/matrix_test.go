package matrix

import (
	"math/rand/v2"
	"testing"
)

func TestCheckProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whole := New(4)
	for i := range whole.Data {
		whole.Data[i] = float64(i + 1)
	}
	// Quadrants are views of the whole matrix.
	a, b, c := whole.Quadrant(0, 1), whole.Quadrant(1, 0), New(2)
	for i := range 2 {
		for j := range 2 {
			for k := range 2 {
				c.Data[i*2+j] += a.Data[i*a.Stride+k] * b.Data[k*b.Stride+j]
			}
		}
	}
	if c.Data[0] != 3*9+4*13 {
		t.Fatalf("the quarters' product begins with %g", c.Data[0])
	}
	if err := CheckProduct(c, a, b, r, 1e-12); err != nil {
		t.Error(err)
	}
	c.Data[3]++
	if CheckProduct(c, a, b, r, 1e-12) == nil {
		t.Error("a wrong product was accepted")
	}
}
