package main

import (
	"runtime"
	"testing"

	"taskinstr/benchmarks/micro/kernels"
)

// BenchmarkKernel runs the kernels with short runs. Their default size is one iteration.
func BenchmarkKernel(b *testing.B) {
	for _, k := range kernels.All {
		if k.Kind == kernels.Scale {
			continue // these take minutes: the command compare measures them
		}
		b.Run(k.Name, func(b *testing.B) {
			workers := runtime.GOMAXPROCS(0)
			for b.Loop() {
				if sum := k.Run(k.Size, workers); sum != k.Sum {
					b.Fatalf("checksum %d, want %d", sum, k.Sum)
				}
			}
		})
	}
}

// The checksum depends neither on the distribution of the work nor on the schedule.
func TestWorkers(t *testing.T) {
	for _, k := range kernels.All {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			want := k.Run(k.Small, 1)
			if want == 0 {
				t.Fatal("the checksum says that the work failed")
			}
			for _, workers := range []int{2, 3, 8} {
				if got := k.Run(k.Small, workers); got != want {
					t.Errorf("%d workers: checksum %d, want %d", workers, got, want)
				}
			}
			if got := k.Run(k.Small+8, 2); got == want {
				t.Errorf("sizes %d and %d have the same checksum %d", k.Small, k.Small+8, got)
			}
		})
	}
}
