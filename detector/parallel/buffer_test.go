package parallel

import "testing"

// The elements of a buffer have sync objects of their own, which end with the owner of the
// buffer. Another buffer of the same size then gets the addresses.
func TestBuffer(t *testing.T) {
	var e Engine
	m := e.Init(Options{})
	defer e.Close()
	const owner, x = heap + 0x10, heap + 0x2000
	races := 0
	OnReport(&e, func(*Report) { races++ })

	for round := range 3 {
		base := e.Buffer(m, owner, 5)
		if base == 0 {
			t.Fatal("no buffer")
		}
		a, b := e.Fork(m, 0, 1), e.Fork(m, 0, 2)
		e.Access(a, x, 8, Write, 1, 1, 0)
		e.ReleaseAcquire(a, base)
		e.ReleaseAcquire(b, base+4*wordBytes)
		e.Access(b, x, 8, Write, 2, 2, 0)
		if races != 1 {
			t.Errorf("round %d: different elements: %d races, want 1", round, races)
		}
		c := e.Fork(m, 0, 3)
		e.Access(a, x+64, 8, Write, 3, 3, 0)
		e.ReleaseAcquire(a, base)
		e.ReleaseAcquire(c, base)
		e.Access(c, x+64, 8, Write, 4, 4, 0)
		if races != 1 {
			t.Errorf("round %d: the same element: %d races, want 1", round, races)
		}
		if again := e.Buffer(m, 0, 5); again == 0 || again == base {
			t.Errorf("round %d: a buffer without owner is at %#x, another one at %#x", round, again, base)
		}

		used := e.objects.Used()
		e.Free(owner, 8)
		e.Free(x, 128)
		if n := used - e.objects.Used(); n != 3 {
			t.Errorf("round %d: %d objects ended with the owner, want 3", round, n)
		}
		if next := e.Buffer(m, owner, 8); next != base {
			t.Errorf("round %d: the next buffer is at %#x, want %#x", round, next, base)
		}
		d := e.Fork(m, 0, 4)
		e.Access(a, x+128, 8, Write, 5, 5, 0)
		e.Acquire(d, base)
		e.Access(d, x+128, 8, Write, 6, 6, 0)
		if races != 2 {
			t.Errorf("round %d: an element of the next buffer orders", round)
		}
		races = 0
		e.Free(owner, 8)
		e.Free(x, 256)
		e.ReportAgain()
	}
	if e.Buffer(m, 0, maxBuffer+1) != 0 {
		t.Error("a buffer larger than maxBuffer")
	}
	for e.Buffer(m, 0, maxBuffer) != 0 {
	}
	if e.Buffer(m, owner, maxBuffer) != 0 {
		t.Error("a buffer although no addresses are left")
	}
}
