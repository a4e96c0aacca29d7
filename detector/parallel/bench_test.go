package parallel

import (
	"runtime"
	"testing"
)

const heap = 0xc000000000

func newEngine(b testing.TB, o Options) (*Engine, *Task) {
	e := new(Engine)
	o.TSO = runtime.GOARCH == "amd64"
	m := e.Init(o)
	b.Cleanup(e.Close)
	return e, m
}

// sweepIfNeeded sweeps as a host does between two events.
func sweepIfNeeded(e *Engine) {
	if e.NeedSweep() {
		e.Sweep()
	}
}

// check makes an access as a host does.
func check(e *Engine, t *Task, addr, n uintptr, k Kind, site, pc uintptr, stack uint32) {
	if !quick(e, t, addr, n, k, site, pc, stack) {
		e.Access(t, addr, n, k, site, pc, stack)
	}
}

func BenchmarkAccessFirstTouch(b *testing.B) {
	e, m := newEngine(b, Options{})
	const words = 1 << 20
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		w := uintptr(i) % words
		if w == 0 {
			e.Alloc(heap, words*8)
		}
		check(e, m, heap+w*8, 8, Write, 1, 1, 0)
	}
}

func BenchmarkAccessFirstTouchCells(b *testing.B) {
	e, m := newEngine(b, Options{})
	const words = 1 << 18
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		w := uintptr(i) % words
		if w == 0 {
			e.Alloc(heap, words*16)
		}
		check(e, m, heap+w*16, 8, Write, 1, 1, 0)
	}
}

// One task reads bytes that another task has written.
func BenchmarkAccessSecondTask(b *testing.B) {
	e, m := newEngine(b, Options{})
	const words = 1 << 18
	for i := 0; i < words; i++ {
		check(e, m, heap+uintptr(i)*16, 8, Write, 1, 1, 0)
	}
	t := e.Fork(m, 0, 0)
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		w := uintptr(i) % words
		if w == 0 && i > 0 {
			e.End(t)
			t = e.Fork(m, 0, 0)
		}
		check(e, t, heap+w*16, 8, Read, 2, 2, 0)
	}
}

func BenchmarkAccessRepeated(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		check(e, m, heap+uintptr(i%64)*8, 8, Write, 1, 1, 0)
	}
}

func BenchmarkAccessReadWrite(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		a := heap + uintptr(i%4096)*8
		check(e, m, a, 8, Read, 1, 1, 0)
		check(e, m, a, 8, Write, 1, 1, 0)
	}
}

func BenchmarkAccessInt32(b *testing.B) {
	e, m := newEngine(b, Options{})
	const n = 1 << 16
	for i := 0; i < n; i++ {
		check(e, m, heap+uintptr(i)*24, 8, Write, uintptr(1+i%3), 1, 0)
	}
	t := e.Fork(m, 0, 0)
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		check(e, t, heap+uintptr(i%n)*4, 4, Write, 2, 2, 0)
	}
}

func BenchmarkRange1K(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		check(e, m, heap+uintptr(i%4096)*1024, 1024, Write, 1, 1, 0)
	}
}

func BenchmarkForkEndJoin(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		t := e.Fork(m, 0, 0)
		e.ReleaseMerge(t, heap)
		e.End(t)
		e.Acquire(m, heap)
		sweepIfNeeded(e)
	}
}

func BenchmarkLockUnlock(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.Lock(m, heap, false)
		e.Unlock(m, heap, false)
	}
}

func BenchmarkLockAccessUnlock(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.Lock(m, heap, false)
		check(e, m, heap+64, 8, Write, 1, 1, 0)
		e.Unlock(m, heap, false)
		sweepIfNeeded(e)
	}
}

func BenchmarkLockHandover(b *testing.B) {
	e, m := newEngine(b, Options{})
	ts := [2]*Task{e.Fork(m, 0, 0), e.Fork(m, 0, 0)}
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		t := ts[i&1]
		e.Lock(t, heap, false)
		check(e, t, heap+64, 8, Write, 1, 1, 0)
		e.Unlock(t, heap, false)
		sweepIfNeeded(e)
	}
}

// Two tasks exchange messages: two releases and two acquires each round.
func BenchmarkPingPong(b *testing.B) {
	e, m := newEngine(b, Options{})
	x, y := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.Release(x, heap)
		e.Acquire(y, heap)
		e.Release(y, heap+8)
		e.Acquire(x, heap+8)
	}
}

func BenchmarkReleaseAcquire(b *testing.B) {
	e, m := newEngine(b, Options{})
	x, y := e.Fork(m, 0, 0), e.Fork(m, 0, 0)
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.ReleaseAcquire(x, heap)
		e.ReleaseAcquire(y, heap)
	}
}

func BenchmarkAllocNoShadow(b *testing.B) {
	e, _ := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.Alloc(heap+uintptr(i%4096)*64, 64)
	}
}

func BenchmarkAllocShadow(b *testing.B) {
	e, m := newEngine(b, Options{})
	for i := 0; i < 4096*8; i++ {
		check(e, m, heap+uintptr(i)*16, 8, Write, uintptr(i&1), 1, 0)
	}
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.Alloc(heap+uintptr(i%4096)*64, 64)
	}
}

func BenchmarkPushFrame(b *testing.B) {
	e, m := newEngine(b, Options{})
	defer cpuTime(b)()
	for i := 0; i < b.N; i++ {
		e.PushFrame(m, uint32(i&7), uintptr(i>>3&63)*5)
	}
}

// A task that ends steps accesses the same words in each of them, most of them its own.
func BenchmarkAccessSteps(b *testing.B) {
	for _, c := range []struct {
		name   string
		k      Kind
		n, gap uintptr
		lock   bool
	}{
		{"Read8", Read, 8, 24, false},
		{"Write8", Write, 8, 24, false},
		{"Write8Lock", Write, 8, 24, true},
		{"Read4", Read, 4, 24, false},
		{"Read1", Read, 1, 3, false},
	} {
		b.Run(c.name, func(b *testing.B) {
			e, m := newEngine(b, Options{})
			t := e.Fork(m, 0, 0)
			const words = 256
			for i := range uintptr(words) {
				check(e, t, heap+i*c.gap, c.n, Write, 1+i%2, 1, 0)
			}
			defer cpuTime(b)()
			for i := 0; i < b.N; i++ {
				w := uintptr(i) % words
				if w == 0 {
					if c.lock {
						e.Unlock(t, heap+1<<20, false)
						sweepIfNeeded(e)
						e.Lock(t, heap+1<<20, false)
					} else {
						e.Release(t, heap+1<<20)
						sweepIfNeeded(e)
					}
				}
				check(e, t, heap+w*c.gap, c.n, c.k, 4+w%16*4, 1, 0)
			}
		})
	}
}
