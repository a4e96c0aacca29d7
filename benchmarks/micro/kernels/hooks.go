package kernels

import (
	"sync"
	"sync/atomic"
)

// repeat returns a kernel whose tasks share the function that prepare returns, and call it n times in all.
func repeat(tasks int, prepare func() func(i int)) func(n, workers int) uint64 {
	return func(n, _ int) uint64 {
		op := prepare()
		var made atomic.Uint64
		var wg sync.WaitGroup
		for t := range tasks {
			wg.Go(func() {
				count := uint64(0)
				for i := t; i < n; i += tasks {
					op(i)
					count++
				}
				made.Add(count)
			})
		}
		wg.Wait()
		return made.Load()
	}
}

func lock() func(int) {
	var mu sync.Mutex
	return func(int) { mu.Lock(); mu.Unlock() }
}

func rlock() func(int) {
	var mu sync.RWMutex
	return func(int) { mu.RLock(); mu.RUnlock() }
}

func load() func(int) {
	var a atomic.Int64
	return func(int) { a.Load() }
}

func loadPointer() func(int) {
	var p atomic.Pointer[[8]int]
	p.Store(new([8]int))
	return func(int) { p.Load() }
}

func store() func(int) {
	var a atomic.Int64
	return func(i int) { a.Store(int64(i)) }
}

func add() func(int) {
	var a atomic.Int64
	return func(int) { a.Add(1) }
}

func swap() func(int) {
	var a atomic.Int64
	return func(int) { v := a.Load(); a.CompareAndSwap(v, v+1) }
}

func spawnOne() func(int) {
	return func(int) {
		var wg sync.WaitGroup
		wg.Go(func() {})
		wg.Wait()
	}
}

func syncMap() func(int) {
	var m sync.Map
	for i := range 100 {
		m.Store(i, i)
	}
	return func(i int) { m.Load(i % 100) }
}

func mapRead() func(int) {
	m := map[int]int{}
	for i := range 100 {
		m[i] = i
	}
	return func(i int) { _ = m[i%100] }
}

func syncPool() func(int) {
	pool := sync.Pool{New: func() any { return new([8]int) }}
	return func(int) { pool.Put(pool.Get()) }
}

// sink keeps allocations in the heap.
var sink atomic.Pointer[[8]int]

func allocate() func(int) {
	return func(i int) {
		if p := new([8]int); i < 0 || keep(p) {
			sink.Store(p)
		}
	}
}

// keep stands for a function that may keep p.
//
//go:noinline
func keep(p *[8]int) bool { return p[0] != 0 }

// send returns a kernel whose tasks send to one that receives.
func send(tasks, buffer int) func(n, workers int) uint64 {
	return func(n, _ int) uint64 {
		c := make(chan int, buffer)
		var wg sync.WaitGroup
		for t := range tasks {
			wg.Go(func() {
				for i := t; i < n; i += tasks {
					c <- i
				}
			})
		}
		go func() {
			wg.Wait()
			close(c)
		}()
		count := uint64(0)
		for range c {
			count++
		}
		return count
	}
}
