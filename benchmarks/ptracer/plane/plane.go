// Package plane has points with integer coordinates in a square and the predicates
// of planar geometry on them. The square is so small that the predicates are exact.
package plane

import "math/rand/v2"

// Side is the length of the square: the coordinates are from 0 to Side-1. The
// determinant of InCircle is below 3*Side^4, which an int64 holds.
const Side = 1 << 14

type Point struct{ X, Y int64 }

// Less orders points by X, and points of the same X by Y.
func (p Point) Less(q Point) bool { return p.X < q.X || p.X == q.X && p.Y < q.Y }

// Orient is positive if a, b and c turn to the left, negative if to the right, 0 if
// they are on one line. Its absolute value is twice the area of their triangle.
func Orient(a, b, c Point) int64 {
	return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X)
}

// Distance returns the squared distance.
func Distance(a, b Point) int64 {
	return (a.X-b.X)*(a.X-b.X) + (a.Y-b.Y)*(a.Y-b.Y)
}

// InCircle tells whether d lies inside the circle through a, b and c, which turn to
// the left. A point on the circle does not.
func InCircle(a, b, c, d Point) bool {
	ax, ay := a.X-d.X, a.Y-d.Y
	bx, by := b.X-d.X, b.Y-d.Y
	cx, cy := c.X-d.X, c.Y-d.Y
	return (ax*ax+ay*ay)*(bx*cy-by*cx)+(bx*bx+by*by)*(cx*ay-cy*ax)+(cx*cx+cy*cy)*(ax*by-ay*bx) > 0
}

// Distinct returns n different points of the square.
func Distinct(n int, r *rand.Rand) []Point {
	ps := make([]Point, 0, n)
	seen := make(map[Point]bool, n)
	for len(ps) < n {
		p := Point{r.Int64N(Side), r.Int64N(Side)}
		if !seen[p] {
			seen[p] = true
			ps = append(ps, p)
		}
	}
	return ps
}
