package fannkuch

import (
	"fmt"
	"sync"

	"taskinstr/benchmarks/program"
)

// block is the number of permutations in a task.
const block = 40

type result struct {
	checksum int // the counts of the permutations with an even index less the counts of all others
	most     int // reversals
}

func run(in input, racy bool) error {
	total := factorial(in.n)
	results := make([]result, (total+block-1)/block)
	most := 0
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() {
			results[i] = count(in.n, i*block, min((i+1)*block, total))
			if racy {
				most = max(most, results[i].most)
			}
		})
		if (i+1)%program.Alive == 0 {
			wg.Wait()
		}
	}
	wg.Wait()
	if racy {
		return nil
	}
	var got result
	for _, r := range results {
		got.checksum += r.checksum
		got.most = max(got.most, r.most)
	}
	if got != in.want {
		return fmt.Errorf("n=%d: %+v, want %+v", in.n, got, in.want)
	}
	return nil
}

// count processes the permutations with the indices lo to hi.
func count(n, lo, hi int) result {
	var r result
	p := newPermutation(n, lo)
	stack := make([]int, n)
	for i := lo; i < hi; i++ {
		copy(stack, p.elements)
		c := flips(stack)
		r.most = max(r.most, c)
		if i%2 == 0 {
			r.checksum += c
		} else {
			r.checksum -= c
		}
		p.next()
	}
	return r
}

// flips performs and counts the reversals of a permutation of 0..n-1.
func flips(p []int) int {
	c := 0
	for p[0] != 0 {
		for i, j := 0, p[0]; i < j; i, j = i+1, j-1 {
			p[i], p[j] = p[j], p[i]
		}
		c++
	}
	return c
}
