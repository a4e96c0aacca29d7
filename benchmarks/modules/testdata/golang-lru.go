// Command golang-lru uses three caches of golang-lru in eight tasks.
package main

import (
	"fmt"
	"log"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
)

const (
	tasks = 8
	steps = 8000 // of each task
	size  = 512
)

type cache interface {
	Get(key int) (value string, ok bool)
}

func main() {
	var evicted atomic.Int64
	plain := must(lru.NewWithEvict(size, func(int, string) { evicted.Add(1) }))
	twoQueues := must(lru.New2Q[int, string](size))
	expiring := expirable.NewLRU[int, string](size, nil, time.Hour)
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			x := uint32(t + 1)
			for range steps {
				x = x*1664525 + 1013904223
				k := int(x>>16) % (2 * size)
				use(plain, k, func(v string) { plain.Add(k, v) })
				use(twoQueues, k, func(v string) { twoQueues.Add(k, v) })
				use(expiring, k, func(v string) { expiring.Add(k, v) })
			}
		})
	}
	wg.Wait()
	if plain.Len() != size || twoQueues.Len() != size || expiring.Len() != size || evicted.Load() == 0 {
		log.Fatalf("the caches hold %d, %d and %d values, want %d each; %d were evicted",
			plain.Len(), twoQueues.Len(), expiring.Len(), size, evicted.Load())
	}
}

// use looks up a value and adds it if it is missing.
func use(c cache, k int, add func(v string)) {
	want := fmt.Sprint("value ", k)
	if v, ok := c.Get(k); !ok {
		add(want)
	} else if v != want {
		log.Fatalf("key %d has %q, want %q", k, v, want)
	}
}
