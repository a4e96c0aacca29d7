// Command xxhash sums pieces of one block of bytes in four tasks, at once and in writes of several
// sizes.
package main

import (
	"log"
	"sync"

	"github.com/cespare/xxhash/v2"
)

const (
	tasks  = 4
	rounds = 24 // of each task
	size   = 1 << 20
	part   = 1000 // bytes of a short write
)

func main() {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(i*i>>7 + i)
	}
	sums := make([]uint64, tasks)
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			for round := range rounds {
				piece := data[round : size-rounds+round]
				whole := xxhash.Sum64(piece)
				if round%4 == 0 {
					d := xxhash.New()
					for rest := piece; len(rest) > 0; {
						n, _ := d.Write(rest[:min(part, len(rest))])
						rest = rest[n:]
					}
					if d.Sum64() != whole {
						log.Fatalf("task %d: the sum of the parts is %x, of the whole %x", task, d.Sum64(), whole)
					}
				}
				sums[task] += whole
			}
		})
	}
	wg.Wait()
	alike(sums)
}
