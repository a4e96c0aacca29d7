// Command bankfixed is a bank without a data race: every use of a balance holds the
// lock of its account, and a transfer takes its two locks in a fixed order. Compare
// examples/bank, where one method does not take the lock.
package main

import (
	"fmt"
	"sync"
)

// An Account may be used by several tellers at once; mu guards balance.
type Account struct {
	mu      sync.Mutex
	number  int
	balance int
}

// Balance returns the amount in the account.
func (acct *Account) Balance() int {
	acct.mu.Lock()
	defer acct.mu.Unlock()
	return acct.balance
}

// Transfer moves the amount. The account with the lower number is locked
// first, so that two transfers never wait for each other.
func Transfer(from, to *Account, amount int) {
	a, b := from, to
	if b.number < a.number {
		a, b = b, a
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

func main() {
	accts := make([]*Account, 4)
	for i := range accts {
		accts[i] = &Account{number: i, balance: 100}
	}
	var tellers sync.WaitGroup
	for i, from := range accts {
		to := accts[(i+1)%len(accts)]
		tellers.Go(func() {
			for range 100 {
				Transfer(from, to, 1)
			}
		})
	}
	tellers.Wait()
	total := 0
	for _, acct := range accts {
		total += acct.Balance()
	}
	fmt.Println("total", total)
}
