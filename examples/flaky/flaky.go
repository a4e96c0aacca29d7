// Package flaky has three defects that few schedules show. `go test -race` passes nearly every
// time; `taskinstr test -explore=200 ./examples/flaky` finds all three.
package flaky

import "sync"

// A Client keeps a token and renews it when it is asked for.
type Client struct {
	mu       sync.Mutex
	renewing bool
	token    string
}

// Token returns a token, a new one unless another goroutine is about to get one.
func (c *Client) Token(fetch func() string) string {
	c.mu.Lock()
	if c.renewing {
		c.mu.Unlock()
		return c.token // the other goroutine may be writing it
	}
	c.renewing = true
	c.mu.Unlock()

	c.token = fetch()

	c.mu.Lock()
	defer c.mu.Unlock()
	c.renewing = false
	return c.token
}

// An Account is what a transfer takes money from or gives it to.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Transfer moves money. Two transfers in opposite directions may wait for each other.
func Transfer(from, to *Account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

// A Shelf holds a number of goods.
type Shelf struct {
	mu    sync.Mutex
	goods int
}

// Goods returns the number of goods.
func (s *Shelf) Goods() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.goods
}

// Add adds n goods.
func (s *Shelf) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.goods += n
}

// Sell takes one of the goods, if there are any. Each step holds the lock, but the two steps
// together do not.
func (s *Shelf) Sell() bool {
	if s.Goods() == 0 {
		return false
	}
	s.Add(-1)
	return true
}
