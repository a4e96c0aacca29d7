package raytracer

import "math"

type sphere struct {
	centre vector
	radius float64
	colour vector
	mirror float64 // the share of light that is reflected as by a mirror
	shine  float64 // the exponent of highlights
}

type light struct {
	at     vector
	bright float64
}

type scene struct {
	spheres []*sphere
	lights  []light
	eye     vector
}

const (
	nearest  = 1e-6 // a hit closer than this to a ray's origin is on the surface that the ray leaves
	maxDepth = 6    // maximum number of reflections
	ambient  = 0.05
)

// newScene arranges the spheres in a cube, four in each direction.
func newScene() *scene {
	s := &scene{
		eye: vector{0, 0, -30},
		lights: []light{
			{vector{100, 100, -50}, 0.35}, {vector{-100, 100, -50}, 0.35}, {vector{100, -100, -50}, 0.2},
			{vector{-100, -100, -50}, 0.2}, {vector{200, 200, 0}, 0.2},
		},
	}
	const side = 4
	for i := range side {
		for j := range side {
			for k := range side {
				s.spheres = append(s.spheres, &sphere{
					centre: vector{6*float64(i) - 9, 6*float64(j) - 9, 5*float64(k) - 7.5},
					radius: 2.5,
					colour: vector{0.3 + 0.2*float64(i), 0.3 + 0.2*float64(j), 0.9 - 0.2*float64(k)},
					mirror: 0.4, shine: 15,
				})
			}
		}
	}
	return s
}

// hit returns the distance at which the ray meets the sphere, if it does.
func (sp *sphere) hit(r ray) (float64, bool) {
	to := sp.centre.sub(r.origin)
	b := to.dot(r.direction)
	d := b*b - to.dot(to) + sp.radius*sp.radius
	if d < 0 {
		return 0, false
	}
	root := math.Sqrt(d)
	if t := b - root; t > nearest {
		return t, true
	}
	t := b + root
	return t, t > nearest
}

// trace returns the light that comes from the direction of the ray.
func (s *scene) trace(r ray, depth int) vector {
	var first *sphere
	distance := math.Inf(1)
	for _, sp := range s.spheres {
		if t, ok := sp.hit(r); ok && t < distance {
			first, distance = sp, t
		}
	}
	if first == nil {
		return vector{}
	}
	return s.shade(first, r, r.origin.along(r.direction, distance), depth)
}

// shade returns the light that a point of the sphere sends back along the ray.
func (s *scene) shade(sp *sphere, r ray, at vector, depth int) vector {
	normal := at.sub(sp.centre).unit()
	bounce := r.direction.mirror(normal)
	sum := sp.colour.scale(ambient)
	for _, l := range s.lights {
		to := l.at.sub(at).unit()
		facing := to.dot(normal)
		if facing <= 0 || s.shadowed(ray{at, to}) {
			continue
		}
		sum = sum.along(sp.colour, facing*l.bright)
		if gloss := bounce.dot(to); gloss > 0 {
			g := math.Pow(gloss, sp.shine) * l.bright
			sum = sum.add(vector{g, g, g})
		}
	}
	if depth < maxDepth {
		sum = sum.along(s.trace(ray{at, bounce}, depth+1), sp.mirror)
	}
	return sum
}

// shadowed reports whether a sphere blocks the ray.
func (s *scene) shadowed(r ray) bool {
	for _, sp := range s.spheres {
		if _, ok := sp.hit(r); ok {
			return true
		}
	}
	return false
}
