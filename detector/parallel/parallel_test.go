package parallel

import (
	"sync"
	"testing"
)

// In a workshop each worker runs on a thread of its own and drives a task. Real channels
// and locks order the workers, and the engine learns of them as from a host, so the
// verdict does not depend on the schedule.
type workshop struct {
	e     *Engine
	world sync.RWMutex // held shared inside the engine, exclusively by Sweep
}

func (w *workshop) do(f func()) {
	w.world.RLock()
	f()
	need := w.e.NeedSweep()
	w.world.RUnlock()
	if need {
		w.sweep()
	}
}

func (w *workshop) sweep() {
	w.world.Lock()
	w.e.Sweep()
	w.world.Unlock()
}

// Layout of the workers' memory.
const (
	workers  = 6
	wgAt     = heap + 0x10000
	muAt     = heap + 0x10040
	rwAt     = heap + 0x10080
	ringAt   = heap + 0x11000 // a channel's slot for each worker
	totalAt  = heap + 0x20000 // under mu
	tableAt  = heap + 0x20800 // under rw
	bytesAt  = heap + 0x21000 // a byte for each worker in one word
	tokenAt  = heap + 0x22000 // passed from worker to worker
	ownAt    = heap + 0x40000 // 64 KiB for each worker
	freshAt  = heap + 0x200000
	racingAt = heap + 0x30000 // for the racy form
)

func runWorkers(t *testing.T, e *Engine, m *Task, rounds int, racy bool) {
	w := &workshop{e: e}
	var mu sync.Mutex
	var rw sync.RWMutex
	var ring [workers]chan bool
	for i := range ring {
		ring[i] = make(chan bool, 1)
	}
	for round := 0; round < rounds; round++ {
		var wg sync.WaitGroup
		w.do(func() { e.Access(m, totalAt, 0x3000, Write, 1, 1, 0) })
		for i := uintptr(0); i < workers; i++ {
			var c *Task
			w.do(func() { c = e.Fork(m, 0, 0) })
			c.Host = 1 + i
			wg.Add(1)
			go func() {
				defer wg.Done()
				work(w, c, i, &mu, &rw, &ring, racy)
				w.do(func() { e.ReleaseMerge(c, wgAt); e.End(c) })
			}()
		}
		ring[0] <- true
		wg.Wait()
		<-ring[0]
		w.do(func() {
			e.Acquire(m, wgAt)
			e.Access(m, totalAt, 0x3000, Read, 2, 2, 0)
			e.Access(m, ownAt, workers<<16, Write, 3, 3, 0)
		})
	}
}

func work(w *workshop, c *Task, i uintptr, mu *sync.Mutex, rw *sync.RWMutex, ring *[workers]chan bool, racy bool) {
	e := w.e
	own := ownAt + i<<16
	if racy {
		// This comes before anything that could order it after another worker.
		w.do(func() { e.Access(c, racingAt+i/2*8, 8, Write, 100+i, 100+i, 0) })
	}
	for k := uintptr(0); k < 200; k++ {
		w.do(func() {
			e.Access(c, own+k*40, 8, Write, 10, 10, 0)
			e.Access(c, own+k*8, 1024, Read, 11, 11, 0)
			e.Access(c, bytesAt+i, 1, Write, 12, 12, 0)
		})
		if k%8 == i {
			mu.Lock()
			w.do(func() { e.Lock(c, muAt, false); e.Access(c, totalAt, 8, Write, 13, 13, 0) })
			w.do(func() { e.Unlock(c, muAt, false) })
			mu.Unlock()
		}
		if k%16 == i {
			rw.Lock()
			w.do(func() { e.Lock(c, rwAt, false); e.Access(c, tableAt+k, 64, Write, 14, 14, 0) })
			w.do(func() { e.Unlock(c, rwAt, false) })
			rw.Unlock()
		} else if k%16 < 8 {
			rw.RLock()
			w.do(func() { e.Lock(c, rwAt, true); e.Access(c, tableAt, 200, Read, 15, 15, 0) })
			w.do(func() { e.Unlock(c, rwAt, true) })
			rw.RUnlock()
		}
		if k%20 == 0 {
			// Memory of one worker, allocated anew each time.
			fresh := freshAt + i<<14 + k%3*4096
			w.do(func() {
				e.Alloc(fresh, 5000)
				e.Access(c, fresh, 5000, Write, 16, 16, 0)
				e.ReleaseMerge(c, fresh+64)
				e.Acquire(c, fresh+64)
				e.Free(fresh, 5000)
			})
		}
	}
	// The token passes from each worker to the next.
	<-ring[i]
	w.do(func() {
		e.Acquire(c, ringAt+i*8)
		e.Access(c, tokenAt, 100, Write, 17, 17, 0)
		e.Release(c, ringAt+(i+1)%workers*8)
	})
	ring[(i+1)%workers] <- true
}

func TestParallel(t *testing.T) {
	for _, o := range []Options{{}, {NoPredict: true}, {All: true}} {
		e, m := newEngine(t, o)
		var mu sync.Mutex
		OnReport(e, func(r *Report) {
			mu.Lock()
			defer mu.Unlock()
			t.Errorf("%+v: %+v", o, r)
		})
		runWorkers(t, e, m, 6, false)
	}
}

// Pairs of workers race on one word each, in every schedule.
func TestParallelRaces(t *testing.T) {
	for round := 0; round < 5; round++ {
		e, m := newEngine(t, Options{})
		var mu sync.Mutex
		found := map[uintptr]int{}
		OnReport(e, func(r *Report) {
			mu.Lock()
			defer mu.Unlock()
			if r.Predicted || r.Cur.Site^r.Prev.Site != 1 || r.Cur.Addr != racingAt+(r.Cur.Site-100)/2*8 {
				t.Errorf("%+v", r)
			}
			found[r.Cur.Addr]++
		})
		runWorkers(t, e, m, 1, true)
		if len(found) != workers/2 {
			t.Errorf("races at %v, want at %d words", found, workers/2)
		}
	}
}

// Updates of one object take turns. Each update is ordered after all earlier updates, so a task may
// read the word that the previous task has written. The object holds the last release in the end.
func TestUpdatesInParallel(t *testing.T) {
	e, m := newEngine(t, Options{})
	defer e.Close()
	const rounds = 300
	var last uintptr // the word of the worker that made the last update; the object's lock guards it
	n := 0
	var wg sync.WaitGroup
	for i := uintptr(0); i < workers; i++ {
		c := e.Fork(m, 0, 0)
		c.Host = i + 1
		wg.Add(1)
		go func() {
			defer wg.Done()
			for r := uintptr(0); r < rounds; r++ {
				own := ownAt + i<<16 + r*8
				e.Access(c, own, 8, Write, 1, 1, 0)
				e.BeginUpdate(c, tokenAt, tokenAt, 8, 2, 2, 0)
				before := last
				last, n = own, n+1
				e.EndUpdate(c)
				if before != 0 {
					e.Access(c, before, 8, Read, 3, 3, 0)
				}
			}
		}()
	}
	wg.Wait()
	if n != workers*rounds {
		t.Errorf("%d updates, want %d", n, workers*rounds)
	}
	if e.races != 0 {
		t.Errorf("%d races of ordered accesses", e.races)
	}
	if o := e.object(e.lookUp(tokenAt)); o.general.mixed {
		t.Error("the object does not hold the last release alone")
	}
}
