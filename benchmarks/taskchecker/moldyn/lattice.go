package moldyn

import (
	"math"
	"math/rand/v2"
)

// newSystem puts the particles on a face-centred cubic lattice at the given temperature,
// with a total momentum of zero.
func newSystem(cells int) *system {
	n := 4 * cells * cells * cells
	s := &system{side: math.Cbrt(float64(n) / density)}
	s.cutoff = s.side / 2
	r6 := math.Pow(s.cutoff, -6)
	s.shift = 4 * r6 * (r6 - 1)
	a := s.side / float64(cells)
	r := rand.New(rand.NewPCG(5, 6))
	faces := [4][3]float64{{0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}}
	for _, f := range faces {
		for i := range cells {
			for j := range cells {
				for k := range cells {
					s.particles = append(s.particles, &particle{
						x: (float64(i) + f[0]) * a, y: (float64(j) + f[1]) * a, z: (float64(k) + f[2]) * a,
						vx: r.NormFloat64(), vy: r.NormFloat64(), vz: r.NormFloat64(),
					})
				}
			}
		}
	}
	var px, py, pz, kinetic float64
	for _, p := range s.particles {
		px, py, pz = px+p.vx, py+p.vy, pz+p.vz
	}
	for _, p := range s.particles {
		p.vx, p.vy, p.vz = p.vx-px/float64(n), p.vy-py/float64(n), p.vz-pz/float64(n)
		p.energy()
		kinetic += p.kinetic
	}
	scale := math.Sqrt(1.5 * float64(n) * temperature / kinetic)
	for _, p := range s.particles {
		p.vx, p.vy, p.vz = p.vx*scale, p.vy*scale, p.vz*scale
	}
	return s
}
