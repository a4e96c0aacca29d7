package bags

import (
	"math/rand/v2"
	"testing"
)

// A forest agrees with explicit sets.
func TestForest(t *testing.T) {
	const elements, steps = 60, 400
	r := rand.New(rand.NewPCG(1, 2))
	var f Forest
	bag := make([]int, elements) // the number of each element's set
	parallel := make([]bool, elements)
	for i := range elements {
		if n := f.Add(); n != uint32(i) || f.Parallel(n) {
			t.Fatalf("element %d is numbered %d", i, n)
		}
		bag[i] = i
	}
	for range steps {
		x, y := r.IntN(elements), r.IntN(elements)
		if r.IntN(8) == 0 {
			f.SetParallel(uint32(x))
			parallel[bag[x]] = true
		} else {
			p := r.IntN(2) == 0
			f.Unite(uint32(x), uint32(y), p)
			from, to := bag[y], bag[x]
			for i := range bag {
				if bag[i] == from {
					bag[i] = to
				}
			}
			parallel[to] = p
		}
		for i := range elements {
			if f.Parallel(uint32(i)) != parallel[bag[i]] {
				t.Fatalf("element %d: parallel is %v", i, !parallel[bag[i]])
			}
			for j := range elements {
				if (f.find(uint32(i)) == f.find(uint32(j))) != (bag[i] == bag[j]) {
					t.Fatalf("elements %d and %d", i, j)
				}
			}
		}
		if r.IntN(100) == 0 { // begin again before all are in one bag
			f = Forest{}
			for i := range elements {
				f.Add()
				bag[i], parallel[i] = i, false
			}
		}
	}
	if f.Len() != elements {
		t.Errorf("%d elements, want %d", f.Len(), elements)
	}
}
