// Command otter uses one cache in eight tasks, which load missing values.
package main

import (
	"context"
	"fmt"
	"log"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"
)

const (
	tasks = 8
	steps = 8000 // of each task
	size  = 1000
)

func main() {
	var loaded atomic.Int64
	loader := otter.LoaderFunc[int, string](func(ctx context.Context, k int) (string, error) {
		loaded.Add(1)
		return fmt.Sprint("value ", k), nil
	})
	cache := otter.Must(&otter.Options[int, string]{MaximumSize: size})
	var wg sync.WaitGroup
	for t := range tasks {
		wg.Go(func() {
			x := uint32(t + 1)
			for i := range steps {
				x = x*1664525 + 1013904223
				k := int(x>>16) % (2 * size)
				v, err := cache.Get(context.Background(), k, loader)
				if want := fmt.Sprint("value ", k); err != nil || v != want {
					log.Fatalf("key %d has %q, want %q, %v", k, v, want, err)
				}
				if i%50 == 49 {
					cache.Invalidate(k)
				}
			}
		})
	}
	wg.Wait()
	cache.CleanUp()
	if n := cache.EstimatedSize(); n > size || loaded.Load() < size {
		log.Fatalf("the cache holds %d of %d loaded values, at most %d are allowed", n, loaded.Load(), size)
	}
	cache.StopAllGoroutines()
}
