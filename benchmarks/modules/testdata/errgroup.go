// Command errgroup starts 4,096 tasks in an error group, ten times; they share a weighted
// semaphore, a group of single flights and a map.
package main

import (
	"context"
	"fmt"
	"log"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"golang.org/x/sync/syncmap"
)

const (
	rounds = 10
	tasks  = 4096
	keys   = 64
)

func main() {
	for range rounds {
		round()
	}
}

func round() {
	group, ctx := errgroup.WithContext(context.Background())
	room := semaphore.NewWeighted(32)
	var flights singleflight.Group
	var seen syncmap.Map
	var total atomic.Int64
	inside := 0 // only a holder of the whole semaphore changes it
	for t := range tasks {
		group.Go(func() error {
			weight := int64(1 + t%8)
			if t%256 == 0 {
				weight = 32
			}
			if err := room.Acquire(ctx, weight); err != nil {
				return err
			}
			if weight == 32 {
				inside++
			}
			room.Release(weight)
			key := fmt.Sprint("key ", t%keys)
			v, err, _ := flights.Do(key, func() (any, error) { return len(key), nil })
			if err != nil {
				return err
			}
			total.Add(int64(v.(int)))
			seen.LoadOrStore(key, t)
			return nil
		})
	}
	check(group.Wait())
	n := 0
	seen.Range(func(k, v any) bool { n++; return true })
	if inside != tasks/256 || n != keys || total.Load() == 0 {
		log.Fatalf("%d tasks held the whole semaphore, %d keys were seen", inside, n)
	}
}
