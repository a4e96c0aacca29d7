package main

import "sync"

// Races in spite of locks: no order of the critical sections hides them.

// DifferentLocks: each task takes a lock, and they are two.
func (racy) DifferentLocks() {
	var l1, l2 sync.Mutex
	x := 0
	parallel(func() {
		locked(&l1, func() {
			x++ // want race: x
		})
	}, func() {
		locked(&l2, func() {
			x++ // want race: x
		})
	})
	sink(x)
}

// OneSided: one of two tasks takes no lock.
func (racy) OneSided() {
	var mu sync.Mutex
	x := 0
	parallel(func() {
		mu.Lock()
		x = 1 // want race: x
		mu.Unlock()
	}, func() {
		x = 2 // want race: x
	})
	sink(x)
}

// LockOfEach: the tasks of a loop have a mutex each.
func (racy) LockOfEach() {
	locks := make([]sync.Mutex, 4)
	sum := 0
	var wg sync.WaitGroup
	for i := range locks {
		wg.Go(func() {
			locks[i].Lock()
			defer locks[i].Unlock()
			sum += i // want race: sum
		})
	}
	wg.Wait()
	sink(sum)
}

// ReadersWithoutLock: writers are serialized, and a reader does not care.
func (racy) ReadersWithoutLock() {
	var mu sync.Mutex
	hits := 0
	write := func() {
		mu.Lock()
		hits++ // want(racy/ReadersWithoutLock) races: hits
		mu.Unlock()
	}
	parallel(write, write, func() {
		sink(hits) // want races: hits
	})
}

// WriteUnderRLock: two tasks write while they hold the lock for reading.
func (racy) WriteUnderRLock() {
	var mu sync.RWMutex
	cached := 0
	parallel(func() {
		mu.RLock()
		defer mu.RUnlock()
		cached = 1 // want race: cached
	}, func() {
		mu.RLock()
		defer mu.RUnlock()
		cached = 2 // want race: cached
	})
	sink(cached)
}

// SectionTooShort: the value is read under the lock and written back without it.
func (racy) SectionTooShort() {
	var mu sync.Mutex
	x := 0
	add := func() {
		mu.Lock()
		v := x // want races: x
		mu.Unlock()
		x = v + 1 // want races: x
	}
	parallel(add, add)
	sink(x)
}

// DeferredTooEarly: what is deferred before the unlocking runs after it.
func (racy) DeferredTooEarly() {
	var mu sync.Mutex
	calls := 0
	call := func() {
		defer func() {
			calls++ // want race: calls
		}()
		mu.Lock()
		defer mu.Unlock()
	}
	parallel(call, call)
	sink(calls)
}

// ReplacedLock: the lock behind a pointer is not the same for both tasks.
func (racy) ReplacedLock() {
	guard := new(sync.Mutex)
	x := 0
	increment := func(mu *sync.Mutex) {
		mu.Lock()
		x++ // want race: x
		mu.Unlock()
	}
	var wg sync.WaitGroup
	first := guard
	wg.Go(func() { increment(first) })
	guard = new(sync.Mutex)
	wg.Go(func() { increment(guard) })
	wg.Wait()
	sink(x)
}

// LockAroundSpawn: the child does not hold the lock that its parent holds.
func (racy) LockAroundSpawn() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	x := 0
	mu.Lock()
	wg.Go(func() {
		x = 1 // want race: x
	})
	x = 2 // want race: x
	mu.Unlock()
	wg.Wait()
	sink(x)
}

// SetsWithoutCommon: each task holds two locks, none of them in common.
func (racy) SetsWithoutCommon() {
	var l1, l2, l3, l4 sync.Mutex
	x := 0
	parallel(func() {
		l1.Lock()
		l2.Lock()
		x = 1 // want race: x
		l2.Unlock()
		l1.Unlock()
	}, func() {
		l3.Lock()
		l4.Lock()
		x = 2 // want race: x
		l4.Unlock()
		l3.Unlock()
	})
	sink(x)
}

// InnerReleased: the lock in common is given up before the access.
func (racy) InnerReleased() {
	var common, l1, l2 sync.Mutex
	x, n := 0, 0
	task := func(own *sync.Mutex) {
		common.Lock()
		own.Lock()
		n++
		common.Unlock()
		x = 1 // want race: x
		own.Unlock()
	}
	parallel(func() { task(&l1) }, func() { task(&l2) })
	sink(x + n)
}

// NestedUnlocked: a task with a lock waits for a child without one, and the child's
// cousin has no lock either.
func (racy) NestedUnlocked() {
	var mu sync.Mutex
	x := 0
	parallel(func() {
		mu.Lock()
		defer mu.Unlock()
		parallel(func() {
			x = 1 // want race: x
		})
	}, func() {
		parallel(func() {
			x = 2 // want race: x
		})
	})
	sink(x)
}
