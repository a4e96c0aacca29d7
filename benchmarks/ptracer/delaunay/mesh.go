package delaunay

import (
	"fmt"

	"taskinstr/benchmarks/ptracer/plane"
)

// none is in place of a triangle where there is none.
const none = int32(-1)

// A Triangle has its corners counterclockwise. Neighbor i is the triangle on the
// other side of the edge opposite to corner i, or negative at the hull.
type Triangle struct{ Corner, Neighbor [3]int32 }

// A Mesh is a triangulation.
type Mesh struct {
	Points    []plane.Point
	Triangles []Triangle
}

// newMesh collects the triangles that are reached from an edge.
func newMesh(points []plane.Point, start *edge) *Mesh {
	m := &Mesh{Points: points}
	start.seen = true
	work := []*edge{start}
	var sides [][3]*edge // of the triangles
	for len(work) > 0 {
		e := work[len(work)-1]
		work = work[:len(work)-1]
		for _, f := range [...]*edge{e.twin, e.next} {
			if !f.seen {
				f.seen = true
				work = append(work, f)
			}
		}
		if s := [3]*edge{e, e.left(), e.left().left()}; e.face == none && m.isTriangle(s) {
			for _, f := range s {
				f.face = int32(len(sides))
			}
			sides = append(sides, s)
		}
	}
	for _, s := range sides {
		var t Triangle
		for i, e := range s {
			t.Corner[i] = e.from
			t.Neighbor[(i+2)%3] = e.twin.face
		}
		m.Triangles = append(m.Triangles, t)
	}
	return m
}

// isTriangle tells whether the three edges go around a triangle, and not around the
// outside of the hull.
func (m *Mesh) isTriangle(s [3]*edge) bool {
	return s[2].left() == s[0] && m.Orient(s[0].from, s[1].from, s[2].from) > 0
}

// Orient returns plane.Orient of three points, which are indexes.
func (m *Mesh) Orient(a, b, c int32) int64 {
	return plane.Orient(m.Points[a], m.Points[b], m.Points[c])
}

// InCircle tells whether a point lies inside the circle of the corners of a triangle.
func (m *Mesh) InCircle(triangle int32, p plane.Point) bool {
	c := &m.Triangles[triangle].Corner
	return plane.InCircle(m.Points[c[0]], m.Points[c[1]], m.Points[c[2]], p)
}

// Across returns the corner of a triangle's neighbor that is not a corner of both.
func (m *Mesh) Across(triangle int32, i int) int32 {
	n := &m.Triangles[m.Triangles[triangle].Neighbor[i]]
	return n.Corner[n.Side(triangle)]
}

// Side returns which of the neighbors a triangle is, or a negative number.
func (t *Triangle) Side(neighbor int32) int {
	for i, n := range t.Neighbor {
		if n == neighbor {
			return i
		}
	}
	return -1
}

// Check tests that the mesh is the Delaunay triangulation of its points: the
// triangles turn left and know each other, together they are as large as the
// hull, every point is a corner, and no circle contains the corner across an edge,
// from which it follows that none contains any point.
func (m *Mesh) Check() error {
	area, outline := int64(0), int64(0)
	used := make([]bool, len(m.Points))
	border := map[int32]int32{} // point to point, around the mesh
	for i := range m.Triangles {
		t := &m.Triangles[i]
		size := m.Orient(t.Corner[0], t.Corner[1], t.Corner[2])
		if size <= 0 {
			return fmt.Errorf("triangle %d does not turn left", i)
		}
		area += size
		for k, n := range t.Neighbor {
			used[t.Corner[k]] = true
			from, to := t.Corner[(k+1)%3], t.Corner[(k+2)%3]
			if n < 0 {
				border[from] = to
				p, q := m.Points[from], m.Points[to]
				outline += p.X*q.Y - p.Y*q.X
				continue
			}
			back := m.Triangles[n].Side(int32(i))
			if back < 0 {
				return fmt.Errorf("triangle %d has neighbor %d, but not the other way round", i, n)
			}
			if c := &m.Triangles[n].Corner; c[(back+1)%3] != to || c[(back+2)%3] != from {
				return fmt.Errorf("triangles %d and %d have no edge in common", i, n)
			}
			if m.InCircle(int32(i), m.Points[m.Across(int32(i), k)]) {
				return fmt.Errorf("the circle of triangle %d contains a corner of %d", i, n)
			}
		}
	}
	for i, ok := range used {
		if !ok {
			return fmt.Errorf("point %d is no corner", i)
		}
	}
	if area != outline {
		return fmt.Errorf("the triangles are %d large together, and the hull %d", area, outline)
	}
	for from, to := range border {
		if after, ok := border[to]; !ok || m.Orient(from, to, after) < 0 {
			return fmt.Errorf("the border is not convex at point %d", to)
		}
	}
	return nil
}
