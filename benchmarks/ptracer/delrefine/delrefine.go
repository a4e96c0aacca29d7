package delrefine

import (
	"fmt"
	"math/rand/v2"

	"taskinstr/benchmarks/ptracer/blocks"
	"taskinstr/benchmarks/ptracer/delaunay"
	"taskinstr/benchmarks/ptracer/plane"
)

func run(in input, racy bool) error {
	points := plane.Distinct(in.points, rand.New(rand.NewPCG(15, 16)))
	m := &mesh{Mesh: delaunay.Triangulate(points, func(int) {})}
	work := m.skinny()
	before := len(work)
	for round := int32(1); len(work) > 0; round++ {
		work = m.round(work, in, round, !racy || round > 1)
		if racy {
			return nil
		}
	}
	return m.check(in, before)
}

// skinny returns the skinny triangles.
func (m *mesh) skinny() []int32 {
	var list []int32
	for i := range m.Triangles {
		if m.isSkinny(int32(i)) {
			list = append(list, int32(i))
		}
	}
	return list
}

// round treats the first triangles of work, and returns the triangles that are left with the new
// ones.
func (m *mesh) round(work []int32, in input, round int32, locked bool) []int32 {
	n := min(in.batch, len(work))
	m.reserved = grown(m.reserved, len(m.Triangles))
	cavities := make([]cavity, n)
	blocks.Each(n, in.block, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if c := &cavities[i]; m.find(c, work[i]) {
				m.reserve(c, reservation{round, int32(i)}, locked)
			}
		}
	})
	winners := m.winners(cavities, round)
	blocks.Each(len(winners), in.block, func(lo, hi int) {
		for _, c := range winners[lo:hi] {
			m.fill(c)
		}
	})
	rest := work[n:]
	for i := range cavities {
		if c := &cavities[i]; c.found && !c.filled {
			rest = append(rest, work[i])
		}
	}
	for _, c := range winners {
		for _, t := range c.made {
			if m.isSkinny(t) {
				rest = append(rest, t)
			}
		}
	}
	return rest
}

// winners returns the cavities that hold all their reservations, with room for their
// points and triangles.
func (m *mesh) winners(cavities []cavity, round int32) []*cavity {
	var list []*cavity
	for i := range cavities {
		c := &cavities[i]
		if !c.found || !m.holds(c, reservation{round, int32(i)}) {
			continue
		}
		c.filled = true
		c.index = int32(len(m.Points))
		m.Points = append(m.Points, c.point)
		c.made = append(append(c.made, c.inside...), int32(len(m.Triangles)), int32(len(m.Triangles)+1))
		m.Triangles = append(m.Triangles, delaunay.Triangle{}, delaunay.Triangle{})
		list = append(list, c)
	}
	return list
}

func (m *mesh) check(in input, before int) error {
	if err := m.Check(); err != nil {
		return err
	}
	left := m.skinny()
	for _, t := range left {
		if p, ok := m.center(t); ok {
			if _, ok := m.locate(t, p); ok {
				return fmt.Errorf("triangle %d is skinny, and its center %v is inside the hull", t, p)
			}
		}
	}
	if added := len(m.Points) - in.points; len(left) > before/4 || added < before/8 || added > 8*before {
		return fmt.Errorf("%d skinny triangles became %d by %d points", before, len(left), added)
	}
	return nil
}
