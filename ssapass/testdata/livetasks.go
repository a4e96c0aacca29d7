package main

import "sync"

type counter struct {
	mu sync.Mutex
	n  int
}

var (
	limit = 10
	total int
	cnt   = &counter{}
	hook  func()
)

func setup() {
	limit = 20 // want limit w: sequential
}

func helper(p *int) int {
	return *p // want *p r: readonly
}

func work(xs, out []int, c *counter) {
	for i, x := range xs { // want xs re: readonly
		out[i] = x + limit // want out[i] w: / limit r:
	}
	c.mu.Lock()
	c.n++ // want c.n w: locked
	c.mu.Unlock()
}

func inc(c *counter) {
	c.n += 2 // want c.n w: locked
}

func main() {
	setup()
	own := []int{1, 2, 3}
	own[0] = 4 // want own[0] w: local sequential readonly
	xs := make([]int, 10)
	xs[1] = 2 // want xs[1] w: sequential readonly
	out := make([]int, 10)
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(xs, out, cnt) // want xs r: readonly / out r: readonly / cnt r: readonly
			t := make([]int, 1)
			t[0] = 1 // want t[0] w: local readonly
			c := cnt // want cnt r: readonly
			c.mu.Lock()
			inc(c)
			c.mu.Unlock()
			cnt.mu.Lock()
			cnt.n-- // want cnt.n w: locked
			cnt.mu.Unlock()
		}()
		out[9] = helper(&xs[2]) // want out[9] w:
		own[1] = 5              // want own[1] w: local readonly
	}
	wg.Wait()
	total = out[1] // want total w: local sequential readonly / out[1] r: sequential

	var two sync.WaitGroup
	two.Go(func() { out[2] = 1 }) // want out[2] w:
	total = 1                     // want total w: local readonly
	two.Wait()
	total = 2 // want total w: local sequential readonly

	many(7, own)
	total = 5 // want total w: local sequential readonly
	wrong(3, own)
}

func many(n int, own []int) {
	var wg sync.WaitGroup
	part := make([]int, n)
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func() { defer wg.Done(); part[i] = i }() // want part[i] w:
	}
	total = 6 // want total w: local readonly
	wg.Wait()
	total = part[0] // want total w: local sequential readonly
	wg.Add(len(part))
	for i := range part {
		go func() { defer wg.Done(); part[i] = i }()
	}
	wg.Wait()
	total = part[0] // want total w: local sequential readonly
	wg.Add(4)
	for i := range 4 {
		go func() { defer wg.Done(); part[i] = i }()
	}
	wg.Wait()
	total = part[0] // want total w: local sequential readonly
}

// Neither loop starts as many tasks as were announced.
func wrong(n int, own []int) {
	switch own[0] {
	case 1:
		var wg sync.WaitGroup
		wg.Add(n)
		for i := 0; i <= n; i++ {
			go func() { defer wg.Done() }()
		}
		wg.Wait()
		total = 1 // want total w: local readonly
	case 2:
		var wg sync.WaitGroup
		wg.Add(n)
		for range 2 {
			for i := 0; i < n; i++ {
				go func() { defer wg.Done() }()
			}
		}
		wg.Wait()
		total = 1 // want total w: local readonly
	case 3:
		var wg sync.WaitGroup
		wg.Add(n)
		for i := 0; i < n; i++ {
			go func() { defer wg.Done() }()
			go func() { defer wg.Done() }()
		}
		wg.Wait()
		total = 1 // want total w: local readonly
	case 4:
		var wg sync.WaitGroup
		wg.Add(n)
		for i := 0; i < n; i++ {
			for range 2 {
				go func() { defer wg.Done() }()
			}
		}
		wg.Wait()
		total = 1 // want total w: local readonly
	case 5:
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { defer wg.Done() }()
		wg.Add(n) // may be negative, and Wait too short
		for i := 0; i < n; i++ {
			go func() { defer wg.Done() }()
		}
		wg.Wait()
		total = 1 // want total w: local readonly
	}

	// Nobody waits for this one.
	total = 3                 // want total w: local readonly
	go func() { limit = 5 }() // want limit w:
	total = 4                 // want total w: local readonly
	if hook != nil {
		hook()
	}
	own[2] = 1 // want own[2] w: local readonly
}
