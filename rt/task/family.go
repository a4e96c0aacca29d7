package task

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A family is all tasks below one root Finish. Only they can set its promises. So when
// all of them wait, for promises or for tasks that do, no promise can be set any more.
type family struct {
	active atomic.Int64 // tasks that do not wait for tasks or promises

	mu      sync.Mutex
	awaited map[*promise]bool // that have waiters
}

// A waiter is a task that waits for a promise.
type waiter struct {
	woken chan outcome // has room for one
}

// An outcome says why a task no longer waits for a promise.
type outcome uint8

const (
	gotIt outcome = iota
	gaveUp
	nobodyLeft
)

// newFamily makes the family of one task.
func newFamily() *family {
	f := new(family)
	h := hide()
	f.active.Store(1)
	show(h)
	return f
}

// pause says that a task has ended or is about to wait. If it was the last active one,
// those that wait for promises are told. Who lets a task go on makes it active.
func (f *family) pause() {
	if f.active.Add(-1) == 0 {
		f.mu.Lock()
		f.release()
		f.mu.Unlock()
	}
}

// release tells those who wait for promises that nobody is left who could set one, if
// it is so. The caller holds mu.
func (f *family) release() {
	if f.active.Load() != 0 {
		return
	}
	for p := range f.awaited {
		f.wakeAll(p, nobodyLeft)
	}
}

// wake tells those who wait for p that it is settled.
func (f *family) wake(p *promise) {
	f.mu.Lock()
	f.wakeAll(p, gotIt)
	f.mu.Unlock()
}

// wakeAll wakes those who wait for p. The caller holds mu.
func (f *family) wakeAll(p *promise, how outcome) {
	f.active.Add(int64(len(p.waiters)))
	for _, w := range p.waiters {
		w.woken <- how
	}
	p.waiters = nil
	p.waiting.Store(0)
	delete(f.awaited, p)
}

// await waits until p is settled, done is closed, or nobody is left to set p.
func (f *family) await(p *promise, done <-chan struct{}) outcome {
	w := &waiter{woken: make(chan outcome, 1)}
	f.mu.Lock()
	// Whoever settles p looks for waiters behind that, so one of the two sees the other.
	p.waiting.Add(1)
	if p.stage.Load() == settled {
		p.waiting.Add(-1)
		f.mu.Unlock()
		return gotIt
	}
	p.waiters = append(p.waiters, w)
	if f.awaited == nil {
		f.awaited = make(map[*promise]bool)
	}
	f.awaited[p] = true
	if f.active.Add(-1) == 0 {
		f.release()
	}
	f.mu.Unlock()

	select {
	case how := <-w.woken:
		return how
	case <-done:
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.Index(p.waiters, w)
	if i < 0 {
		return <-w.woken
	}
	p.waiters = slices.Delete(p.waiters, i, i+1)
	p.waiting.Add(-1)
	if len(p.waiters) == 0 {
		delete(f.awaited, p)
	}
	f.active.Add(1)
	return gaveUp
}
