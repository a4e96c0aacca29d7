// Package main checks the clock of a schedule (docs/design/schedule.md): how long it runs is printed by its
// test, which measures it from outside.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

func check(ok bool, args ...any) {
	if !ok {
		fmt.Println(args...)
		os.Exit(1)
	}
}

// about reports whether d is want, up to what readings of the clock add.
func about(d, want time.Duration) bool { return d >= want && d < want+time.Millisecond }

func main() {
	start := time.Now()
	since := func() time.Duration { return time.Since(start) }

	// Sleeps of different goroutines, in the order of their ends.
	var wg sync.WaitGroup
	var mu sync.Mutex
	var order []int
	for i := range 5 {
		wg.Go(func() {
			time.Sleep(time.Duration(30-5*i) * time.Second)
			mu.Lock()
			order = append(order, i)
			mu.Unlock()
		})
	}
	wg.Wait()
	check(fmt.Sprint(order) == "[4 3 2 1 0]", "order", order)
	check(about(since(), 30*time.Second), "sleep", since())
	check(time.Now().Unix()-start.Unix() >= 29, "the wall clock stands still")

	// Tickers and timers.
	start = time.Now()
	tick := time.NewTicker(time.Second)
	for i := range 10 {
		t := <-tick.C
		check(about(t.Sub(start), time.Duration(i+1)*time.Second), "tick", i, t.Sub(start))
	}
	tick.Stop()
	stopped := time.AfterFunc(time.Hour, func() { check(false, "a stopped timer runs") })
	fired := make(chan time.Duration)
	time.AfterFunc(time.Minute, func() { fired <- since() })
	check(about(<-fired, 70*time.Second), "AfterFunc", since())
	check(stopped.Stop(), "the timer is not stopped")

	// Contexts and selects.
	start = time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	select {
	case <-ctx.Done():
	case <-time.After(21 * time.Second):
	}
	check(errors.Is(ctx.Err(), context.DeadlineExceeded) && about(since(), 20*time.Second), "context", since(), ctx.Err())

	// Deadlines of connections in memory and in the system.
	start = time.Now()
	a, b := net.Pipe()
	defer b.Close()
	a.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, err := a.Read(make([]byte, 1))
	check(errors.Is(err, os.ErrDeadlineExceeded) && about(since(), 10*time.Second), "net.Pipe", since(), err)

	if len(os.Args) == 1 {
		fmt.Println("agrees")
		return
	}

	// Loops that wait without sleeping.
	start = time.Now()
	for since() < time.Second {
	}
	var flag atomic.Bool
	time.AfterFunc(time.Second, func() { flag.Store(true) })
	for !flag.Load() {
	}
	done := false
	time.AfterFunc(time.Second, func() { mu.Lock(); done = true; mu.Unlock() })
	for {
		mu.Lock()
		d := done
		mu.Unlock()
		if d {
			break
		}
	}
	after := time.After(time.Second)
	for waits := true; waits; {
		select {
		case <-after:
			waits = false
		default:
		}
	}
	// Two goroutines of which one can always run.
	ball := make(chan int)
	wg.Go(func() {
		for range ball {
		}
	})
	after = time.After(time.Second)
	for waits := true; waits; {
		select {
		case <-after:
			waits = false
		case ball <- 1:
		}
	}
	close(ball)
	wg.Wait()
	check(since() >= 5*time.Second && since() < 6*time.Second, "loops", since())

	// The same between sleeps takes no time that counts.
	start = time.Now()
	for range 100 {
		for range 500 {
			mu.Lock()
			mu.Unlock()
		}
		time.Sleep(time.Millisecond)
	}
	check(about(since(), 100*time.Millisecond), "sleeps between points", since())
	fmt.Println("agrees")
}
