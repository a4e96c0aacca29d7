package sort

import (
	"slices"
	"testing"

	"taskinstr/benchmarks/program/programtest"
)

func Test(t *testing.T)          { programtest.Test(t, Program) }
func BenchmarkSort(b *testing.B) { programtest.Bench(b, Program) }

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
