//go:build race

// go test -race and taskinstr set the tag race. Without the tag the package has no tests, so that
// `go test ./...` does not fail now and then.

package flaky

import (
	"sync"
	"testing"
)

func TestToken(t *testing.T) {
	var c Client
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { c.Token(func() string { return "secret" }) })
	}
	wg.Wait()
}

func TestTransfer(t *testing.T) {
	a, b := &Account{balance: 100}, &Account{balance: 100}
	var wg sync.WaitGroup
	wg.Go(func() { Transfer(a, b, 10) })
	wg.Go(func() { Transfer(b, a, 20) })
	wg.Wait()
	if a.balance+b.balance != 200 {
		t.Errorf("%d and %d: money has come from nowhere", a.balance, b.balance)
	}
}

func TestSell(t *testing.T) {
	s := &Shelf{goods: 1}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { s.Sell() })
	}
	wg.Wait()
	if n := s.Goods(); n < 0 {
		t.Errorf("%d goods are left", n)
	}
}
