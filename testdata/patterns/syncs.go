package main

import (
	"sync"
	"sync/atomic"
)

// Locks in less usual roles, Once, Cond, Pool, Map and atomics.

// AtomicMixed reads plainly what is written atomically. (Stock reports lose
// the frame that calls the atomic operation.)
func (racy) AtomicMixed() {
	n := new(int64)
	parallel(func() {
		atomic.AddInt64(n, 1) // want race nostock: atomic.AddInt64(n, 1)
	}, func() {
		sink(*n) // want race nostock: *n
	})
}

func (fixed) AtomicMixed() {
	n := new(int64)
	parallel(func() {
		atomic.AddInt64(n, 1)
	}, func() {
		sink(atomic.LoadInt64(n))
	})
}

// AtomicHalf writes plainly one half of what is loaded atomically.
func (racy) AtomicHalf() {
	n := new([2]uint32)
	parallel(func() {
		n[1] = 1 // want race nostock: n[1]
	}, func() {
		sink(atomic.LoadUint32(&n[1])) // want race nostock: atomic.LoadUint32(&n[1])
	})
}

func (fixed) AtomicHalf() {
	n := new([2]uint32)
	parallel(func() {
		n[0] = 1
	}, func() {
		sink(atomic.LoadUint32(&n[1]))
	})
}

// AtomicFlag checks the flag before it is set and goes on all the same.
func (racy) AtomicFlag() {
	var ready atomic.Bool
	x := 0
	first(func() {
		ready.Store(true)
		x = 1 // want race: x
	}, func() {
		for !ready.Load() {
		}
		sink(x) // want race: x
	})
}

func (fixed) AtomicFlag() {
	var ready atomic.Bool
	x := 0
	first(func() {
		x = 1
		ready.Store(true)
	}, func() {
		for !ready.Load() {
		}
		sink(x)
	})
}

// AtomicPointer publishes an object and changes it afterwards.
func (racy) AtomicPointer() {
	var p atomic.Pointer[point]
	first(func() {
		v := new(point)
		p.Store(v)
		v.x = 1 // want race: v.x
	}, func() {
		sink(p.Load().x) // want race: p.Load().x
	})
}

func (fixed) AtomicPointer() {
	var p atomic.Pointer[point]
	first(func() {
		p.Store(&point{x: 1})
	}, func() {
		sink(p.Load().x)
	})
}

// AtomicStores: a load is ordered after the store whose value it takes, and not after those before.
//
//case:noschedule
func (racy) AtomicStores() {
	var last atomic.Int32
	n := 0
	first(func() {
		n = 1 // want race: n
		last.Store(1)
	}, func() {
		first(func() { last.Store(2) }, func() {
			if last.Load() == 2 {
				sink(n) // want race: n
			}
		})
	})
}

// AtomicStores: a swap takes the value of the store before.
func (fixed) AtomicStores() {
	var last atomic.Int32
	n := 0
	first(func() {
		n = 1
		last.Store(1)
	}, func() {
		first(func() { last.Swap(2) }, func() {
			if last.Load() == 2 {
				sink(n)
			}
		})
	})
}

// AtomicMailbox: many writers store to one word, and each reader may use the data that belongs to its value.
func (fixed) AtomicMailbox() {
	const writers, messages = 3, 400
	var box [writers][messages]int
	var typed atomic.Uint32
	var plain uint32
	var tasks []func()
	for w := range writers {
		tasks = append(tasks, func() {
			for i := range messages {
				box[w][i] = i
				typed.Store(uint32(w*messages + i + 1))
				atomic.StoreUint32(&plain, uint32(w*messages+i+1))
			}
		}, func() {
			for range messages {
				for _, v := range [...]uint32{typed.Load(), atomic.LoadUint32(&plain)} {
					if v != 0 {
						sink(box[(v-1)/messages][(v-1)%messages])
					}
				}
			}
		})
	}
	parallel(tasks...)
}

// AtomicOnce: who finds the word taken may use what its only writer wrote.
func (fixed) AtomicOnce() {
	const rounds = 200
	for range rounds {
		var taken atomic.Bool
		var state uint32
		n, m := 0, 0
		use := func() {
			if !taken.CompareAndSwap(true, true) {
				return
			}
			sink(n)
			if !atomic.CompareAndSwapUint32(&state, 0, 0) {
				sink(m)
			}
		}
		parallel(func() {
			n, m = 1, 1
			atomic.StoreUint32(&state, 1)
			taken.Store(true)
		}, use, use, use)
	}
}

// AtomicCounter: the one who counts down to zero may use what all wrote; the
// others may not.
func (racy) AtomicCounter() {
	left := int32(2)
	var out [2]int
	first(func() {
		out[0] = 1
		if atomic.AddInt32(&left, -1) > 0 {
			sink(out[1]) // want race: out[1]
		}
	}, func() {
		out[1] = 1 // want race: out[1]
		atomic.AddInt32(&left, -1)
	})
}

func (fixed) AtomicCounter() {
	left := int32(2)
	var out [2]int
	last := func(i int) {
		out[i] = 1
		if atomic.AddInt32(&left, -1) == 0 {
			sink(out[0] + out[1])
		}
	}
	parallel(func() { last(0) }, func() { last(1) })
}

// SwapFails: a compare-and-swap that fails has published nothing.
func (racy) SwapFails() {
	var state atomic.Int32
	x := 0
	first(func() {
		x = 1 // want race: x
		state.CompareAndSwap(1, 2)
	}, func() {
		state.Load()
		sink(x) // want race: x
	})
}

func (fixed) SwapFails() {
	var state atomic.Int32
	x := 0
	first(func() {
		x = 1
		state.CompareAndSwap(0, 2)
	}, func() {
		for state.Load() != 2 {
		}
		sink(x)
	})
}

// SpinLock is a lock built from compare-and-swap; one user forgets it.
func (racy) SpinLock() {
	var l spinLock
	n := 0
	parallel(func() {
		l.lock()
		n++ // want race: n
		l.unlock()
	}, func() {
		n++ // want race: n
	})
}

func (fixed) SpinLock() {
	var l spinLock
	n := 0
	inc := func() {
		l.lock()
		n++
		l.unlock()
	}
	parallel(inc, inc, inc)
}

type spinLock struct{ held atomic.Uint32 }

func (l *spinLock) lock() {
	for !l.held.CompareAndSwap(0, 1) {
	}
}

func (l *spinLock) unlock() { l.held.Store(0) }

// AtomicValue changes the map that it has stored.
func (racy) AtomicValue() {
	var v atomic.Value
	first(func() {
		m := map[string]int{"a": 1}
		v.Store(m)
		m["b"] = 2 // want race: m["b"]
	}, func() {
		m := v.Load().(map[string]int)
		sink(m["a"]) // want race: m["a"]
	})
}

func (fixed) AtomicValue() {
	var v atomic.Value
	first(func() {
		m := map[string]int{"a": 1}
		m["b"] = 2
		v.Store(m)
	}, func() {
		m := v.Load().(map[string]int)
		sink(m["a"])
	})
}

// AtomicFunc uses the functions as values.
func (racy) AtomicFunc() {
	add := atomic.AddInt32
	n, x := int32(0), 0
	first(func() {
		add(&n, 1)
		x = 1 // want race: x
	}, func() {
		add(&n, 1)
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) AtomicFunc() {
	add := atomic.AddInt32
	n, x := int32(0), 0
	first(func() {
		x = 1
		add(&n, 1)
	}, func() {
		add(&n, 1)
		x = 2
	})
	sink(x)
}

// OnceOther is ordered by the wrong Once.
func (racy) OnceOther() {
	var a, b sync.Once
	x := 0
	first(func() {
		a.Do(func() { x = 1 }) // want race: x
	}, func() {
		b.Do(func() {})
		sink(x) // want race: x
	})
}

func (fixed) OnceOther() {
	var a sync.Once
	x := 0
	first(func() {
		a.Do(func() { x = 1 })
	}, func() {
		a.Do(func() { x = 2 })
		sink(x)
	})
}

// OnceValue shares the value and writes through it.
func (racy) OnceValue() {
	get := sync.OnceValue(func() *point { return new(point) })
	set := func(v int) {
		p := get()
		p.x = v // want race: p.x
	}
	first(func() { set(1) }, func() { set(2) })
}

func (fixed) OnceValue() {
	get := sync.OnceValue(func() *point { return &point{x: 3} })
	first(func() { sink(get().x) }, func() { sink(get().x) })
}

// CondOutside reads the guarded variable after unlocking.
func (racy) CondOutside() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	turn, x := 0, 0
	parallel(func() {
		mu.Lock()
		turn = 1
		cond.Signal()
		mu.Unlock()
		x = 1 // want race: x
	}, func() {
		mu.Lock()
		for turn == 0 {
			cond.Wait()
		}
		mu.Unlock()
		x = 2 // want race: x
	})
	sink(x)
}

func (fixed) CondOutside() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	turn, x := 0, 0
	wait := func() {
		mu.Lock()
		defer mu.Unlock()
		for turn == 0 {
			cond.Wait()
		}
		sink(x)
	}
	parallel(wait, wait, func() {
		x = 1
		mu.Lock()
		turn = 1
		mu.Unlock()
		cond.Broadcast()
	})
}

// PoolKept uses an object after it went back to the pool.
func (racy) PoolKept() {
	pool := sync.Pool{New: func() any { return new(point) }}
	kept := pool.Get().(*point)
	pool.Put(kept)
	parallel(func() {
		p := pool.Get().(*point)
		p.x = 1
		kept.y = 1 // want race: kept.y
		pool.Put(p)
	}, func() {
		kept.y = 2 // want race: kept.y
	})
}

func (fixed) PoolKept() {
	pool := sync.Pool{New: func() any { return new(point) }}
	use := func() {
		for i := range 100 {
			p := pool.Get().(*point)
			p.x = i
			p.y += p.x
			pool.Put(p)
		}
	}
	parallel(use, use, use, use)
}

// SyncMap guards its entries, not what they point to.
func (racy) SyncMap() {
	var m sync.Map
	m.Store("p", new(point))
	set := func(v int) {
		p, _ := m.Load("p")
		p.(*point).x = v // want race: p.(*point).x
	}
	parallel(func() { set(1) }, func() { set(2) })
}

func (fixed) SyncMap() {
	var m sync.Map
	first(func() {
		m.Store("p", &point{x: 1})
	}, func() {
		if p, ok := m.Load("p"); ok {
			sink(p.(*point).x)
		}
	})
	parallel(func() { m.Store("a", 1) }, func() { m.Store("b", 2) }, func() { m.Delete("a") })
}

// DeferredUnlock defers the unlock of the wrong lock's neighbour: what follows
// the block is unguarded.
func (racy) DeferredUnlock() {
	var mu sync.Mutex
	n := 0
	inc := func() {
		func() {
			mu.Lock()
			defer mu.Unlock()
		}()
	}
	parallel(func() {
		n++ // want race: n
	}, func() {
		inc()
		n++ // want race: n
	})
}

func (fixed) DeferredUnlock() {
	var mu sync.Mutex
	n := 0
	inc := func() {
		mu.Lock()
		defer mu.Unlock()
		n++
	}
	parallel(inc, inc)
}

// RecoveredSection panics inside of a critical section; the unlock is
// deferred, the handler writes after it.
func (racy) RecoveredSection() {
	var mu sync.Mutex
	n, failures := 0, 0
	work := func() {
		defer func() {
			if recover() != nil {
				failures++ // want race: failures
			}
		}()
		mu.Lock()
		defer mu.Unlock()
		n++
		if n > 0 {
			panic("fail")
		}
	}
	parallel(work, work)
}

func (fixed) RecoveredSection() {
	var mu sync.Mutex
	n, failures := 0, 0
	work := func() {
		mu.Lock()
		defer mu.Unlock()
		defer func() {
			if recover() != nil {
				failures++
			}
		}()
		n++
		if n > 0 {
			panic("fail")
		}
	}
	parallel(work, work)
	sink(failures)
}

// RWReaders: two readers and a writer that takes the read lock.
func (racy) RWReaders() {
	var mu sync.RWMutex
	m := make([]int, 4)
	read := func() {
		mu.RLock()
		sink(m[2]) // want race: m[2]
		mu.RUnlock()
	}
	parallel(read, func() {
		mu.RLock()
		m[2] = 1 // want race: m[2]
		mu.RUnlock()
	})
}

func (fixed) RWReaders() {
	var mu sync.RWMutex
	m := make([]int, 4)
	read := func() {
		mu.RLock()
		defer mu.RUnlock()
		sink(m[2])
	}
	parallel(read, read, read, under(&mu, func() { m[2] = 1 }))
}

// RLocker is the read side under another name.
func (racy) RLocker() {
	var mu sync.RWMutex
	n := 0
	inc := func() {
		l := mu.RLocker()
		l.Lock()
		n++ // want race: n
		l.Unlock()
	}
	parallel(inc, inc)
}

func (fixed) RLocker() {
	var mu sync.RWMutex
	n := 0
	parallel(func() {
		l := mu.RLocker()
		l.Lock()
		sink(n)
		l.Unlock()
	}, under(&mu, func() { n++ }))
}

// TryLockFailed goes on without the lock.
func (racy) TryLockFailed() {
	var mu sync.Mutex
	var locked, tried baton
	n := 0
	parallel(func() {
		mu.Lock()
		n++ // want race: n
		locked.pass()
		tried.await()
		mu.Unlock()
	}, func() {
		locked.await()
		if !mu.TryLock() {
			n++ // want race: n
		}
		tried.pass()
	})
}

func (fixed) TryLockFailed() {
	var mu sync.Mutex
	var locked, tried baton
	n := 0
	parallel(func() {
		mu.Lock()
		n++
		locked.pass()
		tried.await()
		mu.Unlock()
	}, func() {
		locked.await()
		ok := mu.TryLock()
		tried.pass()
		if !ok {
			mu.Lock()
		}
		n++
		mu.Unlock()
	})
}

// LockedWriters write disjoint halves under different locks, and one element
// of the other half.
func (racy) LockedWriters() {
	var mu [2]sync.Mutex
	xs := make([]int, 10)
	half := func(k, n int) {
		mu[k].Lock()
		for i := k * 5; i < n; i++ {
			xs[i] = k // want race: xs[i]
		}
		mu[k].Unlock()
	}
	parallel(func() { half(0, 6) }, func() { half(1, 10) })
}

func (fixed) LockedWriters() {
	var mu [2]sync.Mutex
	xs := make([]int, 10)
	half := func(k, n int) {
		mu[k].Lock()
		for i := k * 5; i < n; i++ {
			xs[i] = k
		}
		mu[k].Unlock()
	}
	parallel(func() { half(0, 5) }, func() { half(1, 10) })
}

// Reacquired gives the lock up and takes it again; the write between is bare.
func (racy) Reacquired() {
	var mu sync.Mutex
	var wrote baton
	n := 0
	parallel(func() {
		mu.Lock()
		mu.Unlock()
		n = 1 // want race: n
		wrote.pass()
		mu.Lock()
		mu.Unlock()
	}, func() {
		wrote.await()
		n = 2 // want race: n
		mu.Lock()
		mu.Unlock()
	})
	sink(n)
}

func (fixed) Reacquired() {
	var mu sync.Mutex
	n := 0
	set := func(v int) {
		mu.Lock()
		mu.Unlock()
		mu.Lock()
		n = v
		mu.Unlock()
	}
	parallel(func() { set(1) }, func() { set(2) })
	sink(n)
}
