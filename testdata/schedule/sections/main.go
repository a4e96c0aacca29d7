// Package main prints in which order its tasks were in a critical section. One of them is
// in another one as well.
package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu, other sync.Mutex
	var wg sync.WaitGroup
	s := ""
	for i := range 3 {
		wg.Go(func() {
			mu.Lock()
			s += fmt.Sprint(i)
			mu.Unlock()
			if i == 0 {
				other.Lock()
				other.Unlock()
			}
		})
	}
	wg.Wait()
	fmt.Println(s)
}
