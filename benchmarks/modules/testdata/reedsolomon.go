// Command reedsolomon adds parity shards to data, loses shards and computes them again, in four
// tasks that share an encoder.
package main

import (
	"bytes"
	"log"
	"sync"

	"github.com/klauspost/reedsolomon"
)

const (
	tasks  = 4
	rounds = 5 // of each task
	data   = 8
	parity = 3
	size   = 32 << 10 // bytes of a shard
)

func main() {
	coder := must(reedsolomon.New(data, parity))
	var wg sync.WaitGroup
	for task := range tasks {
		wg.Go(func() {
			shards := make([][]byte, data+parity)
			for i := range shards {
				shards[i] = make([]byte, size)
				for j := range shards[i] {
					shards[i][j] = byte(i*j>>3 + task)
				}
			}
			for round := range rounds {
				check(coder.Encode(shards))
				want := [parity][]byte{}
				for i := range want {
					lost := (round + i*3) % len(shards)
					want[i], shards[lost] = shards[lost], nil
				}
				check(coder.Reconstruct(shards))
				for i := range want {
					if lost := (round + i*3) % len(shards); !bytes.Equal(shards[lost], want[i]) {
						log.Fatalf("task %d: shard %d came back with other bytes", task, lost)
					}
				}
			}
		})
	}
	wg.Wait()
}
