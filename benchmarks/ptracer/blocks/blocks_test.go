package blocks

import "testing"

func TestEach(t *testing.T) {
	for n := range 20 {
		for size := 1; size < 8; size++ {
			seen := make([]int, n)
			Each(n, size, func(lo, hi int) {
				if hi <= lo || hi-lo > size {
					t.Errorf("Each(%d, %d): block [%d, %d)", n, size, lo, hi)
				}
				for i := lo; i < hi; i++ {
					seen[i]++
				}
			})
			for i, times := range seen {
				if times != 1 {
					t.Errorf("Each(%d, %d): index %d is in %d blocks", n, size, i, times)
				}
			}
		}
	}
}
