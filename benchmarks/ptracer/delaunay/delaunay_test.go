package delaunay

import (
	"math/rand/v2"
	"testing"

	"taskinstr/benchmarks/ptracer/plane"
)

// TestTriangulate has few points and many, and points of which many are on one line or
// on one circle.
func TestTriangulate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	sets := [][]plane.Point{grid(7), grid(30)}
	for n := 3; n < 60; n++ {
		sets = append(sets, plane.Distinct(n, r))
	}
	sets = append(sets, plane.Distinct(3000, r))
	for _, ps := range sets {
		m := Triangulate(ps, func(int) {})
		if err := m.Check(); err != nil {
			t.Fatalf("%d points: %v", len(ps), err)
		}
		if len(ps) > 100 {
			continue
		}
		for i := range m.Triangles {
			for _, p := range ps {
				if m.InCircle(int32(i), p) {
					t.Fatalf("%d points: the circle of triangle %d contains %v", len(ps), i, p)
				}
			}
		}
	}
}

func grid(n int64) (ps []plane.Point) {
	for x := range n {
		for y := range n {
			ps = append(ps, plane.Point{X: x, Y: y})
		}
	}
	return ps
}

// TestCheck damages a mesh.
func TestCheck(t *testing.T) {
	for name, damage := range map[string]func(*Mesh){
		"corner":   func(m *Mesh) { c := &m.Triangles[0].Corner; c[0], c[1] = c[1], c[0] },
		"neighbor": func(m *Mesh) { n := &m.Triangles[5].Neighbor; n[0], n[1] = n[1], n[0] },
		"point":    func(m *Mesh) { m.Points = append(m.Points, plane.Point{X: 1, Y: 1}) },
		"moved":    func(m *Mesh) { m.Points[len(m.Points)/2] = m.Points[len(m.Points)/2+1] },
	} {
		m := Triangulate(plane.Distinct(100, rand.New(rand.NewPCG(3, 4))), func(int) {})
		damage(m)
		if m.Check() == nil {
			t.Errorf("%s: not noticed", name)
		}
	}
}
