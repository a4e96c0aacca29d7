// Package blocks divides index ranges among tasks.
package blocks

import "sync"

// Each calls f for each block of size indices of [0, n), the last of which may be
// shorter, in a task of its own, and waits for all tasks.
func Each(n, size int, f func(lo, hi int)) {
	var wg sync.WaitGroup
	for lo := 0; lo < n; lo += size {
		hi := min(lo+size, n)
		wg.Go(func() { f(lo, hi) })
	}
	wg.Wait()
}
