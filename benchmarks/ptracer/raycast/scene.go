package raycast

import (
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/space"
)

type triangle [3]space.Vector

type scene struct {
	triangles []triangle
	leaves    leaves
}

// newScene makes the ball, of radius 1 with bumps, and the triangles around it.
func newScene(rings int, r *rand.Rand) *scene {
	around := 2 * rings
	surface := func(ring, place int) space.Vector {
		a, b := math.Pi*float64(ring)/float64(rings), 2*math.Pi*float64(place%around)/float64(around)
		radius := 1 + 0.1*math.Sin(5*a)*math.Cos(7*b)
		return space.Vector{math.Sin(a) * math.Cos(b), math.Sin(a) * math.Sin(b), math.Cos(a)}.Scale(radius)
	}
	s := &scene{}
	for i := range rings {
		for k := range around {
			p, q := surface(i, k), surface(i, k+1)
			u, v := surface(i+1, k), surface(i+1, k+1)
			s.triangles = append(s.triangles, triangle{p, q, u}, triangle{q, v, u})
		}
	}
	const share = 10 // of which one floats
	for range len(s.triangles) / share {
		center := direction(r).Scale(1.2 + 0.6*r.Float64())
		size := 1 / float64(rings)
		s.triangles = append(s.triangles, triangle{
			center.Add(direction(r).Scale(size)), center.Add(direction(r).Scale(size)), center.Add(direction(r).Scale(size)),
		})
	}
	return s
}

// direction returns a vector of length 1.
func direction(r *rand.Rand) space.Vector {
	v := space.Vector{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	return v.Scale(1 / math.Sqrt(v.Dot(v)))
}

// rays start outside; most of them aim at the ball.
func rays(n int, r *rand.Rand) []ray {
	rs := make([]ray, n)
	for i := range rs {
		from := direction(r).Scale(3)
		to := direction(r).Scale(1.3 * r.Float64())
		d := to.Sub(from)
		rs[i] = ray{from, d, space.Vector{1 / d[0], 1 / d[1], 1 / d[2]}}
	}
	return rs
}

// meet returns where a ray meets the triangle, by the barycentric coordinates of that
// place (Möller and Trumbore).
func (t *triangle) meet(r *ray) (distance float64, ok bool) {
	a, b := t[1].Sub(t[0]), t[2].Sub(t[0])
	p := r.direction.Cross(b)
	det := a.Dot(p)
	const parallel = 1e-14
	if math.Abs(det) < parallel {
		return 0, false
	}
	s := r.from.Sub(t[0])
	u := s.Dot(p) / det
	if u < 0 || u > 1 {
		return 0, false
	}
	q := s.Cross(a)
	v := r.direction.Dot(q) / det
	if v < 0 || u+v > 1 {
		return 0, false
	}
	distance = b.Dot(q) / det
	return distance, distance > 0
}
