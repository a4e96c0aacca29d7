// Command blake3 sums blocks of bytes in four tasks.
package main

import (
	"sync"

	"github.com/zeebo/blake3"
)

const (
	tasks  = 4
	rounds = 30 // of each task
	size   = 256 << 10
)

func main() {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i*i>>7 + i)
	}
	sums := make([][32]byte, tasks)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for round := range rounds {
				sum := blake3.Sum256(data[round:])
				for i, b := range sum {
					sums[task][i] ^= b
				}
			}
		})
	}
	wg.Wait()
	alike(sums)
}
