package script

import (
	"math/rand/v2"
	"testing"
)

// Texts represent programs.
func TestParse(t *testing.T) {
	for seed := range uint64(200) {
		p := Random(rand.New(rand.NewPCG(seed, 1)), 20)
		q, err := Parse(p.String())
		if err != nil || q.String() != p.String() {
			t.Fatalf("%q is read as %q, %v", p, q, err)
		}
	}
	for _, bad := range []string{"x", "a", "a(", "a()) l0", "w0", "w9=1", "?0=1 l0", "l"} {
		if p, err := Parse(bad); err == nil {
			t.Errorf("%q is read as %q", bad, p)
		}
	}
}
