package kernels

import (
	"sync"
	"testing"
	"time"
)

// both runs two functions at the same time and waits for both.
func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Go(g)
	wg.Wait()
}

// sink keeps the read of a value that nothing else needs.
//
//go:noinline
func sink(int) {}

// A hub closes its clients under its lock.
type hub struct {
	mu      sync.Mutex
	clients map[int]bool
}

func (h *hub) remove(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.clients, id)
}

// A client that is left at the end is removed with the lock held.
func TestDoubleLock(t *testing.T) {
	h := &hub{clients: map[int]bool{1: true}}
	both(func() { h.remove(1) }, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		for id := range h.clients {
			h.remove(id)
		}
	})
}

func TestDoubleLockFixed(t *testing.T) {
	h := &hub{clients: map[int]bool{1: true}}
	both(func() { h.remove(1) }, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		clear(h.clients)
	})
}

// A reader that misses the entry takes the lock in exclusive mode, too.
func TestLockUpgrade(t *testing.T) {
	var mu sync.RWMutex
	cache := map[string]int{}
	fill := func() {
		mu.Lock()
		defer mu.Unlock()
		cache["a"] = 1
	}
	both(fill, func() {
		mu.RLock()
		defer mu.RUnlock()
		if cache["a"] == 0 {
			fill()
		}
	})
}

// The first use of a setting asks for the setting again if there is no default.
func TestOnceReentry(t *testing.T) {
	var once sync.Once
	var mu sync.Mutex
	standard := ""
	var load func()
	load = func() {
		once.Do(func() {
			mu.Lock()
			missing := standard == ""
			mu.Unlock()
			if missing {
				load()
			}
		})
	}
	both(load, func() {
		mu.Lock()
		defer mu.Unlock()
		standard = "x"
	})
}

// A parent locks its child, and the child its parent.
func TestLockOrder(t *testing.T) {
	var parent, child sync.Mutex
	both(func() {
		parent.Lock()
		child.Lock()
		child.Unlock()
		parent.Unlock()
	}, func() {
		child.Lock()
		parent.Lock()
		parent.Unlock()
		child.Unlock()
	})
}

func TestLockOrderFixed(t *testing.T) {
	var parent, child sync.Mutex
	lock := func() {
		parent.Lock()
		child.Lock()
		child.Unlock()
		parent.Unlock()
	}
	both(lock, lock)
}

// Three goroutines each hold a lock and wait for that of the next one.
func TestLockCycle(t *testing.T) {
	var locks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range locks {
		wg.Go(func() {
			a, b := &locks[i], &locks[(i+1)%len(locks)]
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
	}
	wg.Wait()
}

func TestLockCycleFixed(t *testing.T) {
	var locks [3]sync.Mutex
	var wg sync.WaitGroup
	for i := range locks {
		wg.Go(func() {
			j := (i + 1) % len(locks)
			a, b := &locks[min(i, j)], &locks[max(i, j)]
			a.Lock()
			b.Lock()
			b.Unlock()
			a.Unlock()
		})
	}
	wg.Wait()
}

// A subject calls its observer with its lock held, and the observer asks the subject with its own.
func TestLockCallback(t *testing.T) {
	var subject, observer sync.Mutex
	state, seen := 0, 0
	get := func() int {
		subject.Lock()
		defer subject.Unlock()
		return state
	}
	notify := func(s int) {
		observer.Lock()
		defer observer.Unlock()
		seen = s
	}
	both(func() {
		subject.Lock()
		defer subject.Unlock()
		state++
		notify(state)
	}, func() {
		observer.Lock()
		defer observer.Unlock()
		seen = get()
	})
	sink(seen)
}

// A reader reads twice, and a writer comes in between.
func TestReaderTwice(t *testing.T) {
	var mu sync.RWMutex
	n := 0
	size := func() int {
		mu.RLock()
		defer mu.RUnlock()
		return n
	}
	both(func() {
		mu.RLock()
		defer mu.RUnlock()
		sink(size())
	}, func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
}

func TestReaderTwiceFixed(t *testing.T) {
	var mu sync.RWMutex
	n := 0
	both(func() {
		mu.RLock()
		defer mu.RUnlock()
		sink(n)
	}, func() {
		mu.Lock()
		n++
		mu.Unlock()
	})
}

// Two goroutines need both places of a semaphore and take them one by one.
func TestSemaphoreOrder(t *testing.T) {
	places := make(chan bool, 2)
	work := func() {
		places <- true
		places <- true
		<-places
		<-places
	}
	both(work, work)
}

func TestSemaphoreOrderFixed(t *testing.T) {
	places := make(chan bool, 2)
	var taking sync.Mutex
	work := func() {
		taking.Lock()
		places <- true
		places <- true
		taking.Unlock()
		<-places
		<-places
	}
	both(work, work)
}

// An early return keeps the lock.
func TestMissingUnlock(t *testing.T) {
	var mu sync.Mutex
	closed := false
	both(func() {
		mu.Lock()
		closed = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		if closed {
			return
		}
		mu.Unlock()
	})
	mu.Lock()
	defer mu.Unlock()
}

func TestMissingUnlockFixed(t *testing.T) {
	var mu sync.Mutex
	closed := false
	both(func() {
		mu.Lock()
		closed = true
		mu.Unlock()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		if closed {
			return
		}
	})
	mu.Lock()
	defer mu.Unlock()
}

// A request that finds the server closed keeps its place.
func TestSemaphoreLeak(t *testing.T) {
	places := make(chan bool, 1)
	closed := false
	both(func() {
		places <- true
		closed = true
		<-places
	}, func() {
		places <- true
		if closed {
			return
		}
		<-places
	})
	places <- true
}

// The sender holds the lock that the receiver takes first.
func TestLockAndSend(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	both(func() {
		mu.Lock()
		c <- 1
		mu.Unlock()
	}, func() {
		mu.Lock()
		mu.Unlock()
		<-c
	})
}

func TestLockAndSendFixed(t *testing.T) {
	var mu sync.Mutex
	c := make(chan int)
	both(func() {
		mu.Lock()
		mu.Unlock()
		c <- 1
	}, func() {
		mu.Lock()
		mu.Unlock()
		<-c
	})
}

// The lock is held while the workers that need it are waited for.
func TestLockAndWait(t *testing.T) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	mu.Lock()
	wg.Wait()
	sink(n)
	mu.Unlock()
}

// A select with a default spins until a channel is closed, with the lock that is needed to close it.
func TestSpinUnderLock(t *testing.T) {
	var mu sync.Mutex
	done := make(chan bool)
	both(func() {
		mu.Lock()
		close(done)
		mu.Unlock()
	}, func() {
		mu.Lock()
		defer mu.Unlock()
		for {
			select {
			case <-done:
				return
			default:
				time.Sleep(time.Microsecond)
			}
		}
	})
}
