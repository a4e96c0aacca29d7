package fluidanimate

import (
	"fmt"
	"math"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/space"
)

// In meters, seconds and kilograms. A cell is as wide as reach.
const (
	reach     = 0.02 // of the forces
	spacing   = reach / 1.8
	rest      = 1000.0 // density
	mass      = rest * spacing * spacing * spacing
	stiffness = 1.5
	viscosity = 0.4
	timeStep  = 0.002
	gravity   = 9.8
	// fastest keeps a particle from moving by more than half a cell in a step.
	fastest = reach / 2 / timeStep
)

func run(in input, racy bool) error {
	g := newGrid(in)
	particles := g.fill()
	for step := range g.steps {
		g.each(g.empty)
		g.cells, g.spare = g.spare, g.cells
		g.each(g.sort)
		locked := !racy || step > 0
		g.each(func(b block) { g.densities(b, locked) })
		g.each(g.finishDensities)
		g.each(g.forces)
		if racy {
			continue
		}
		if err := g.check(particles); err != nil {
			return fmt.Errorf("step %d: %w", step, err)
		}
		g.each(g.move)
	}
	return nil
}

// fill puts particles into one half of the box and returns their number.
func (g *grid) fill() int {
	r := rand.New(rand.NewPCG(24, 25))
	side := reach * float64(g.input.cells)
	count := 0
	const jitter = 0.1 * spacing
	for x := spacing / 2; x < side/2; x += spacing {
		for y := spacing / 2; y < side; y += spacing {
			for z := spacing / 2; z < side*3/4; z += spacing {
				v := space.Vector{x + jitter*r.Float64(), y + jitter*r.Float64(), z + jitter*r.Float64()}
				c := &g.cells[g.at(v)]
				c.particles = append(c.particles, particle{place: v})
				count++
			}
		}
	}
	return count
}

// at returns the cell of a place in the box.
func (g *grid) at(v space.Vector) int {
	var k [3]int
	for d := range k {
		k[d] = min(max(int(v[d]/reach), 0), g.input.cells-1)
	}
	return g.index(k[0], k[1], k[2])
}

// empty prepares the spare cells of a block for the particles of this step.
func (g *grid) empty(b block) {
	b.each(g, func(x, y, z int) {
		c := &g.spare[g.index(x, y, z)]
		c.particles = c.particles[:0]
	})
}

// sort moves the particles that a block had before the step to their cells now.
func (g *grid) sort(b block) {
	b.each(g, func(x, y, z int) {
		for _, p := range g.spare[g.index(x, y, z)].particles {
			c := &g.cells[g.at(p.place)]
			c.change(true, func() {
				c.particles = append(c.particles, particle{place: p.place, speed: p.speed})
			})
		}
	})
}

// change runs f with the cell's mutex, if it needs one.
func (c *cell) change(locked bool, f func()) {
	if c.border && locked {
		c.mu.Lock()
		defer c.mu.Unlock()
	}
	f()
}

func (g *grid) densities(b block, locked bool) {
	g.pairs(b, func(c, d *cell, p, q *particle, apart space.Vector, distance float64) {
		v := density(distance)
		c.change(locked, func() { p.density += v })
		d.change(locked, func() { q.density += v })
	})
}

// density is the share of a particle in the density at a squared distance, in units
// that finishDensities converts.
func density(distance float64) float64 {
	t := reach*reach - distance
	return t * t * t
}

// densityUnit converts sums of density.
var densityUnit = mass * 315 / (64 * math.Pi * math.Pow(reach, 9))

func (g *grid) finishDensities(b block) {
	b.each(g, func(x, y, z int) {
		c := &g.cells[g.index(x, y, z)]
		for i := range c.particles {
			p := &c.particles[i]
			p.density = (p.density + density(0)) * densityUnit // its own share, too
		}
	})
}

// Factors of the two forces.
var (
	pressureUnit  = mass * 45 / (math.Pi * math.Pow(reach, 6)) * stiffness / 2
	viscosityUnit = mass * 45 / (math.Pi * math.Pow(reach, 6)) * viscosity
)

// forces adds the opposite forces of both on p and q.
func (g *grid) forces(b block) {
	g.pairs(b, func(c, d *cell, p, q *particle, apart space.Vector, distance float64) {
		r := math.Sqrt(max(distance, 1e-12))
		gap := reach - r
		f := apart.Scale(pressureUnit * gap * gap / r * (p.density + q.density - 2*rest))
		f = f.Add(q.speed.Sub(p.speed).Scale(viscosityUnit * gap))
		f = f.Scale(1 / (p.density * q.density))
		c.change(true, func() { p.force = p.force.Add(f) })
		d.change(true, func() { q.force = q.force.Sub(f) })
	})
}

// move lets the particles of a block move for a step; walls turn them back.
func (g *grid) move(b block) {
	side := reach * float64(g.input.cells)
	b.each(g, func(x, y, z int) {
		c := &g.cells[g.index(x, y, z)]
		for i := range c.particles {
			p := &c.particles[i]
			p.speed = p.speed.Add(p.force.Scale(timeStep))
			p.speed[2] -= gravity * timeStep
			for d := range p.speed {
				p.speed[d] = min(max(p.speed[d], -fastest), fastest)
				p.place[d] += p.speed[d] * timeStep
				const bounce = 0.3
				if p.place[d] < 0 {
					p.place[d], p.speed[d] = 0, -bounce*p.speed[d]
				} else if p.place[d] > side {
					p.place[d], p.speed[d] = side, -bounce*p.speed[d]
				}
			}
		}
	})
}
