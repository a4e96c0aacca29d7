package fluidanimate

import (
	"fmt"
	"math"

	"taskinstr/benchmarks/ptracer/space"
)

const sample = 20 // particles whose density is summed up by hand

// check tests the state between forces and motion.
func (g *grid) check(particles int) error {
	var all []particle
	for i := range g.cells {
		for _, p := range g.cells[i].particles {
			if g.at(p.place) != i {
				return fmt.Errorf("a particle at %v is in cell %d, want %d", p.place, i, g.at(p.place))
			}
			all = append(all, p)
		}
	}
	if len(all) != particles {
		return fmt.Errorf("%d particles, want %d", len(all), particles)
	}
	var sum space.Vector
	size := 0.0
	for i := range all {
		sum = sum.Add(all[i].force)
		size += math.Sqrt(all[i].force.Dot(all[i].force))
	}
	if left := math.Sqrt(sum.Dot(sum)); !(left <= 1e-9*size) || size == 0 {
		return fmt.Errorf("the forces inside of the liquid, %g in all, add up to %g", size, left)
	}
	for k := range sample {
		p := &all[k*len(all)/sample]
		want := 0.0
		for i := range all {
			apart := p.place.Sub(all[i].place)
			if dd := apart.Dot(apart); dd < reach*reach {
				want += density(dd)
			}
		}
		want *= densityUnit
		if !(math.Abs(p.density-want) <= 1e-9*want) {
			return fmt.Errorf("the density at %v is %g, want %g", p.place, p.density, want)
		}
	}
	return nil
}
