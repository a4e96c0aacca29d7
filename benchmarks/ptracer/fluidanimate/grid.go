package fluidanimate

import (
	"sync"

	"taskinstr/benchmarks/ptracer/space"
)

// A cell is as wide as the range of the forces.
type cell struct {
	mu        sync.Mutex // taken at borders only
	border    bool       // another block's task may change the particles
	particles []particle
}

type particle struct {
	place, speed space.Vector
	density      float64
	force        space.Vector // inside of the liquid, per mass
}

// A grid is a cube of cells, divided into blocks along x and y.
type grid struct {
	input
	cells []cell
	spare []cell // with the particles of the step before
}

// A block is [lo, hi) along x and y, and all cells along z.
type block struct{ lo, hi [2]int }

func newGrid(in input) *grid {
	n := in.cells
	g := &grid{input: in, cells: make([]cell, n*n*n), spare: make([]cell, n*n*n)}
	// Neighbors of a cell at the end of a block belong to the next one.
	atEnd := func(x int) bool {
		width := n / in.blocks
		return x%width == 0 && x > 0 || x%width == width-1 && x < n-1
	}
	for x := range n {
		for y := range n {
			for z := range n {
				border := atEnd(x) || atEnd(y)
				g.cells[g.index(x, y, z)].border = border
				g.spare[g.index(x, y, z)].border = border
			}
		}
	}
	return g
}

func (g *grid) index(x, y, z int) int { return (x*g.input.cells+y)*g.input.cells + z }

// each runs f for each block, in a task of its own, and waits for all.
func (g *grid) each(f func(b block)) {
	var wg sync.WaitGroup
	width := g.input.cells / g.blocks
	for x := 0; x < g.input.cells; x += width {
		for y := 0; y < g.input.cells; y += width {
			wg.Go(func() { f(block{[2]int{x, y}, [2]int{x + width, y + width}}) })
		}
	}
	wg.Wait()
}

// each calls f with the place of each cell of the block.
func (b block) each(g *grid, f func(x, y, z int)) {
	for x := b.lo[0]; x < b.hi[0]; x++ {
		for y := b.lo[1]; y < b.hi[1]; y++ {
			for z := range g.input.cells {
				f(x, y, z)
			}
		}
	}
}

// forward is half of a cell's neighbors; the cell is a neighbor forward of the others.
var forward = func() (list [][3]int) {
	for x := -1; x <= 1; x++ {
		for y := -1; y <= 1; y++ {
			for z := -1; z <= 1; z++ {
				if x > 0 || x == 0 && (y > 0 || y == 0 && z > 0) {
					list = append(list, [3]int{x, y, z})
				}
			}
		}
	}
	return list
}()

// pairs calls f for all pairs of a particle in a cell of the block and one that is in
// the same cell or forward of it, if they are in range of each other.
func (g *grid) pairs(b block, f func(c, d *cell, p, q *particle, apart space.Vector, distance float64)) {
	n := g.input.cells
	b.each(g, func(x, y, z int) {
		c := &g.cells[g.index(x, y, z)]
		for i := range c.particles {
			near(c, c, &c.particles[i], c.particles[:i], f)
		}
		for _, o := range forward {
			x, y, z := x+o[0], y+o[1], z+o[2]
			if x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n {
				continue
			}
			d := &g.cells[g.index(x, y, z)]
			for i := range c.particles {
				near(c, d, &c.particles[i], d.particles, f)
			}
		}
	})
}

func near(c, d *cell, p *particle, qs []particle, f func(c, d *cell, p, q *particle, apart space.Vector, distance float64)) {
	for k := range qs {
		q := &qs[k]
		apart := p.place.Sub(q.place)
		if dd := apart.Dot(apart); dd < reach*reach {
			f(c, d, p, q, apart, dd)
		}
	}
}
