package space

import (
	"math/rand/v2"
	"testing"
)

func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		n := 1 + r.IntN(40)
		keys, xs := make([]float64, n), make([]int32, n)
		for i := range xs {
			keys[i], xs[i] = float64(r.IntN(10)), int32(i)
		}
		k := r.IntN(n)
		key := func(i int32) float64 { return keys[i] }
		Select(xs, k, key)
		for _, i := range xs[:k] {
			for _, j := range xs[k:] {
				if key(i) > key(j) {
					t.Fatalf("Select(%d): %g is before %g", k, key(i), key(j))
				}
			}
		}
	}
}

func TestCut(t *testing.T) {
	b := Empty()
	b.Include(Vector{0, 0, 0})
	b.Include(Vector{1, 2, 3})
	for _, tt := range []struct {
		from, direction Vector
		hit             bool
		first, last     float64
	}{
		{Vector{-1, 1, 1}, Vector{1, 1e-9, 1e-9}, true, 1, 2},
		{Vector{0.5, 1, 1}, Vector{-1, 1e-9, 1e-9}, true, 0, 0.5},
		{Vector{-1, 3, 1}, Vector{1, 1e-9, 1e-9}, false, 0, 0},
		{Vector{2, 1, 1}, Vector{1, 1e-9, 1e-9}, false, 0, 0},
	} {
		inverse := Vector{1 / tt.direction[0], 1 / tt.direction[1], 1 / tt.direction[2]}
		first, last := b.Cut(tt.from, inverse)
		if hit := first <= last; hit != tt.hit || hit && (first != tt.first || last != tt.last) {
			t.Errorf("Cut(%v, %v) = %g, %g", tt.from, tt.direction, first, last)
		}
	}
	if b.Axis() != 2 || b.Distance(Vector{2, 1, 1}) != 1 || b.Distance(Vector{0.5, 1, 1}) != 0 {
		t.Errorf("Axis %d, distances %g and %g", b.Axis(), b.Distance(Vector{2, 1, 1}), b.Distance(Vector{0.5, 1, 1}))
	}
}
