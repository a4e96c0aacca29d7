package sort

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestQuickSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		xs := make([]int64, r.IntN(200))
		for i := range xs {
			xs[i] = r.Int64N(30)
		}
		want := slices.Sorted(slices.Values(xs))
		if quickSort(xs); !slices.Equal(xs, want) {
			t.Fatalf("got %v, want %v", xs, want)
		}
	}
}
