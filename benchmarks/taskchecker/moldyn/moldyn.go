package moldyn

import (
	"fmt"
	"math"
	"sync"
)

// The units are the potential's depth and range and the particle's mass.
const (
	density     = 0.83134
	temperature = 0.722
	timeStep    = 0.002
)

type particle struct {
	x, y, z    float64 // position
	vx, vy, vz float64 // velocity
	fx, fy, fz float64 // force
	potential  float64 // half of the potential of each pair with this particle
	kinetic    float64
}

// A system is a cube full of particles.
type system struct {
	particles []*particle
	side      float64
	cutoff    float64
	shift     float64 // the potential at the cutoff, which is subtracted
}

func run(in input, racy bool) error {
	sys := newSystem(in.cells)
	each(sys.particles, sys.force)
	each(sys.particles, (*particle).energy)
	before := sys.energy()
	for step := range in.steps {
		each(sys.particles, (*particle).kick)
		each(sys.particles, sys.drift)
		if racy && step == 0 {
			each(doubled(sys.particles), sys.force)
		} else {
			each(sys.particles, sys.force)
		}
		each(sys.particles, (*particle).kick)
		each(sys.particles, (*particle).energy)
	}
	if racy {
		return nil
	}
	return sys.check(before)
}

// each is one phase: it runs f for every particle, each in a task of its own.
func each(ps []*particle, f func(*particle)) {
	var wg sync.WaitGroup
	for _, p := range ps {
		wg.Go(func() { f(p) })
	}
	wg.Wait()
}

// doubled returns every other particle twice, and no other particles.
func doubled(ps []*particle) []*particle {
	ps = append([]*particle(nil), ps...)
	for i := range ps {
		ps[i] = ps[i&^1]
	}
	return ps
}

// kick applies the force to the velocity for half a time step.
func (p *particle) kick() {
	p.vx += p.fx * (timeStep / 2)
	p.vy += p.fy * (timeStep / 2)
	p.vz += p.fz * (timeStep / 2)
}

// drift moves a particle for a time step.
func (s *system) drift(p *particle) {
	p.x = s.wrap(p.x + p.vx*timeStep)
	p.y = s.wrap(p.y + p.vy*timeStep)
	p.z = s.wrap(p.z + p.vz*timeStep)
}

func (p *particle) energy() {
	p.kinetic = (p.vx*p.vx + p.vy*p.vy + p.vz*p.vz) / 2
}

// force sums the forces of the nearest images of all other particles.
func (s *system) force(p *particle) {
	var fx, fy, fz, potential float64
	for _, q := range s.particles {
		if q == p {
			continue
		}
		dx, dy, dz := s.nearest(p.x-q.x), s.nearest(p.y-q.y), s.nearest(p.z-q.z)
		rr := dx*dx + dy*dy + dz*dz
		if rr >= s.cutoff*s.cutoff {
			continue
		}
		r2 := 1 / rr
		r6 := r2 * r2 * r2
		potential += 4*r6*(r6-1) - s.shift
		f := 48 * r6 * (r6 - 0.5) * r2
		fx += f * dx
		fy += f * dy
		fz += f * dz
	}
	p.fx, p.fy, p.fz = fx, fy, fz
	p.potential = potential / 2
}

// wrap brings a coordinate back into the cube.
func (s *system) wrap(x float64) float64 {
	if x < 0 {
		return x + s.side
	}
	if x >= s.side {
		return x - s.side
	}
	return x
}

// nearest returns the distance along one axis, through the cube's boundary if that is
// less.
func (s *system) nearest(d float64) float64 {
	if d > s.side/2 {
		return d - s.side
	}
	if d < -s.side/2 {
		return d + s.side
	}
	return d
}

func (s *system) energy() float64 {
	sum := 0.0
	for _, p := range s.particles {
		sum += p.kinetic + p.potential
	}
	return sum
}

// check tests the conservation laws.
func (s *system) check(before float64) error {
	after := s.energy()
	if drift := math.Abs(after-before) / math.Abs(before); !(drift < 1e-3) {
		return fmt.Errorf("the energy was %g and is %g", before, after)
	}
	var px, py, pz, kinetic float64
	for _, p := range s.particles {
		px, py, pz = px+p.vx, py+p.vy, pz+p.vz
		kinetic += p.kinetic
	}
	if momentum := math.Abs(px) + math.Abs(py) + math.Abs(pz); !(momentum < 1e-8) {
		return fmt.Errorf("the momentum was 0 and is %g", momentum)
	}
	if !(kinetic > 0) {
		return fmt.Errorf("kinetic energy %g", kinetic)
	}
	return nil
}
