// Command ants submits 64,000 small tasks to pools of reusable workers.
package main

import (
	"log"
	"sync"
	"sync/atomic"

	"github.com/panjf2000/ants/v2"
)

const (
	submitters = 8
	tasks      = 4000 // of each submitter, to each pool
	workers    = 64
)

func main() {
	var total atomic.Int64
	var left sync.WaitGroup
	left.Add(2 * submitters * tasks)
	free := must(ants.NewPool(workers, ants.WithPreAlloc(true)))
	defer free.Release()
	fixed := must(ants.NewPoolWithFuncGeneric(workers, func(numbers []int) {
		sum := 0
		for _, n := range numbers {
			sum += n
		}
		total.Add(int64(sum))
		left.Done()
	}))
	defer fixed.Release()
	for range submitters {
		go func() {
			for i := range tasks {
				numbers := make([]int, 100)
				for k := range numbers {
					numbers[k] = 1
				}
				check(free.Submit(func() {
					numbers[i%100]++
					total.Add(int64(numbers[i%100]))
					left.Done()
				}))
				own := append([]int(nil), 1, 2, 3)
				check(fixed.Invoke(own))
			}
		}()
	}
	left.Wait()
	if want := int64(submitters * tasks * (2 + 6)); total.Load() != want {
		log.Fatalf("the sum is %d, want %d", total.Load(), want)
	}
}
