package bytemap

import (
	"math/rand/v2"
	"testing"
)

// Random updates agree with an array of bytes. Runs are as long as possible within a
// page, up to words whose bytes differ.
func TestUpdate(t *testing.T) {
	const base, size = 3*pageSize - 104, 304
	r := rand.New(rand.NewPCG(1, 2))
	var m Map[int]
	var want [size]int
	check := func(step int, lo, n uint64, set func(v int) int) {
		at := lo
		m.Update(lo, n, func(v int, a, b uint64) int {
			if a != at || b <= a {
				t.Fatalf("step %d: run [%d, %d) where %d is due", step, a, b, at)
			}
			at = b
			for x := a; x < b; x++ {
				if want[x-base] != v {
					t.Fatalf("step %d: byte %d has %d, want %d", step, x, v, want[x-base])
				}
				want[x-base] = set(v)
			}
			return set(v)
		})
		if at != lo+n {
			t.Fatalf("step %d: runs end at %d, want %d", step, at, lo+n)
		}
	}
	for step := range 20000 {
		n := uint64(1 + r.IntN(40))
		lo := base + uint64(r.IntN(size-int(n)))
		switch r.IntN(4) {
		case 0:
			check(step, lo, n, func(v int) int { return v + 1 })
		case 1:
			check(step, lo&^7, n&^7, func(v int) int { return 5 })
		case 2:
			m.Clear(lo, n)
			for x := lo; x < lo+n; x++ {
				want[x-base] = 0
			}
		case 3:
			check(step, lo, n, func(v int) int { return v })
		}
	}
	m.Clear(pageSize, 4*pageSize)
	if m.Pages() != 0 {
		t.Errorf("%d pages are left", m.Pages())
	}
	runs := 0
	m.Update(0, pageSize, func(v int, lo, hi uint64) int { runs++; return 1 })
	if runs != 1 {
		t.Errorf("a fresh page is %d runs", runs)
	}
}
