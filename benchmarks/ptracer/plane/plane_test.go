package plane

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestInCircle compares with numbers of any size, in the corners of the square, too.
func TestInCircle(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	coordinate := func() int64 {
		if r.IntN(2) == 0 {
			return int64(r.IntN(2)) * (Side - 1)
		}
		return r.Int64N(Side)
	}
	for range 20_000 {
		var p [4]Point
		for i := range p {
			p[i] = Point{coordinate(), coordinate()}
		}
		if Orient(p[0], p[1], p[2]) <= 0 {
			continue
		}
		if got, want := InCircle(p[0], p[1], p[2], p[3]), exact(p).Sign() > 0; got != want {
			t.Fatalf("InCircle%v = %t, want %t", p, got, want)
		}
	}
}

// exact returns the determinant of InCircle.
func exact(p [4]Point) *big.Int {
	sum := new(big.Int)
	for i := range 3 {
		a, b, c := p[i], p[(i+1)%3], p[(i+2)%3]
		minor := big.NewInt((b.X-p[3].X)*(c.Y-p[3].Y) - (b.Y-p[3].Y)*(c.X-p[3].X))
		sum.Add(sum, minor.Mul(minor, big.NewInt(Distance(a, p[3]))))
	}
	return sum
}
