package parallel

import "testing"

// A place at which critical sections conflict is remembered once, however many sections
// conflict there, so that it leaves room for other places.
func TestConflictPlaces(t *testing.T) {
	e, m := newEngine(t, Options{Conflicts: true})
	const lock = heap + 512
	section := func(addr, site uintptr) {
		a := e.Fork(m, 0, 1)
		e.Lock(a, lock, false)
		e.Access(a, addr, 8, Write, site, site, 0)
		e.Unlock(a, lock, false)
	}
	for range 2 * maxConflicts {
		section(heap, 4)
	}
	for range 2 {
		section(heap+64, 8)
	}
	for i, want := range []uintptr{4, 8} {
		if site, pc, ok := e.Conflict(uint32(i)); !ok || site != want || pc != want {
			t.Errorf("place %d is %d, %d, %v, want %d", i, site, pc, ok, want)
		}
	}
	if _, _, ok := e.Conflict(2); ok {
		t.Error("a third place")
	}
}
