package bodytrack

import "math"

// The numbers of a pose: the place of the hip, the lean of the trunk, and for each limb
// the angle of its upper part, and of the lower part relative to that. Angles are from
// straight down.
const (
	hipX = iota
	hipY
	lean
	limbs
	numbers = limbs + 2*limbCount
)

const limbCount = 4 // two arms and two legs

type pose [numbers]float64

type place struct{ x, y float64 }

// from returns the place at an angle from straight down.
func (p place) from(angle, length float64) place {
	return place{p.x + length*math.Sin(angle), p.y + length*math.Cos(angle)}
}

// A part of the body is all that is less than width from the line from a to b.
type part struct {
	a, b  place
	width float64
}

type body [partCount]part

const (
	partCount   = 2 + 2*limbCount
	trunkLength = 26.0
	headLength  = 6.0
	armLength   = 12.0 // of one of two parts
	legLength   = 16.0
)

// parts returns the body; the image's y is downwards.
func (p *pose) parts() (ps body) {
	hip := place{p[hipX], p[hipY]}
	neck := hip.from(math.Pi+p[lean], trunkLength)
	ps[0] = part{hip, neck, 5}
	ps[1] = part{neck, neck.from(math.Pi+p[lean], headLength), 4}
	for i := range limbCount {
		start, length, width := neck, armLength, 2.0
		if i >= limbCount/2 {
			start, length, width = hip, legLength, 3.0
		}
		upper := p[limbs+2*i]
		joint := start.from(upper, length)
		ps[2+2*i] = part{start, joint, width}
		ps[3+2*i] = part{joint, joint.from(upper+p[limbs+2*i+1], length), width * 0.8}
	}
	return ps
}

// covers tells whether a place is in the silhouette.
func (ps *body) covers(at place) bool {
	for i := range ps {
		p := &ps[i]
		dx, dy := p.b.x-p.a.x, p.b.y-p.a.y
		t := ((at.x-p.a.x)*dx + (at.y-p.a.y)*dy) / (dx*dx + dy*dy)
		t = min(max(t, 0), 1)
		ex, ey := at.x-p.a.x-t*dx, at.y-p.a.y-t*dy
		if ex*ex+ey*ey < p.width*p.width {
			return true
		}
	}
	return false
}

// walking is the true pose in an image.
func walking(image int) (p pose) {
	phase := 0.35 * float64(image)
	p[hipX] = 30 + 1.5*float64(image)
	p[hipY] = 56 + math.Sin(2*phase)
	p[lean] = 0.08 * math.Sin(phase)
	for i := range limbCount {
		swing := math.Sin(phase + math.Pi*float64((i+i/2)%2)) // an arm goes with the other leg
		side := float64(1 - i%2*2)
		apart, bend := 0.9, side*(0.4+0.2*swing)
		if i >= limbCount/2 {
			apart, bend = 0.35, 0.2*swing-0.2
		}
		p[limbs+2*i], p[limbs+2*i+1] = side*apart+0.25*swing, bend
	}
	return p
}

// distance is the mean distance of the ends of all parts.
func (p *pose) distance(q *pose) float64 {
	ps, qs := p.parts(), q.parts()
	sum := 0.0
	for i := range ps {
		sum += math.Hypot(ps[i].b.x-qs[i].b.x, ps[i].b.y-qs[i].b.y)
	}
	return sum / partCount
}
