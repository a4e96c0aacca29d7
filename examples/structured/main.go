// Command structured sorts and counts measurements in parallel tasks, with a data race:
// histogram.add changes the total outside of its isolated section. Run it with
//
//	go run ./cmd/taskinstr run ./examples/structured
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"taskinstr/rt/task"
)

const (
	values   = 4000
	limit    = 100 // all values are below
	width    = 10  // values in a bucket
	parts    = 4
	serially = 100 // up to this length, one task sorts a slice
)

// A histogram may be filled by several tasks at once.
type histogram struct {
	buckets [limit / width]int
	total   int
}

// add counts the values. The section should contain the change of the total, too.
func (h *histogram) add(t *task.Task, values []int) {
	var part [limit / width]int
	for _, v := range values {
		part[v/width]++
	}
	t.Isolated(func() {
		for i, n := range part {
			h.buckets[i] += n
		}
	})
	h.total += len(values)
}

// sorted sorts a and returns it. It overwrites tmp, which has the same length.
func sorted(t *task.Task, a, tmp []int) []int {
	if len(a) <= serially {
		slices.Sort(a)
		return a
	}
	mid := len(a) / 2
	var left, right []int
	t.Finish(func() {
		t.Async(func(t *task.Task) { left = sorted(t, a[:mid], tmp[:mid]) })
		right = sorted(t, a[mid:], tmp[mid:])
	})
	merge(tmp, left, right)
	copy(a, tmp)
	return a
}

// merge merges the sorted slices a and b into to.
func merge(to, a, b []int) {
	for i := range to {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			to[i], a = a[0], a[1:]
		} else {
			to[i], b = b[0], b[1:]
		}
	}
}

func main() {
	random := rand.New(rand.NewPCG(1, 2))
	measured := make([]int, values)
	for i := range measured {
		measured[i] = random.IntN(limit)
	}
	var h histogram
	err := task.Finish(context.Background(), func(t *task.Task) {
		median := task.NewFuture(t, func(t *task.Task) (int, error) {
			s := sorted(t, slices.Clone(measured), make([]int, values))
			return s[values/2], nil
		})
		for i := range parts {
			part := measured[i*values/parts : (i+1)*values/parts]
			t.Async(func(t *task.Task) { h.add(t, part) })
		}
		m, err := median.Get(t)
		fmt.Println("median", m, err)
	})
	fmt.Println("buckets", h.buckets, "total", h.total, err)
}
