package sort

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
)

const (
	sequentialBelow = 2000 // elements
	buckets         = 32
	perBucket       = 8  // elements of the sample
	blocksOf        = 16 // blocks that a range is divided into
	insertBelow     = 16 // elements are sorted by insertion
)

func run(n int, racy bool) error {
	xs := make([]int64, n)
	r := rand.NewPCG(9, 10)
	sum, hash := uint64(0), uint64(0)
	for i := range xs {
		v := r.Uint64() >> 16
		xs[i] = int64(v)
		sum += v
		hash ^= v * v
	}
	sampleSort(xs, make([]int64, n), racy)
	if racy {
		return nil
	}
	for i, v := range xs {
		if i > 0 && xs[i-1] > v {
			return fmt.Errorf("element %d is %d, the one before it %d", i, v, xs[i-1])
		}
		sum -= uint64(v)
		hash ^= uint64(v) * uint64(v)
	}
	if sum != 0 || hash != 0 {
		return fmt.Errorf("not the same elements: sums differ by %d, hashes by %#x", sum, hash)
	}
	return nil
}

// sampleSort sorts xs; tmp is as long, and its contents are lost.
func sampleSort(xs, tmp []int64, racy bool) {
	if len(xs) < sequentialBelow {
		quickSort(xs)
		return
	}
	above := splitters(xs)
	size := (len(xs) + blocksOf - 1) / blocksOf
	counts := make([][buckets]int, blocksOf)
	blocks.Each(len(xs), size, func(lo, hi int) { count(&counts[lo/size], xs[lo:hi], above) })
	starts := offsets(counts)
	blocks.Each(len(xs), size, func(lo, hi int) { scatter(tmp, &counts[lo/size], xs[lo:hi], above) })
	var wg sync.WaitGroup
	for b := range buckets {
		lo, hi := starts[b], starts[b+1]
		wg.Go(func() {
			if hi-lo < len(xs) { // or all elements are equal, nearly
				sampleSort(tmp[lo:hi], xs[lo:hi], false)
			} else {
				quickSort(tmp)
			}
			if racy {
				hi = min(hi+1, len(xs))
			}
			copy(xs[lo:hi], tmp[lo:hi])
		})
	}
	wg.Wait()
}

// splitters returns the greatest values of all buckets but the last.
func splitters(xs []int64) []int64 {
	sample := make([]int64, buckets*perBucket)
	for i := range sample {
		sample[i] = xs[i*(len(xs)/len(sample))]
	}
	quickSort(sample)
	above := make([]int64, 0, buckets-1)
	for b := 1; b < buckets; b++ {
		above = append(above, sample[b*perBucket-1])
	}
	return above
}

// bucket returns the first bucket whose splitter is not below v.
func bucket(v int64, above []int64) int {
	b, _ := slices.BinarySearch(above, v)
	return b
}

func count(counts *[buckets]int, xs, above []int64) {
	for _, v := range xs {
		counts[bucket(v, above)]++
	}
}

// offsets turns the counts of each block and bucket into the place of the first such
// element, and returns where the buckets begin; they end with the length of all.
func offsets(counts [][buckets]int) [buckets + 1]int {
	var starts [buckets + 1]int
	place := 0
	for b := range buckets {
		starts[b] = place
		for i := range counts {
			n := counts[i][b]
			counts[i][b] = place
			place += n
		}
	}
	starts[buckets] = place
	return starts
}

// scatter moves each element to the next place of its bucket.
func scatter(dst []int64, places *[buckets]int, xs, above []int64) {
	for _, v := range xs {
		b := bucket(v, above)
		dst[places[b]] = v
		places[b]++
	}
}

func quickSort(xs []int64) {
	for len(xs) > insertBelow {
		m := partition(xs)
		if m < len(xs)-m {
			quickSort(xs[:m])
			xs = xs[m:]
		} else {
			quickSort(xs[m:])
			xs = xs[:m]
		}
	}
	for i := 1; i < len(xs); i++ {
		v, j := xs[i], i
		for ; j > 0 && xs[j-1] > v; j-- {
			xs[j] = xs[j-1]
		}
		xs[j] = v
	}
}

// partition puts elements not above the pivot before those not below it and returns
// where the latter begin (Hoare): neither part is empty.
func partition(xs []int64) int {
	a, b, c := xs[0], xs[len(xs)/2], xs[len(xs)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j := 0, len(xs)-1
	for {
		for xs[i] < pivot {
			i++
		}
		for xs[j] > pivot {
			j--
		}
		if i >= j {
			return max(i, 1)
		}
		xs[i], xs[j] = xs[j], xs[i]
		i++
		j--
	}
}
