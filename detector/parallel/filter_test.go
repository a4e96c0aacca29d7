package parallel

import "testing"

// A filter holds back an atomic load of the same length that repeats an atomic access of the step, and no
// plain access because of an atomic one, nor the other way round.
func TestFilteredLoad(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	e.giveFilter(m)
	want := func(why string, held bool, addr, n uintptr) {
		t.Helper()
		if m.FilteredLoad(addr, n) != held {
			t.Errorf("%s: held back is %v", why, !held)
		}
	}
	const a, b, c, d = heap, heap + 64, heap + 128, heap + 192
	want("never accessed", false, a, 8)
	e.Access(m, a, 8, AtomicRead, 1, 1, 0)
	want("loaded", true, a, 8)
	want("a part of it", false, a, 4)
	if m.Filtered(a, 8, Read) {
		t.Error("a plain read is held back by an atomic load")
	}
	e.Access(m, b, 4, AtomicWrite, 2, 2, 0)
	want("stored", true, b, 4)
	want("more than it", false, b, 8)
	if m.Filtered(b, 4, Read) || m.Filtered(b, 4, Write) {
		t.Error("a plain access is held back by an atomic store")
	}
	e.Access(m, c, 8, Write, 3, 3, 0)
	want("written", false, c, 8)
	e.Access(m, d, 2, AtomicRead, 4, 4, 0)
	want("of a length that has no entry", false, d, 2)
	e.endStep(m)
	want("of a step past", false, a, 8)
	e.Access(m, a, 8, AtomicRead, 1, 1, 0)
	e.Lock(m, heap+5*blockBytes, false)
	want("was without the lock", false, a, 8)
}
