package strassen

import (
	"math/rand/v2"
	"testing"

	"taskinstr/benchmarks/drdp/matrix"
)

// TestDeep tests several levels of recursion.
func TestDeep(t *testing.T) {
	const n, block = 64, 8
	r := rand.New(rand.NewPCG(2, 2))
	a, b, c := matrix.New(n), matrix.New(n), matrix.New(n)
	for i := range a.Data {
		a.Data[i], b.Data[i] = r.Float64()+0.1, r.Float64()+0.1
	}
	multiply(c, a, b, block, false)
	if err := matrix.CheckProduct(c, a, b, r, 1e-8); err != nil {
		t.Error(err)
	}
}
