package mem

import (
	"testing"
	"unsafe"
)

// An arena commits little more memory than its elements need, until it is large.
func TestArenaCommits(t *testing.T) {
	for _, small := range []uintptr{hugeFrom, hotFrom} {
		var a Arena
		a.Init(64, 0, 1<<30, "elements")
		if small == hotFrom {
			a.Hot()
		}
		if (a.Base+small)%hugeChunk != 0 {
			t.Errorf("large pages would begin at %#x", a.Base+small)
		}
		for a.Next < 1<<18 {
			a.Get()
			used := uintptr(a.Next) * a.size
			slack := uintptr(firstChunk)
			switch {
			case used > small:
				slack = hugeChunk
			case used > firstChunk:
				slack = midChunk
			}
			if a.Committed-used > slack || a.Committed < used {
				t.Fatalf("%d bytes committed for %d", a.Committed, used)
			}
		}
		a.Close()
	}
}

// An element is handed out once, alone or from a stock, until it is put back.
func TestArenaHandsOutOnce(t *testing.T) {
	for _, batched := range []bool{false, true} {
		var a Arena
		a.Init(12, 0, 1<<20, "elements")
		if batched {
			a.Batched(4)
		}
		owner := func(i uint32) *uint32 { return (*uint32)(unsafe.Add(a.At(i), 8)) }
		var h Hoard
		var owned []uint32 // the oldest first
		for round := range uint32(4000) {
			var i uint32
			if stock := batched && round%3 == 0; stock {
				i = h.Get(&a)
			} else {
				i = a.Get()
			}
			if i == 0 || i >= a.Next || *owner(i) != 0 {
				t.Fatalf("element %d of %d has owner %d", i, a.Next, *owner(i))
			}
			*owner(i) = round + 1
			owned = append(owned, i)
			for len(owned) > 300 || round%1000 == 999 && len(owned) > 0 {
				i, owned = owned[0], owned[1:]
				*owner(i) = 0
				if batched && round%2 == 0 {
					h.Put(&a, i)
				} else {
					a.Put(i)
				}
			}
			if n := a.Used(); n != uint32(len(owned))+h.Size() {
				t.Fatalf("%d elements in use, %d owned and %d in stock", n, len(owned), h.Size())
			}
		}
		if most := uint32(300 + 3*Batch); a.Next > most {
			t.Errorf("%d elements were made, want %d at most", a.Next, most)
		}
		a.Restart()
		if i := a.Get(); i != 1 {
			t.Errorf("element %d was handed out after Restart", i)
		}
		a.Close()
	}
}

// A table finds what was interned, until a sweep; a sweep keeps what is marked.
func TestInterned(t *testing.T) {
	var s Interned
	s.Init(8, 0, 1000, "elements")
	defer s.Close()
	mark := func(i uint32) *uint32 { return (*uint32)(unsafe.Add(s.At(i), 4)) }
	const n = 100
	for x := uint64(1); x <= n; x++ {
		_, slot, tag := s.Find(x)
		Intern(slot, tag, s.Get())
	}
	found := 0
	for x := uint64(1); x <= n; x++ {
		switch i, _, _ := s.Find(x); i {
		case uint32(x):
			found++
		case 0:
		default:
			t.Errorf("%d found as %d", x, i)
		}
	}
	if found < n-5 {
		t.Errorf("%d of %d found", found, n)
	}
	*mark(3), *mark(50) = 7, 7
	s.Sweep(4, 7)
	if i, _, _ := s.Find(50); i != 0 {
		t.Errorf("element %d found after a sweep", i)
	}
	if s.Used() != 2 || s.Next != 51 {
		t.Errorf("%d elements in use below %d after the sweep, want 2 below 51", s.Used(), s.Next)
	}
	for range 48 {
		if i := s.Get(); i == 3 || i >= 50 {
			t.Errorf("element %d was handed out", i)
		}
	}
}
