package context

import "testing"

// Contexts get numbers from which the way outwards can be read, and equal ones mostly get the same.
func TestTree(t *testing.T) {
	var x Tree
	x.Init()
	defer x.Close()
	var c Cache
	push := func(parent uint32, pc uintptr) uint32 {
		c.Restock(&x)
		return c.Look(&x, parent, pc)
	}
	if id := c.Look(&x, 0, 1); id != 0 {
		t.Fatalf("a cache without stock makes context %d", id)
	}
	const calls, depth = 300, 3
	var ids [calls]uint32
	for i := range ids {
		for d := range uintptr(depth) {
			ids[i] = push(ids[i], uintptr(i)<<8|d+1)
		}
	}
	again, found := 0, 0
	for i, want := range ids {
		id := uint32(0)
		for d := range uintptr(depth) {
			id = push(id, uintptr(i)<<8|d+1)
		}
		if id == want {
			again++
		}
		outer, pc := x.Frame(id)
		switch c.Find(outer, pc) {
		case id:
			found++
		case 0:
		default:
			t.Errorf("context %d is found as %d", id, c.Find(outer, pc))
		}
		for d := uintptr(depth); d > 0; d-- {
			parent, pc := x.Frame(id)
			if pc != uintptr(i)<<8|d {
				t.Fatalf("context %d, %d calls deep, returns to %#x", i, d, pc)
			}
			id = parent
		}
		if id != 0 {
			t.Errorf("context %d is deeper than %d calls", i, depth)
		}
	}
	// Equal contexts of several numbers have one digest, all others another one.
	digests := map[uint64]uint32{}
	for _, id := range ids {
		if other, ok := digests[x.Digest(id)]; ok {
			t.Errorf("contexts %d and %d have one digest", other, id)
		}
		digests[x.Digest(id)] = id
	}
	if x.Digest(1<<20) == x.Digest(1<<20+1) {
		t.Error("two numbers of another tree have one digest")
	}
	c = Cache{}
	x.Sweep(0) // forgets the contexts
	double := push(push(push(0, 7<<8|1), 7<<8|2), 7<<8|3)
	if x.Digest(double) != x.Digest(ids[7]) {
		t.Error("equal contexts have two digests")
	}

	if again < calls*9/10 || found < calls*8/10 {
		t.Errorf("of %d contexts %d have the same number again, and Find finds %d", calls, again, found)
	}

	// A sweep keeps what is marked, and everything around it.
	x.Mark(ids[7], 1)
	c = Cache{}
	x.Sweep(1)
	if n := x.Used(); n != depth {
		t.Errorf("%d contexts in use after the sweep, want %d", n, depth)
	}
	id := ids[7]
	for d := uintptr(depth); d > 0; d-- {
		parent, pc := x.Frame(id)
		if pc != 7<<8|d {
			t.Errorf("after the sweep, %d calls deep, it returns to %#x", d, pc)
		}
		id = parent
	}
	for i := range uintptr(1000) {
		if id := push(0, 1<<20|i); id == ids[7] {
			t.Fatalf("the sweep has freed context %d, which was marked", id)
		}
	}
}
