package task

import (
	"slices"
	"sync"
	"sync/atomic"
)

// A family is the set of tasks below one root Finish. Only they can set its promises. So
// when all of them wait, for promises or for tasks that do, no promise can be set any
// more.
type family struct {
	active atomic.Int64 // tasks that do not wait for tasks or promises

	mu      sync.Mutex
	awaited map[*promise]bool // promises with waiters
}

// A waiter is a task that waits for a promise.
type waiter struct {
	woken chan outcome // has room for one outcome
}

// An outcome is the reason why a task no longer waits for a promise.
type outcome uint8

const (
	gotIt outcome = iota
	gaveUp
	nobodyLeft
)

// newFamily makes a family with one active task.
func newFamily() *family {
	f := new(family)
	h := hide()
	f.active.Store(1)
	show(h)
	return f
}

// pause announces that a task has ended or is about to wait. If it was the last active
// one, the tasks that wait for promises learn of the deadlock. A task that wakes another
// one counts it as active.
func (f *family) pause() {
	if f.active.Add(-1) == 0 {
		f.mu.Lock()
		f.release()
		f.mu.Unlock()
	}
}

// release wakes the tasks that wait for promises if no task is left that could set one.
// The caller holds mu.
func (f *family) release() {
	if f.active.Load() != 0 {
		return
	}
	for p := range f.awaited {
		f.wakeAll(p, nobodyLeft)
	}
}

// wake wakes the tasks that wait for p, which is settled.
func (f *family) wake(p *promise) {
	f.mu.Lock()
	f.wakeAll(p, gotIt)
	f.mu.Unlock()
}

// wakeAll wakes the tasks that wait for p. The caller holds mu.
func (f *family) wakeAll(p *promise, how outcome) {
	f.active.Add(int64(len(p.waiters)))
	for _, w := range p.waiters {
		w.woken <- how
	}
	p.waiters = nil
	p.waiting.Store(0)
	delete(f.awaited, p)
}

// await waits until p is settled, done is closed, or no task is left to set p.
func (f *family) await(p *promise, done <-chan struct{}) outcome {
	w := &waiter{woken: make(chan outcome, 1)}
	f.mu.Lock()
	// The task that settles p looks for waiters after that, so one of the two sees the
	// other.
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
