// Package main has small programs over all kinds of synchronization, which tests explore in all
// orders (docs/design/schedule.md). The argument names one; what a run prints tells its order.
package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

var programs = map[string]func() any{
	// 6 orders.
	"mutex": func() any {
		var mu sync.Mutex
		var wg sync.WaitGroup
		var order []int
		for i := range 3 {
			wg.Go(func() {
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
			})
		}
		wg.Wait()
		return order
	},
	// A reader may hold the lock with another one, so 4 orders: before or behind the writer.
	"rwmutex": func() any {
		var mu sync.RWMutex
		var wg sync.WaitGroup
		n := 0
		var saw [2]int
		for i := range 2 {
			wg.Go(func() {
				mu.RLock()
				saw[i] = n
				mu.RUnlock()
			})
		}
		wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
		wg.Wait()
		return saw
	},
	// The attempt comes before, in or behind the section.
	"try": func() any {
		var mu sync.Mutex
		var wg sync.WaitGroup
		got := false
		var order atomic.Int32
		var when [2]int32
		wg.Go(func() { mu.Lock(); when[0] = order.Load(); mu.Unlock() })
		if got = mu.TryLock(); got {
			order.Store(1)
			mu.Unlock()
		}
		wg.Wait()
		return fmt.Sprint(got, when[0])
	},
	"senders": func() any {
		c := make(chan int)
		go func() { c <- 1 }()
		go func() { c <- 2 }()
		return [2]int{<-c, <-c}
	},
	"buffer": func() any {
		c := make(chan int, 2)
		go func() { c <- 1; c <- 2 }()
		go func() { c <- 3 }()
		return [3]int{<-c, <-c, <-c}
	},
	"poll": func() any {
		c := make(chan int, 1)
		go func() { c <- 1 }()
		select {
		case v := <-c:
			return v
		default:
			return "nothing"
		}
	},
	"select": func() any {
		a, b := make(chan int), make(chan int)
		go func() { a <- 1 }()
		go func() { b <- 2 }()
		var saw [2]int
		for i := range saw {
			select {
			case saw[i] = <-a:
			case saw[i] = <-b:
			}
		}
		return saw
	},
	"close": func() any {
		c := make(chan int)
		s := make(chan string, 1)
		go func() {
			defer func() { s <- fmt.Sprint(recover()) }()
			c <- 1
		}()
		go func() { <-c }()
		close(c)
		return <-s
	},
	// Store buffering: one of the two sees the other's store.
	"atomics": func() any {
		var x, y atomic.Int32
		var r [2]int32
		var wg sync.WaitGroup
		wg.Go(func() { x.Store(1); r[0] = y.Load() })
		wg.Go(func() { y.Store(1); r[1] = x.Load() })
		wg.Wait()
		return r
	},
	"swap": func() any {
		var x atomic.Int32
		var wg sync.WaitGroup
		var won [2]bool
		for i := range won {
			wg.Go(func() { won[i] = x.CompareAndSwap(0, 1) })
		}
		wg.Wait()
		return won
	},
	"once": func() any {
		var o sync.Once
		var wg sync.WaitGroup
		who := -1
		for i := range 2 {
			wg.Go(func() { o.Do(func() { who = i }) })
		}
		wg.Wait()
		return who
	},
	"cond": func() any {
		var mu sync.Mutex
		k := sync.NewCond(&mu)
		var order []int
		ready := false
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() {
				mu.Lock()
				for !ready {
					k.Wait()
				}
				order = append(order, i)
				mu.Unlock()
			})
		}
		mu.Lock()
		ready = true
		k.Broadcast()
		mu.Unlock()
		wg.Wait()
		return order
	},
	// A goroutine raises the counter itself: Wait may come first.
	"early": func() any {
		var wg sync.WaitGroup
		var n atomic.Int32
		go func() { wg.Add(1); n.Store(1); wg.Done() }()
		wg.Wait()
		return n.Load()
	},
	// Two of the orders end in a deadlock.
	"deadlock": func() any {
		var a, b sync.Mutex
		var wg sync.WaitGroup
		wg.Go(func() { a.Lock(); b.Lock(); b.Unlock(); a.Unlock() })
		wg.Go(func() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock() })
		wg.Wait()
		return "done"
	},
	"sleep": func() any {
		var mu sync.Mutex
		var order []int
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() {
				time.Sleep(time.Hour)
				mu.Lock()
				order = append(order, i)
				mu.Unlock()
			})
		}
		wg.Wait()
		return order
	},
}

func main() {
	fmt.Println(programs[os.Args[1]]())
}
