package main

import (
	"sync"
	"sync/atomic"
)

// Each of the tasks makes an operation n times. They share the function that prepare returns.
type operation struct {
	name    string
	tasks   int
	n       int
	prepare func() func(i int)
}

// sink keeps allocations in the heap.
var sink atomic.Pointer[[8]int]

var operations = []operation{
	{"rlock, 2 tasks", 2, 500_000, rlock},
	{"rlock, 8 tasks", 8, 100_000, rlock},
	{"lock, 2 tasks", 2, 300_000, func() func(int) {
		var mu sync.Mutex
		return func(int) { mu.Lock(); mu.Unlock() }
	}},
	{"atomic load, 2 tasks", 2, 1_000_000, func() func(int) {
		var a atomic.Int64
		return func(int) { a.Load() }
	}},
	{"atomic pointer, 8 tasks", 8, 300_000, func() func(int) {
		var p atomic.Pointer[[8]int]
		p.Store(new([8]int))
		return func(int) { p.Load() }
	}},
	{"atomic store, 2 tasks", 2, 300_000, func() func(int) {
		var a atomic.Int64
		return func(i int) { a.Store(int64(i)) }
	}},
	{"atomic add, 1 task", 1, 500_000, add},
	{"atomic add, 2 tasks", 2, 500_000, add},
	{"compare and swap, 2 tasks", 2, 300_000, func() func(int) {
		var a atomic.Int64
		return func(int) { v := a.Load(); a.CompareAndSwap(v, v+1) }
	}},
	{"buffered channel, 2 tasks", 2, 200_000, func() func(int) { return send(64) }},
	{"unbuffered channel", 1, 100_000, func() func(int) { return send(0) }},
	{"go statement and wait", 1, 20_000, func() func(int) {
		return func(int) {
			var wg sync.WaitGroup
			wg.Go(func() {})
			wg.Wait()
		}
	}},
	{"sync.Map load, 2 tasks", 2, 200_000, func() func(int) {
		var m sync.Map
		for i := range 100 {
			m.Store(i, i)
		}
		return func(i int) { m.Load(i % 100) }
	}},
	{"map read, 2 tasks", 2, 500_000, func() func(int) {
		m := map[int]int{}
		for i := range 100 {
			m[i] = i
		}
		return func(i int) { _ = m[i%100] }
	}},
	{"sync.Pool, 2 tasks", 2, 300_000, func() func(int) {
		pool := sync.Pool{New: func() any { return new([8]int) }}
		return func(int) { pool.Put(pool.Get()) }
	}},
	{"allocation of 64 bytes", 1, 300_000, func() func(int) {
		return func(i int) {
			if p := new([8]int); i < 0 || keep(p) {
				sink.Store(p)
			}
		}
	}},
}

func rlock() func(int) {
	var mu sync.RWMutex
	return func(int) { mu.RLock(); mu.RUnlock() }
}

func add() func(int) {
	var a atomic.Int64
	return func(int) { a.Add(1) }
}

// send returns a function that sends to a task that receives.
func send(buffer int) func(int) {
	c := make(chan int, buffer)
	go func() {
		for range c {
		}
	}()
	return func(i int) { c <- i }
}

// keep stands for a function that may keep p.
//
//go:noinline
func keep(p *[8]int) bool { return p[0] != 0 }
