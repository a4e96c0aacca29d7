package race

import "testing"

// A pair is new once, as a race and as a predicted one, in either order of its places, until Forget.
func TestTable(t *testing.T) {
	var x Table
	x.Init()
	defer x.Close()
	if PairOf(3, 4) != PairOf(4, 3) || PairOf(3, 4) == PairOf(3, 5) {
		t.Error("digests of pairs depend on their order, or on one place alone")
	}
	for range 3 {
		for pair := range uint64(1000) {
			for _, predicted := range []bool{true, false} {
				if x.Has(pair, predicted) || !x.Add(pair, predicted) || x.Add(pair, predicted) || !x.Has(pair, predicted) {
					t.Errorf("pair %d, predicted %v: not new once", pair, predicted)
				}
			}
		}
		x.Forget()
	}
	x.Add(7, true)
	x.Remove(7, false)
	x.Remove(7, true)
	if x.Has(7, true) || !x.Add(7, true) || !x.Has(7, true) {
		t.Error("a pair that was taken out is not new")
	}
}
