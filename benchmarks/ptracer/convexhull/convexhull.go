package convexhull

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"taskinstr/benchmarks/ptracer/blocks"
	"taskinstr/benchmarks/ptracer/plane"
)

const (
	taskBelow = 500    // points are not divided among tasks
	block     = 50_000 // points that one task looks for the farthest one in
)

func run(n int, racy bool) error {
	ps := disk(n)
	hull := quickHull(ps, racy)
	if racy {
		return nil
	}
	return check(ps, hull)
}

// disk returns points in the disk that the square contains; some may be equal.
func disk(n int) []plane.Point {
	r := rand.New(rand.NewPCG(11, 12))
	center := plane.Point{X: plane.Side / 2, Y: plane.Side / 2}
	ps := make([]plane.Point, 0, n)
	for len(ps) < n {
		p := plane.Point{X: r.Int64N(plane.Side), Y: r.Int64N(plane.Side)}
		if plane.Distance(p, center) < plane.Side*plane.Side/4 {
			ps = append(ps, p)
		}
	}
	return ps
}

// quickHull returns the corners of the hull, counterclockwise from the leftmost one.
func quickHull(ps []plane.Point, racy bool) []plane.Point {
	first, last := 0, 0
	for i, p := range ps {
		if p.Less(ps[first]) {
			first = i
		}
		if ps[last].Less(p) {
			last = i
		}
	}
	h := hull{points: ps}
	all := make([]int32, len(ps))
	for i := range all {
		all[i] = int32(i)
	}
	a, b := int32(first), int32(last)
	buffer := make([]int32, len(ps))
	below, above := h.divide(all, buffer, [2]line{{a, b}, {b, a}})
	lower, upper := h.both(line{a, b}, line{b, a}, below, above, all, racy)
	corners := []plane.Point{ps[a]}
	for _, i := range lower {
		corners = append(corners, ps[i])
	}
	corners = append(corners, ps[b])
	for _, i := range upper {
		corners = append(corners, ps[i])
	}
	return corners
}

type hull struct{ points []plane.Point }

// A line is directed; points outside of it are to its right.
type line struct{ from, to int32 }

// outside is positive for points outside of the line, in proportion to their distance.
func (h *hull) outside(l line, i int32) int64 {
	return plane.Orient(h.points[l.to], h.points[l.from], h.points[i])
}

// divide moves the points of src outside of the first line to the beginning of dst, and the
// points outside of the second line to its end.
func (h *hull) divide(src, dst []int32, ls [2]line) (first, second []int32) {
	lo, hi := 0, len(dst)
	for _, i := range src {
		if h.outside(ls[0], i) > 0 {
			dst[lo] = i
			lo++
		} else if h.outside(ls[1], i) > 0 {
			hi--
			dst[hi] = i
		}
	}
	return dst[:lo], dst[hi:]
}

// both returns the corners outside of two lines that follow one another, given the
// points outside of each; tmp has room for all of them.
func (h *hull) both(la, lb line, a, b, tmp []int32, racy bool) (ca, cb []int32) {
	tb := tmp[len(a):]
	if racy {
		tb = tmp
	}
	if len(a)+len(b) < taskBelow {
		return h.corners(la, a, tmp), h.corners(lb, b, tb)
	}
	var wg sync.WaitGroup
	wg.Go(func() { ca = h.corners(la, a, tmp[:len(a)]) })
	cb = h.corners(lb, b, tb[:len(b)])
	wg.Wait()
	return ca, cb
}

// corners returns the corners between the ends of l, in their order; all points
// outside of l are in src.
func (h *hull) corners(l line, src, tmp []int32) []int32 {
	if len(src) == 0 {
		return nil
	}
	far := h.farthest(l, src)
	la, lb := line{l.from, far}, line{far, l.to}
	a, b := h.divide(src, tmp[:len(src)], [2]line{la, lb})
	ca, cb := h.both(la, lb, a, b, src, false)
	return append(append(ca, far), cb...)
}

// farthest returns the point of src that is most outside; of several the one that
// comes first in the direction of the line.
func (h *hull) farthest(l line, src []int32) int32 {
	var mu sync.Mutex
	best := src[0]
	search := func(lo, hi int) {
		own := src[lo]
		for _, i := range src[lo+1 : hi] {
			if h.farther(l, i, own) {
				own = i
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if h.farther(l, own, best) {
			best = own
		}
	}
	if len(src) > block {
		blocks.Each(len(src), block, search)
	} else {
		search(0, len(src))
	}
	return best
}

func (h *hull) farther(l line, i, j int32) bool {
	di, dj := h.outside(l, i), h.outside(l, j)
	if di != dj {
		return di > dj
	}
	p := h.points
	start := p[l.from]
	return plane.Distance(start, p[i]) < plane.Distance(start, p[j])
}

func check(ps, hull []plane.Point) error {
	n := len(hull)
	for i := range hull {
		a, b, c := hull[i], hull[(i+1)%n], hull[(i+2)%n]
		if plane.Orient(a, b, c) <= 0 {
			return fmt.Errorf("the hull does not turn left at %v", b)
		}
	}
	for _, p := range ps {
		if !inside(hull, p) {
			return fmt.Errorf("%v is outside of the hull", p)
		}
	}
	if want := chain(ps); !slices.Equal(hull, want) {
		return fmt.Errorf("the hull has %d corners, want %d: %v and %v", n, len(want), hull, want)
	}
	return nil
}

// inside tells whether p is in the convex hull, or on its border: it finds the
// corners between which p is as seen from the first one.
func inside(hull []plane.Point, p plane.Point) bool {
	lo, hi := 1, len(hull)-1
	if plane.Orient(hull[0], hull[lo], p) < 0 || plane.Orient(hull[0], hull[hi], p) > 0 {
		return false
	}
	for hi-lo > 1 {
		if m := (lo + hi) / 2; plane.Orient(hull[0], hull[m], p) >= 0 {
			lo = m
		} else {
			hi = m
		}
	}
	return plane.Orient(hull[lo], hull[hi], p) >= 0
}

// chain is the hull by another algorithm.
func chain(ps []plane.Point) []plane.Point {
	sorted := slices.Clone(ps)
	slices.SortFunc(sorted, func(p, q plane.Point) int {
		if p.Less(q) {
			return -1
		}
		if q.Less(p) {
			return 1
		}
		return 0
	})
	half := func(out []plane.Point, p plane.Point, least int) []plane.Point {
		for len(out) > least && plane.Orient(out[len(out)-2], out[len(out)-1], p) <= 0 {
			out = out[:len(out)-1]
		}
		return append(out, p)
	}
	var out []plane.Point
	for _, p := range sorted {
		out = half(out, p, 1)
	}
	least := len(out)
	for i := len(sorted) - 2; i >= 0; i-- {
		out = half(out, sorted[i], least)
	}
	return out[:len(out)-1]
}
