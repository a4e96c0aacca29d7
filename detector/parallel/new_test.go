package parallel

import "testing"

// The zeros of new memory are a write of the task that has got it, in blocks of runs and of cells, for any
// length and place.
func TestNew(t *testing.T) {
	for _, cells := range []bool{false, true} {
		for _, n := range []uintptr{1, 5, 8, 24, 100, 1024, blockBytes, 3*blockBytes + 16} {
			for _, at := range []uintptr{heap, heap + 3, heap + 16} {
				e, m := newEngine(t, Options{Repeat: true})
				got := collect(e)
				u := e.Fork(m, 0, 0)
				if cells {
					for i := uintptr(0); i < 2*maxRuns; i++ {
						e.Access(u, heap+16*i, 8, Write, 9, 9, 0)
					}
				}
				if !e.QuickNew(m, at, n, 7, 7, 0) {
					e.New(m, at, n, 7, 7, 0)
				}
				for _, k := range []Kind{Read, Write} {
					if e.Probe(m, at, min(n, wordBytes-at%wordBytes), k) != Covered {
						t.Errorf("cells %v, %d bytes at %#x: an access of kind %d in the same step is not covered", cells, n, at, k)
					}
				}
				e.Access(u, at, n, Read, 2, 2, 0)
				bytes := uintptr(0)
				for _, r := range *got {
					if r.Prev.Site == 7 && r.Prev.Kind == Write {
						bytes += r.Prev.Size
					}
				}
				if bytes != n {
					t.Errorf("cells %v, %d bytes at %#x: a read by another task races with %d bytes of them", cells, n, at, bytes)
				}
				*got = (*got)[:0]
				e.Access(u, at+n, 64, Write, 3, 3, 0)
				if len(*got) != 0 {
					t.Errorf("cells %v, %d bytes at %#x: a race with bytes behind them", cells, n, at)
				}
				e.Close()
			}
		}
	}
}

// New memory has lost its history and its sync objects.
func TestNewForgets(t *testing.T) {
	const sync = heap + 24
	e, m := newEngine(t, Options{})
	defer e.Close()
	u := e.Fork(m, 0, 0)
	e.Access(u, heap, 64, Write, 1, 1, 0)
	e.Access(u, heap+1000, 8, Write, 1, 1, 0)
	e.Release(u, sync)
	if e.QuickNew(m, heap, 64, 7, 7, 0) {
		t.Error("the quick way frees a sync object")
	}
	e.New(m, heap, 64, 7, 7, 0)
	e.Acquire(m, sync)
	if e.races != 0 {
		t.Errorf("%d races with what was there before", e.races)
	}
	e.Access(m, heap+1000, 8, Write, 2, 2, 0)
	if e.races != 1 {
		t.Error("the sync object still orders its tasks")
	}
}
