package knapsack

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"taskinstr/benchmarks/drdp/promise"
)

type item struct{ value, weight int }

// A search enumerates the selections of items, which are sorted by descending ratio of
// value to weight.
type search struct {
	items    []item
	atLeast  int // the minimum value of a selection to be searched for
	racy     bool
	branches int // counted in the racy variant
}

func run(in input, racy bool) error {
	items, capacity := problem(in.items)
	sr := &search{items: items, atLeast: greedy(items, capacity) - in.slack, racy: racy}
	got := sr.best(0, capacity, 0)
	if racy {
		return nil
	}
	if want := exact(items, capacity); got != want {
		return fmt.Errorf("a selection worth %d, want %d", got, want)
	}
	return nil
}

// problem makes items whose values correlate with their weights, which is the hard case,
// and a capacity for half of them.
func problem(n int) (items []item, capacity int) {
	r := rand.New(rand.NewPCG(24, 25))
	for range n {
		w := 100 + r.IntN(900)
		items = append(items, item{value: w + r.IntN(100), weight: w})
		capacity += w
	}
	slices.SortFunc(items, func(a, b item) int { return b.value*a.weight - a.value*b.weight })
	return items, capacity / 2
}

// best returns the maximum value with the items from the i-th on, 0 if it is below
// atLeast.
func (s *search) best(i, capacity, value int) int {
	if s.racy {
		s.branches++
	}
	switch {
	case capacity < 0:
		return 0
	case i == len(s.items):
		return value
	}
	it := s.items[i]
	if value+capacity*it.value/it.weight < s.atLeast {
		return 0 // not even with fractions of items
	}
	with := promise.Go(func() int { return s.best(i+1, capacity-it.weight, value+it.value) })
	without := s.best(i+1, capacity, value)
	return max(with.Get(), without)
}

// greedy takes the items that fit, in order.
func greedy(items []item, capacity int) int {
	value := 0
	for _, it := range items {
		if it.weight <= capacity {
			capacity -= it.weight
			value += it.value
		}
	}
	return value
}

// exact solves the problem by dynamic programming over the weight.
func exact(items []item, capacity int) int {
	best := make([]int, capacity+1)
	for _, it := range items {
		for w := capacity; w >= it.weight; w-- {
			best[w] = max(best[w], best[w-it.weight]+it.value)
		}
	}
	return best[capacity]
}
