package zipper

import (
	"slices"

	"taskinstr/detector/event"
)

// bounds holds the addresses at which accesses begin and end, ascending. All bytes
// between two consecutive bounds have the same accesses.
type bounds struct {
	at    []uint64
	other []uint64 // the second buffer of merges
	runs  []int    // the indices at which ascending runs of at begin
}

// reset computes the bounds of the accesses in list.
func (b *bounds) reset(list []access) {
	b.at = slices.Grow(b.at[:0], 2*len(list))
	// The accesses of one kind usually come in ascending order, because loops fork the
	// tasks. Sorting merges such runs.
	for k := event.Kind(0); k < 4; k++ {
		from := len(b.at)
		for i := range list {
			if list[i].kind == k {
				b.at = append(b.at, list[i].lo)
			}
		}
		if len(b.at) == from {
			continue
		}
		for i := range list {
			if list[i].kind == k {
				b.at = append(b.at, list[i].hi)
			}
		}
	}
	b.sort()
	b.at = slices.Compact(b.at)
}

// sort is a natural merge sort: linear for a small number of ascending runs.
func (b *bounds) sort() {
	b.runs = b.runs[:0]
	for i, x := range b.at {
		if i == 0 || x < b.at[i-1] {
			b.runs = append(b.runs, i)
		}
	}
	if len(b.runs) > len(b.at)/4 { // too many runs to profit from merging
		slices.Sort(b.at)
		return
	}
	for len(b.runs) > 1 {
		b.other = slices.Grow(b.other[:0], len(b.at))
		runs := b.runs[:0]
		for i := 0; i < len(b.runs); i += 2 {
			end := func(j int) int {
				if j < len(b.runs) {
					return b.runs[j]
				}
				return len(b.at)
			}
			from, mid, to := b.runs[i], end(i+1), end(i+2)
			runs = append(runs, from)
			b.other = merge(b.other, b.at[from:mid], b.at[mid:to])
		}
		b.at, b.other, b.runs = b.other, b.at, runs
	}
}

// merge appends two ascending lists to out, in ascending order.
func merge(out, x, y []uint64) []uint64 {
	for len(x) > 0 && len(y) > 0 {
		if x[0] <= y[0] {
			out = append(out, x[0])
			x = x[1:]
		} else {
			out = append(out, y[0])
			y = y[1:]
		}
	}
	return append(append(out, x...), y...)
}

// nearBy is the distance from the guess that find tries before it searches.
const nearBy = 3

// find returns the index of the bound x; near is a guess.
func (b *bounds) find(x uint64, near int) int {
	if near < len(b.at) && b.at[near] <= x {
		for i := near; i < len(b.at) && i <= near+nearBy; i++ {
			if b.at[i] == x {
				return i
			}
		}
	}
	i, _ := slices.BinarySearch(b.at, x)
	return i
}
