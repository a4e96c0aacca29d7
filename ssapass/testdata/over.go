package main

import "sync"

type account struct {
	mu sync.Mutex
	n  int
}

var (
	sum   int
	limit = 3
	cash  = &account{}
)

// twice is a range function.
func twice(yield func(*account) bool) {
	if yield(cash) {
		yield(cash)
	}
}

// count defers calls for each element: they run when it ends.
func count() {
	for range twice {
		defer func() {
			sum += limit // want sum w: / limit r: readonly
		}()
	}
}

// early defers the unlock of a lock that its caller holds.
func early() {
	for a := range twice {
		defer a.mu.Unlock()
		return
	}
}

func main() {
	limit = 4 // want limit w: sequential readonly
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			count()
			cash.mu.Lock()
			cash.n++ // want cash.n w: locked
			early()
			cash.n++ // want cash.n w:
		}()
	}
	wg.Wait()
	println(sum) // want sum r: sequential
}
