// Command ristretto uses one cache in eight tasks; reads and writes go through buffers to
// a task that decides which entries to admit.
package main

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/ristretto/v2"
)

const (
	tasks = 8
	steps = 8000 // of each task
	size  = 1000
)

func main() {
	cache := must(ristretto.NewCache(&ristretto.Config[int, string]{NumCounters: 10 * size, MaxCost: size, BufferItems: 64, Metrics: true}))
	var hits, misses atomic.Int64
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			x := uint32(t + 1)
			for i := range steps {
				x = x*1664525 + 1013904223
				k := int(x>>16) % (2 * size)
				want := fmt.Sprint("value ", k)
				if v, ok := cache.Get(k); !ok {
					misses.Add(1)
					cache.Set(k, want, 1)
				} else if hits.Add(1); v != want {
					log.Fatalf("key %d has %q, want %q", k, v, want)
				}
				if i%50 == 49 {
					cache.Del(k)
				}
			}
		})
	}
	wg.Wait()
	cache.Wait()
	if n := hits.Load() + misses.Load(); n != tasks*steps || misses.Load() == 0 {
		log.Fatalf("%d hits and %d misses, want %d", hits.Load(), misses.Load(), tasks*steps)
	}
	cache.Close()
}
