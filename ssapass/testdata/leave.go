package main

import (
	"runtime"
	"sync"
	"time"
)

var a, b, c, d, e, f, g, h int

// The WaitGroup is known to others, so Wait proves nothing.
func leaky(ws *sync.WaitGroup) {
	ws.Add(1)
	go func() {
		defer ws.Done()
		a = 1 // want a w:
	}()
	ws.Wait()
}

// Add may be too small: Wait may return early.
func early() {
	var wg sync.WaitGroup
	wg.Add(1)
	for range 2 {
		go func() {
			defer wg.Done()
			b = 1 // want b w:
		}()
	}
	wg.Wait()
	b = 2 // want b w:
}

// Done comes before the task's last access.
func late() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		c = 1 // want c w:
	}()
	wg.Wait()
	c = 2 // want c w:
}

// The task starts another.
func nested() {
	var wg sync.WaitGroup
	wg.Go(func() {
		go func() { d = 1 }() // want d w:
	})
	wg.Wait()
	d = 2 // want d w:
}

// The tasks start others and wait for them.
func recursive(n int) {
	if n == 0 {
		return
	}
	f = 1 // want f w:
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		recursive(n - 1)
	}()
	wg.Go(func() { recursive(n - 1) })
	wg.Wait()
}

// The task waits for another, unless it ends before.
func ends(n int) {
	var wg sync.WaitGroup
	wg.Go(func() {
		var inner sync.WaitGroup
		inner.Go(func() { g = 1 }) // want g w:
		if n > 0 {
			runtime.Goexit()
		}
		inner.Wait()
	})
	wg.Wait()
	g = 2 // want g w:
}

func timer() {
	time.AfterFunc(1, func() { e = 1 }) // want e w:
	e = 2                               // want e w:
}

func main() {
	switch len(time.Local.String()) {
	case 1:
		var wg sync.WaitGroup
		leaky(&wg)
		a = 2 // want a w:
	case 2:
		early()
	case 3:
		late()
	case 4:
		nested()
	case 5:
		timer()
	case 6:
		recursive(3)
		h = 1 // want h w: local sequential readonly
		f = 2 // want f w: sequential
	case 7:
		ends(1)
	}
}
