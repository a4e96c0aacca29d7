package sort

import (
	"fmt"
	"math/rand/v2"

	"taskinstr/benchmarks/drdp/promise"
)

const (
	sortBlock   = 1024 // slices up to this length are sorted sequentially
	mergeBlock  = 2048 // slices up to this length are merged sequentially
	insertBlock = 20   // slices up to this length are sorted by insertion
)

func run(n int, racy bool) error {
	xs, tmp := make([]int64, n), make([]int64, n)
	r := rand.NewPCG(16, 17)
	sum, xor := uint64(0), uint64(0)
	for i := range xs {
		v := r.Uint64() >> 20
		xs[i] = int64(v)
		sum += v
		xor ^= v * v
	}
	mergeSort(xs, tmp, racy)
	if racy {
		return nil
	}
	for i, v := range xs {
		if i > 0 && xs[i-1] > v {
			return fmt.Errorf("element %d is %d, the one before it %d", i, v, xs[i-1])
		}
		sum -= uint64(v)
		xor ^= uint64(v) * uint64(v)
	}
	if sum != 0 || xor != 0 {
		return fmt.Errorf("not the same elements: sums differ by %d, hashes by %#x", sum, xor)
	}
	return nil
}

// mergeSort sorts xs. tmp has the same length; its contents are lost.
func mergeSort(xs, tmp []int64, racy bool) {
	n := len(xs)
	if n <= sortBlock {
		quickSort(xs)
		return
	}
	q := [5]int{0, n / 4, n / 2, n / 4 * 3, n}
	var quarters [3]promise.Done
	for i := range quarters {
		lo, hi := q[i], q[i+1]
		quarters[i] = promise.Do(func() { mergeSort(xs[lo:hi], tmp[lo:hi], false) })
	}
	mergeSort(xs[q[3]:], tmp[q[3]:], false)
	first := 0
	if racy {
		first = 1
	}
	for _, p := range quarters[first:] {
		p.Get()
	}
	half := promise.Do(func() { merge(tmp[:q[2]], xs[:q[1]], xs[q[1]:q[2]]) })
	merge(tmp[q[2]:], xs[q[2]:q[3]], xs[q[3]:])
	half.Get()
	quarters[0].Get()
	merge(xs, tmp[:q[2]], tmp[q[2]:])
}

// merge merges the sorted a and b into dst.
func merge(dst, a, b []int64) {
	if len(a) < len(b) {
		a, b = b, a
	}
	if len(dst) <= mergeBlock {
		mergeBlocks(dst, a, b)
		return
	}
	i := len(a) / 2
	j := search(b, a[i])
	low := promise.Do(func() { merge(dst[:i+j], a[:i], b[:j]) })
	merge(dst[i+j:], a[i:], b[j:])
	low.Get()
}

func mergeBlocks(dst, a, b []int64) {
	i, j := 0, 0
	for k := range dst {
		if j == len(b) || i < len(a) && a[i] <= b[j] {
			dst[k] = a[i]
			i++
		} else {
			dst[k] = b[j]
			j++
		}
	}
}

// search returns the number of elements of the sorted xs that are below v.
func search(xs []int64, v int64) int {
	lo, hi := 0, len(xs)
	for lo < hi {
		if m := (lo + hi) / 2; xs[m] < v {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

func quickSort(xs []int64) {
	for len(xs) > insertBlock {
		m := partition(xs)
		quickSort(xs[:m])
		xs = xs[m:]
	}
	for i := 1; i < len(xs); i++ {
		v, j := xs[i], i
		for ; j > 0 && xs[j-1] > v; j-- {
			xs[j] = xs[j-1]
		}
		xs[j] = v
	}
}

// partition moves the elements below some value before all others, and returns the index
// of the first other element (Hoare). Both parts have elements.
func partition(xs []int64) int {
	pivot := median(xs[0], xs[len(xs)/2], xs[len(xs)-1])
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

func median(a, b, c int64) int64 { return max(min(a, b), min(max(a, b), c)) }
