// Package delaunay triangulates points of the plane by divide and conquer (Guibas and
// Stolfi, "Primitives for the manipulation of general subdivisions", 1985): the
// points are sorted, the left and the right half are triangulated, the left one in
// a task of its own, and the two triangulations are sewn together from their lower
// common tangent up.
//
// Edges are directed and come in pairs; the edges that leave a point form a ring.
// The result is a Mesh, triangles that know their neighbours.
package delaunay

import (
	"slices"
	"sync"

	"taskinstr/benchmarks/ptracer/plane"
)

// taskPoints is the least number of points that are divided among tasks.
const taskPoints = 256

type edge struct {
	from       int32 // point
	twin       *edge // the same edge in the other direction
	next, prev *edge // in the ring around from: counterclockwise, clockwise
	face       int32 // triangle to the left, once a mesh is made
	seen       bool  // by newMesh
}

func (e *edge) to() int32 { return e.twin.from }

// left returns the edge that follows e around the face to its left.
func (e *edge) left() *edge { return e.twin.prev }

// A triangulation is in the making.
type triangulation struct {
	points []plane.Point // sorted
	count  func(tests int)
}

// Triangulate returns the Delaunay triangulation of different points, not all of
// which are on one line; it sorts them. Each task that ends passes the number of its
// tests to count.
func Triangulate(points []plane.Point, count func(tests int)) *Mesh {
	slices.SortFunc(points, func(p, q plane.Point) int {
		if p.Less(q) {
			return -1
		}
		return 1
	})
	t := &triangulation{points: points, count: count}
	start, _, tests := t.build(0, int32(len(points)))
	count(tests)
	return newMesh(points, start)
}

// build triangulates the points [lo, hi). It returns the edges of the hull that
// leave the leftmost point counterclockwise and the rightmost one clockwise.
func (t *triangulation) build(lo, hi int32) (first, last *edge, tests int) {
	switch hi - lo {
	case 2:
		e := newEdge(lo, lo+1)
		return e, e.twin, 0
	case 3:
		first, last = t.three(lo)
		return first, last, 0
	}
	mid := (lo + hi) / 2
	var lowFirst, lowLast, highFirst, highLast *edge
	if hi-lo < taskPoints {
		var n, m int
		lowFirst, lowLast, n = t.build(lo, mid)
		highFirst, highLast, m = t.build(mid, hi)
		tests = n + m
	} else {
		var wg sync.WaitGroup
		wg.Go(func() {
			var n int
			lowFirst, lowLast, n = t.build(lo, mid)
			t.count(n)
		})
		highFirst, highLast, tests = t.build(mid, hi)
		wg.Wait()
	}
	first, last, n := t.sew(lowFirst, lowLast, highFirst, highLast)
	return first, last, tests + n
}

// three triangulates three points, which may be on one line.
func (t *triangulation) three(lo int32) (first, last *edge) {
	a, b := newEdge(lo, lo+1), newEdge(lo+1, lo+2)
	splice(a.twin, b)
	p := t.points
	switch turn := plane.Orient(p[lo], p[lo+1], p[lo+2]); {
	case turn > 0:
		connect(b, a)
		return a, b.twin
	case turn < 0:
		c := connect(b, a)
		return c.twin, c
	}
	return a, b.twin
}

// sew joins the triangulations of the points to the left and to the right, each given
// by the edges that build returns.
func (t *triangulation) sew(lowFirst, lowLast, highFirst, highLast *edge) (first, last *edge, tests int) {
	for { // down to the lower common tangent
		if t.leftOf(highFirst.from, lowLast) {
			lowLast = lowLast.left()
		} else if t.rightOf(lowLast.from, highFirst) {
			highFirst = highFirst.twin.next
		} else {
			break
		}
	}
	base := connect(highFirst.twin, lowLast)
	if lowLast.from == lowFirst.from {
		lowFirst = base.twin
	}
	if highFirst.from == highLast.from {
		highLast = base
	}
	for { // up, with base as the edge that joins both
		low, n := t.candidate(base, base.twin.next, (*edge).nextOf)
		high, m := t.candidate(base, base.prev, (*edge).prevOf)
		tests += n + m + 1
		lowValid, highValid := t.above(low, base), t.above(high, base)
		if !lowValid && !highValid {
			return lowFirst, highLast, tests
		}
		if !lowValid || highValid && t.inCircle(low.to(), low.from, high.from, high.to()) {
			base = connect(high, base.twin)
		} else {
			base = connect(base.twin, low.twin)
		}
	}
}

func (e *edge) nextOf() *edge { return e.next }
func (e *edge) prevOf() *edge { return e.prev }

// candidate returns the first edge of a ring, from e on, whose end makes an empty
// circle with the ends of base; it removes the edges before.
func (t *triangulation) candidate(base, e *edge, after func(*edge) *edge) (found *edge, tests int) {
	for t.above(e, base) {
		tests++
		if !t.inCircle(base.to(), base.from, e.to(), after(e).to()) {
			break
		}
		follow := after(e)
		remove(e)
		e = follow
	}
	return e, tests
}

// above tells whether e leads to the side of base that is not yet sewn.
func (t *triangulation) above(e, base *edge) bool { return t.rightOf(e.to(), base) }

func (t *triangulation) leftOf(i int32, e *edge) bool {
	p := t.points
	return plane.Orient(p[i], p[e.from], p[e.to()]) > 0
}

func (t *triangulation) rightOf(i int32, e *edge) bool {
	p := t.points
	return plane.Orient(p[i], p[e.to()], p[e.from]) > 0
}

func (t *triangulation) inCircle(a, b, c, d int32) bool {
	p := t.points
	return plane.InCircle(p[a], p[b], p[c], p[d])
}

// newEdge returns an edge that is connected with no other one.
func newEdge(from, to int32) *edge {
	e, f := &edge{from: from, face: none}, &edge{from: to, face: none}
	e.twin, f.twin = f, e
	e.next, e.prev, f.next, f.prev = e, e, f, f
	return e
}

// splice joins the rings of a and b if they are two, and parts them if they are one.
func splice(a, b *edge) {
	a.next.prev, b.next.prev = b, a
	a.next, b.next = b.next, a.next
}

// connect adds an edge from the end of a to the beginning of b, with the same face to
// its left.
func connect(a, b *edge) *edge {
	e := newEdge(a.to(), b.from)
	splice(e, a.left())
	splice(e.twin, b)
	return e
}

func remove(e *edge) {
	splice(e, e.prev)
	splice(e.twin, e.twin.prev)
}
