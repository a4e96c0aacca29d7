package sort

import (
	"slices"
	"testing"
)

func TestEqualElements(t *testing.T) {
	xs := make([]int64, 3*sequentialBelow)
	for i := range xs {
		xs[i] = int64(i % 2)
	}
	sampleSort(xs, make([]int64, len(xs)), false)
	if !slices.IsSorted(xs) {
		t.Error("not sorted")
	}
}
