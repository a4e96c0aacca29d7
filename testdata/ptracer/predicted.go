package main

import "sync"

// Races that the observed order of the critical sections hides: the sections have
// nothing to do with each other, and another order runs the accesses in parallel.

// AroundSections: one task writes before its critical section, the next one behind its own.
func (predicted) AroundSections() {
	var mu sync.Mutex
	x, a, b := 0, 0, 0
	inOrder(func() {
		x = 1 // want predicted: x
		mu.Lock()
		a++
		mu.Unlock()
	}, func() {
		mu.Lock()
		b++
		mu.Unlock()
		x = 2 // want predicted: x
	})
	sink(x + a + b)
}

// InsideAndBehind: the first access is protected, by a lock that the second one does
// not need any more.
func (predicted) InsideAndBehind() {
	var mu sync.Mutex
	balance, audits := 0, 0
	inOrder(func() {
		mu.Lock()
		balance += 10 // want predicted: balance
		mu.Unlock()
	}, func() {
		mu.Lock()
		audits++
		mu.Unlock()
		sink(balance) // want predicted: balance
	})
	sink(audits)
}

// Chain: two locks and a task between hide the race.
func (predicted) Chain() {
	var l1, l2 sync.Mutex
	x, a, b, c, d := 0, 0, 0, 0, 0
	inOrder(func() {
		x = 1 // want predicted: x
		locked(&l1, func() { a = 1 })
	}, func() {
		locked(&l1, func() { b = 1 })
		locked(&l2, func() { c = 1 })
	}, func() {
		locked(&l2, func() { d = 1 })
		sink(x) // want predicted: x
	})
	sink(a + b + c + d)
}

// OtherLocks: each access has a lock, not the same one; a third lock orders them.
func (predicted) OtherLocks() {
	var l1, l2, l3 sync.Mutex
	x, a, b := 0, 0, 0
	inOrder(func() {
		locked(&l1, func() {
			x++ // want predicted: x
		})
		locked(&l3, func() { a++ })
	}, func() {
		locked(&l3, func() { b++ })
		locked(&l2, func() {
			x++ // want predicted: x
		})
	})
	sink(x + a + b)
}

// ReaderBehindWriter: a lock for reading, taken behind the writer's.
func (predicted) ReaderBehindWriter() {
	var mu sync.RWMutex
	x, table := 0, map[string]int{}
	inOrder(func() {
		x = 1 // want predicted: x
		mu.Lock()
		mu.Unlock()
	}, func() {
		mu.RLock()
		sink(table["a"])
		mu.RUnlock()
		x = 2 // want predicted: x
	})
	sink(x)
}

// ChildAndContinuation: the lock orders the spawning task behind its child.
func (predicted) ChildAndContinuation() {
	var mu sync.Mutex
	var done, rest int
	result := ""
	before(func() {
		result = "half" // want predicted: result
		locked(&mu, func() { done++ })
	}, func() {
		locked(&mu, func() { rest++ })
		sink(result) // want predicted: result
	})
	sink(done + rest)
}

// Shards: keys of two tasks fall on one of several locks, but not on the same data.
func (predicted) Shards() {
	var locks [4]sync.Mutex
	var data [8]int
	total := 0
	update := func(key int) {
		mu := &locks[key%len(locks)]
		mu.Lock()
		defer mu.Unlock()
		data[key]++
	}
	inOrder(func() {
		total += 1 // want predicted: total
		update(2)
	}, func() {
		update(6)
		total += 6 // want predicted: total
	})
	sink(total)
}

// Cousins: the critical sections are in tasks that the two sides start and wait for.
func (predicted) Cousins() {
	var mu sync.Mutex
	x, a, b := 0, 0, 0
	inOrder(func() {
		x = 1 // want predicted: x
		parallel(func() { locked(&mu, func() { a = 1 }) })
	}, func() {
		parallel(func() { locked(&mu, func() { b = 1 }) })
		x = 2 // want predicted: x
	})
	sink(x + a + b)
}

// TryLock: an attempt that succeeds orders like a lock that was waited for.
func (predicted) TryLock() {
	var mu sync.Mutex
	tried, x := false, 0
	inOrder(func() {
		x = 1 // want predicted: x
		mu.Lock()
		mu.Unlock()
	}, func() {
		if mu.TryLock() {
			tried = true
			mu.Unlock()
		}
		x = 2 // want predicted: x
	})
	sink(tried)
	sink(x)
}

// CommutingCounter: both sections increment one counter, so they conflict; but the
// outcome is the same in both orders.
func (predicted) CommutingCounter() {
	var mu sync.Mutex
	x, count := 0, 0
	inOrder(func() {
		x = 1 // want commuting: x
		locked(&mu, func() { count++ })
	}, func() {
		locked(&mu, func() { count++ })
		x = 2 // want commuting: x
	})
	sink(x + count)
}

// CommutingSet: both sections put something into a set.
func (predicted) CommutingSet() {
	var mu sync.Mutex
	seen := map[string]bool{}
	last := ""
	visit := func(name string) {
		mu.Lock()
		defer mu.Unlock()
		seen[name] = true
	}
	inOrder(func() {
		last = "a" // want commuting: last
		visit("a")
	}, func() {
		visit("b")
		sink(last) // want commuting: last
	})
	sink(len(seen))
}

// CommutingMaximum: the sections raise a maximum, whose condition depends on the order.
func (predicted) CommutingMaximum() {
	var mu sync.Mutex
	best, x := 0, 0
	offer := func(v int) {
		mu.Lock()
		if v > best {
			best = v
		}
		mu.Unlock()
	}
	inOrder(func() {
		x = 1 // want commuting: x
		offer(3)
	}, func() {
		offer(5)
		x = 2 // want commuting: x
	})
	sink(x + best)
}
