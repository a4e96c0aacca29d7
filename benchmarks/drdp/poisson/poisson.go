package poisson

import (
	"fmt"
	"math"

	"taskinstr/benchmarks/drdp/promise"
)

// A grid holds the equation and two states, row by row.
type grid struct {
	input
	// right is the right hand side in the interior and the solution on the border.
	right    []float64
	old, new []float64
}

func run(in input, racy bool) error {
	g := newGrid(in)
	g.solve(racy)
	if racy {
		return nil
	}
	return g.check()
}

// newGrid makes the equation that sin(πxy) solves, with a state of zero in the interior.
func newGrid(in input) *grid {
	cells := in.n * in.n
	g := &grid{in, make([]float64, cells), make([]float64, cells), make([]float64, cells)}
	for i := range in.n {
		for j := range in.n {
			x, y := g.coordinate(i), g.coordinate(j)
			at := i*in.n + j
			g.right[at] = math.Pi * math.Pi * (x*x + y*y) * solution(x, y)
			if g.border(i, j) {
				g.right[at] = solution(x, y)
				g.new[at] = g.right[at]
			}
		}
	}
	return g
}

func solution(x, y float64) float64 { return math.Sin(math.Pi * x * y) }

func (g *grid) coordinate(i int) float64 { return float64(i) / float64(g.n-1) }

func (g *grid) border(i, j int) bool { return i == 0 || j == 0 || i == g.n-1 || j == g.n-1 }

// promises holds a promise for each block, row by row.
type promises []promise.Done

func (g *grid) solve(racy bool) {
	side := g.n / g.block
	var computed promises // of the last step
	for step := range g.steps {
		copied, next := newPromises(side), newPromises(side)
		for bi := range side {
			for bj := range side {
				before := computed.around(bi, bj, side)
				around := copied.around(bi, bj, side)
				if racy && step == 0 && bi == 0 && bj == 0 {
					around = promises{copied[0], copied[side]} // all but copied[1]
				}
				go func() {
					before.get()
					g.copyBlock(bi*g.block, bj*g.block)
					copied[bi*side+bj].Set()
				}()
				go func() {
					around.get()
					g.computeBlock(bi*g.block, bj*g.block)
					next[bi*side+bj].Set()
				}()
			}
		}
		computed = next
	}
	computed.get()
}

func newPromises(side int) promises {
	ps := make(promises, side*side)
	for i := range ps {
		ps[i] = promise.NewDone()
	}
	return ps
}

// around returns the promises of a block and its neighbours. It returns nil for nil.
func (ps promises) around(bi, bj, side int) promises {
	if ps == nil {
		return nil
	}
	at := bi*side + bj
	near := promises{ps[at]}
	if bi > 0 {
		near = append(near, ps[at-side])
	}
	if bi < side-1 {
		near = append(near, ps[at+side])
	}
	if bj > 0 {
		near = append(near, ps[at-1])
	}
	if bj < side-1 {
		near = append(near, ps[at+1])
	}
	return near
}

func (ps promises) get() {
	for _, p := range ps {
		p.Get()
	}
}

// copyBlock copies the new state to the old one, in the block that begins at row i0 and
// column j0.
func (g *grid) copyBlock(i0, j0 int) {
	for i := i0; i < i0+g.block; i++ {
		for j := j0; j < j0+g.block; j++ {
			g.old[i*g.n+j] = g.new[i*g.n+j]
		}
	}
}

// computeBlock computes the new state of a block, without the grid's border.
func (g *grid) computeBlock(i0, j0 int) {
	n := g.n
	h := g.coordinate(1)
	for i := max(i0, 1); i < min(i0+g.block, n-1); i++ {
		for j := max(j0, 1); j < min(j0+g.block, n-1); j++ {
			at := i*n + j
			g.new[at] = jacobi(g.old[at-n], g.old[at+n], g.old[at-1], g.old[at+1], g.right[at], h)
		}
	}
}

// jacobi returns the value of a cell that satisfies its equation, given its neighbours.
func jacobi(up, down, left, right, rhs, h float64) float64 {
	return 0.25 * (up + down + left + right + h*h*rhs)
}

// check recomputes a sample of cells by recursion.
func (g *grid) check() error {
	every := g.n*g.n/97 | 1
	for at := 0; at < g.n*g.n; at += every {
		i, j := at/g.n, at%g.n
		if want := g.cell(i, j, g.steps); !(math.Abs(g.new[at]-want) <= 1e-12) {
			return fmt.Errorf("cell %d, %d is %g, want %g", i, j, g.new[at], want)
		}
	}
	return nil
}

// cell returns the state of a cell after the given number of steps.
func (g *grid) cell(i, j, steps int) float64 {
	switch {
	case g.border(i, j):
		return g.right[i*g.n+j]
	case steps == 0:
		return 0
	}
	s := steps - 1
	return jacobi(g.cell(i-1, j, s), g.cell(i+1, j, s), g.cell(i, j-1, s), g.cell(i, j+1, s),
		g.right[i*g.n+j], g.coordinate(1))
}
