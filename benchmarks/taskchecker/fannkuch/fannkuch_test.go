package fannkuch

import (
	"fmt"
	"slices"
	"testing"
)

func TestPermutation(t *testing.T) {
	const n = 6
	p := newPermutation(n, 0)
	seen := map[string]bool{}
	for i := range factorial(n) {
		q := newPermutation(n, i)
		if !slices.Equal(p.elements, q.elements) || !slices.Equal(p.rotated, q.rotated) {
			t.Fatalf("number %d: stepped to %v, computed %v", i, p, q)
		}
		if s := fmt.Sprint(q.elements); seen[s] {
			t.Fatalf("number %d: %s once more", i, s)
		} else {
			seen[s] = true
		}
		p.next()
	}
}
