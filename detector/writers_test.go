package detector

import "testing"

// A counter that many tasks race on costs no more for each of them, and atomic
// stores that nothing orders are all kept.
func TestManyWriters(t *testing.T) {
	for _, k := range []Kind{Write, AtomicWrite} {
		e, m := newEngine(t, Options{})
		got := collect(e)
		const tasks = 1000
		first := e.Fork(m, 0, 1)
		e.Access(first, heap, 8, k, 1, 1, 0)
		e.Release(first, heap+512)
		for range tasks {
			a := e.Fork(m, 0, 1)
			e.Access(a, heap, 8, k, 1, 1, 0)
			e.ReleaseMerge(a, heap+520)
			e.End(a)
		}
		n := 0
		b := e.block(e.blockAt(heap >> blockShift))
		for h := b.runs[0].w; h != 0; n++ {
			_, h = e.first(h)
		}
		if k == Write && (n > 2*writersKept || len(*got) != 1) || k == AtomicWrite && n != tasks+1 {
			t.Errorf("kind %d: %d writes are kept, %d reports", k, n, len(*got))
		}
		// Who comes after all but the first still races, where nothing told of it.
		e.Acquire(m, heap+520)
		e.Access(m, heap, 8, Read, 2, 2, 0)
		if k == AtomicWrite && len(*got) != 1 {
			t.Errorf("%d reports of a read beside an atomic write, want 1", len(*got))
		}
		e.Close()
	}
}
