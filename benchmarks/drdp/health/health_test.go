package health

import (
	"testing"
)

// TestSequential compares with a simulation without tasks.
func TestSequential(t *testing.T) {
	in := input{levels: 3, below: 4, days: 30, population: 10}
	a, b := newTree(in), newTree(in)
	var sequential func(v *village)
	sequential = func(v *village) {
		for _, b := range v.below {
			sequential(b)
		}
		v.hospital()
		for _, b := range v.below {
			v.admit(b)
		}
	}
	for range in.days {
		a.day(false)
		sequential(b)
	}
	if a.total() != b.total() {
		t.Errorf("with tasks %+v, without %+v", a.total(), b.total())
	}
}
