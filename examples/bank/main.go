// Command bank is a small bank with a data race: Balance does not take the lock
// that Deposit takes. Run it with
//
//	go run ./cmd/taskinstr run ./examples/bank
package main

import (
	"fmt"
	"sync"
)

// An Account may be used by several tellers at once; mu guards balance.
type Account struct {
	mu      sync.Mutex
	owner   string
	balance int
}

// Deposit adds the amount.
func (acct *Account) Deposit(amount int) {
	acct.mu.Lock()
	defer acct.mu.Unlock()
	acct.balance += amount
}

// Balance returns the amount in the account. It should take the lock.
func (acct *Account) Balance() int {
	return acct.balance
}

func main() {
	acct := &Account{owner: "Ada", balance: 100}
	var tellers sync.WaitGroup
	tellers.Go(func() {
		acct.Deposit(50)
	})
	tellers.Go(func() {
		if acct.Balance() < 0 {
			fmt.Println(acct.owner, "is overdrawn")
		}
	})
	tellers.Wait()
	fmt.Println(acct.owner, "has", acct.Balance())
}
