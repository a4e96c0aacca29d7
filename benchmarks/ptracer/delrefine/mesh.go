package delrefine

import (
	"math"
	"slices"
	"sync"

	"taskinstr/benchmarks/ptracer/delaunay"
	"taskinstr/benchmarks/ptracer/plane"
)

const (
	// ratio is the square of the greatest radius, in shortest edges, of a good triangle.
	// New edges are as long as that radius, so none is shorter than all before.
	ratio = 2
	// shortest is the square of the edge below which a triangle stays as it is:
	// rounding would matter there.
	shortest = 8 * 8
	stripes  = 64 // mutexes for reservations
)

type mesh struct {
	*delaunay.Mesh
	reserved []reservation // of the triangles
	mu       [stripes]sync.Mutex
}

// A reservation belongs to a triangle of the batch of one round. Reservations of earlier rounds
// no longer count.
type reservation struct{ round, by int32 }

// A cavity has the changes to the mesh that remove a skinny triangle.
type cavity struct {
	found  bool
	point  plane.Point
	index  int32   // of the point
	inside []int32 // triangles whose circles contain the point
	around []side  // of the cavity
	made   []int32 // triangles in their place
	filled bool
}

// A side of a cavity has the cavity to its left and a triangle, or none, to its right.
type side struct{ from, to, outside int32 }

func grown(rs []reservation, n int) []reservation {
	return append(rs, make([]reservation, n-len(rs))...)
}

func (m *mesh) corners(t int32) (a, b, c plane.Point) {
	k := &m.Triangles[t].Corner
	return m.Points[k[0]], m.Points[k[1]], m.Points[k[2]]
}

func (m *mesh) isSkinny(t int32) bool {
	a, b, c := m.corners(t)
	ab, bc, ca := plane.Distance(a, b), plane.Distance(b, c), plane.Distance(c, a)
	least := min(ab, bc, ca)
	double := float64(plane.Orient(a, b, c))
	radius := float64(ab) * float64(bc) * float64(ca) / (4 * double * double)
	return least >= shortest && radius > ratio*float64(least)
}

// center returns the center of a triangle's circle, rounded; ok is false outside of
// the square.
func (m *mesh) center(t int32) (p plane.Point, ok bool) {
	a, b, c := m.corners(t)
	bb, cc := float64(plane.Distance(a, b)), float64(plane.Distance(a, c))
	bx, by, cx, cy := float64(b.X-a.X), float64(b.Y-a.Y), float64(c.X-a.X), float64(c.Y-a.Y)
	d := 2 * float64(plane.Orient(a, b, c))
	x := math.Round(float64(a.X) + (cy*bb-by*cc)/d)
	y := math.Round(float64(a.Y) + (bx*cc-cx*bb)/d)
	if x < 0 || y < 0 || x >= plane.Side || y >= plane.Side {
		return p, false
	}
	return plane.Point{X: int64(x), Y: int64(y)}, true
}

// locate walks from a triangle to the one that contains p; ok is false outside of the
// hull and on its border.
func (m *mesh) locate(t int32, p plane.Point) (found int32, ok bool) {
walk:
	for {
		tr := &m.Triangles[t]
		for i, n := range tr.Neighbor {
			turn := plane.Orient(m.Points[tr.Corner[(i+1)%3]], m.Points[tr.Corner[(i+2)%3]], p)
			if turn < 0 || turn == 0 && n < 0 {
				if n < 0 {
					return 0, false
				}
				t = n
				continue walk
			}
		}
		return t, true
	}
}

// find computes the cavity of a triangle. It returns false if the triangle is not
// skinny, or has to stay.
func (m *mesh) find(c *cavity, t int32) bool {
	if !m.isSkinny(t) {
		return false // another point has been put there
	}
	p, ok := m.center(t)
	if !ok {
		return false
	}
	start, ok := m.locate(t, p)
	if !ok {
		return false
	}
	c.point = p
	c.inside = append(c.inside, start)
	for i := 0; i < len(c.inside); i++ {
		tr := &m.Triangles[c.inside[i]]
		for k, n := range tr.Neighbor {
			switch {
			case n >= 0 && slices.Contains(c.inside, n):
			case n >= 0 && m.InCircle(n, p):
				c.inside = append(c.inside, n)
			default:
				c.around = append(c.around, side{tr.Corner[(k+1)%3], tr.Corner[(k+2)%3], n})
			}
		}
	}
	c.found = true
	return true
}

// reserve claims the triangles that filling the cavity changes.
func (m *mesh) reserve(c *cavity, r reservation, locked bool) {
	claim := func(t int32) {
		if locked {
			mu := &m.mu[t%stripes]
			mu.Lock()
			defer mu.Unlock()
		}
		if held := &m.reserved[t]; held.round != r.round || r.by < held.by {
			*held = r
		}
	}
	for _, t := range c.inside {
		claim(t)
	}
	for _, s := range c.around {
		if s.outside >= 0 {
			claim(s.outside)
		}
	}
}

func (m *mesh) holds(c *cavity, r reservation) bool {
	for _, t := range c.inside {
		if m.reserved[t] != r {
			return false
		}
	}
	for _, s := range c.around {
		if s.outside >= 0 && m.reserved[s.outside] != r {
			return false
		}
	}
	return true
}

// fill connects the new point with all sides of its cavity.
func (m *mesh) fill(c *cavity) {
	for i, s := range c.around {
		t := c.made[i]
		n := delaunay.Triangle{Corner: [3]int32{c.index, s.from, s.to}, Neighbor: [3]int32{s.outside, -1, -1}}
		for k, o := range c.around {
			if o.from == s.to {
				n.Neighbor[1] = c.made[k]
			}
			if o.to == s.from {
				n.Neighbor[2] = c.made[k]
			}
		}
		if s.outside >= 0 {
			out := &m.Triangles[s.outside]
			for k := range out.Corner {
				if out.Corner[k] == s.to && out.Corner[(k+1)%3] == s.from {
					out.Neighbor[(k+2)%3] = t
				}
			}
		}
		m.Triangles[t] = n
	}
}
