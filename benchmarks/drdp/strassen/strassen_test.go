package strassen

import (
	"math/rand/v2"
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)              { programtest.Test(t, Program) }
func BenchmarkStrassen(b *testing.B) { programtest.Bench(b, Program) }

// TestDeep has several levels of recursion.
func TestDeep(t *testing.T) {
	const n, block = 64, 8
	r := rand.New(rand.NewPCG(2, 2))
	a, b, c := newMatrix(n), newMatrix(n), newMatrix(n)
	for i := range a.data {
		a.data[i], b.data[i] = r.Float64()+0.1, r.Float64()+0.1
	}
	multiply(c, a, b, block, false)
	if err := check(a, b, c, r); err != nil {
		t.Error(err)
	}
}
