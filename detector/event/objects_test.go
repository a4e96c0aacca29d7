package event

import (
	"math/rand/v2"
	"testing"
)

// Objects knows the same as a map without pages.
func TestObjects(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var o Objects[uint64]
	want := map[uint64]uint64{}
	for n := range uint64(20_000) {
		addr := r.Uint64N(16 * objectPage)
		if r.IntN(20) > 0 {
			*o.Make(addr), want[addr] = n+1, n+1
		} else {
			size := r.Uint64N(1 << r.IntN(16))
			gone := map[uint64]bool{}
			o.Forget(addr, size, func(x *uint64) { gone[*x] = true })
			for a, x := range want {
				if a-addr < size {
					delete(want, a)
					if !gone[x] {
						t.Fatalf("the object at %#x is not gone with %d bytes at %#x", a, size, addr)
					}
				}
			}
		}
		if x := o.At(addr); (x != nil) != (want[addr] != 0) || x != nil && *x != want[addr] {
			t.Fatalf("at %#x: %v, want %d", addr, x, want[addr])
		}
	}
	n := 0
	for x := range o.All() {
		if *x == 0 {
			t.Error("an object of which nothing is known")
		}
		n++
	}
	if n != len(want) {
		t.Errorf("%d objects, want %d", n, len(want))
	}
}
