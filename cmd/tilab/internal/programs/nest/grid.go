package nest

import (
	"fmt"
	"strings"
)

// A grid is a flat two-dimensional array that is accessed through methods only.
type grid struct {
	name       string
	elem       *kind
	rows, cols int
	header     *object // the struct behind the variable: the slice, and the width
	data       *object
}

// gridText declares the type of a grid. Each grid has its own, since a single write to a value of a type keeps the checks of all.
const gridText = `type gridK struct {
	data []K
	w    int
}

func (g *gridK) index(i, j int) int { return i*g.w + j }

func (g *gridK) at(i, j int) K { return g.data[i*g.w+j] }

func (g *gridK) via(i, j int) K { return g.data[g.index(i, j)] }

func (g gridK) get(i, j int) K { return g.data[g.index(i, j)] }

func (g *gridK) set(i, j int, v K) { g.data[i*g.w+j] = v }

func (g *gridK) put(i, j int, v K) {
	k := g.index(i, j)
	g.data[k] = v
}

func (g *gridK) add(i, j int, v K) { g.data[g.index(i, j)] += v }

func (g *gridK) inc(i, j int) { g.data[i*g.w+j]++ }

`

// typeText returns the declaration of the grid's type.
func (g *grid) typeText() string {
	return strings.ReplaceAll(strings.ReplaceAll(gridText, "gridK", g.typeName()), "K", g.elem.name)
}

func (g *grid) typeName() string { return "grid_" + g.name }

// gridSize is the size of a grid's struct.
const gridSize = headerSize + wordSize

// A gridElem is an element of a grid, with one of the ways to access it.
type gridElem struct {
	g    *grid
	i, j expr
	way  int
}

// The methods that read and write an element.
var (
	readers = []string{"at", "via", "get"}
	writers = []string{"set", "put"}
)

func (p *gridElem) call(method string, more ...string) string {
	return fmt.Sprintf("%s.%s(%s)", p.g.name, method, strings.Join(append([]string{p.i.String(), p.j.String()}, more...), ", "))
}

func (p *gridElem) text() string { return p.call(readers[p.way%len(readers)]) }

// change returns the statement that changes the element as u says.
func (p *gridElem) change(u use, v string) string {
	switch u {
	case assign:
		return p.call(writers[p.way%len(writers)], "1")
	case change:
		return p.call("add", "2")
	case step1:
		return p.call("inc")
	case move:
		return p.call(writers[p.way%len(writers)], v)
	}
	return p.call("add", v)
}

func (p *gridElem) resolve(r *runner, f *frame) (*object, int, int, bool) {
	r.touch(p.g.header, 0, headerSize, false)
	r.touch(p.g.header, headerSize, gridSize, false)
	at := p.i.eval(f)*p.g.cols + p.j.eval(f)
	return p.g.data, at * p.g.elem.size, (at + 1) * p.g.elem.size, 0 <= at && at < p.g.rows*p.g.cols
}

func (p *gridElem) whole() *kind { return nil }

// grid adds a grid to the case.
func (c *oneCase) grid() {
	k := c.number()
	g := &grid{name: c.varName("gr"), elem: k, rows: 2 + c.rng.IntN(8), cols: 2 + c.rng.IntN(8)}
	n := g.rows * g.cols
	c.globals = append(c.globals, g.typeText())
	v := &shared{grid: g, global: c.storage(g.name, "*"+g.typeName(), fmt.Sprintf("&%s{make([]%s, %d), %d}", g.typeName(), k.name, n, g.cols))}
	g.header = c.object(g.name, gridSize)
	g.data = c.object("&"+g.name+".data[0]", n*k.size)
	v.place = func(s *scope) (place, string) {
		return &gridElem{g, c.index(s, g.rows), c.index(s, g.cols), c.rng.IntN(6)}, k.name
	}
	c.shared = append(c.shared, v)
}

// setWidth assigns the width of a grid its own value.
func setWidth(g *grid) stmt {
	return event(fmt.Sprintf("%s.w = %d\n", g.name, g.cols), func(r *runner, _ *frame) {
		r.touch(g.header, headerSize, gridSize, true)
	})
}

// setWhole assigns a grid its own value.
func setWhole(g *grid) stmt {
	return event(fmt.Sprintf("*%s = *%s\n", g.name, g.name), func(r *runner, _ *frame) {
		r.touch(g.header, 0, gridSize, false)
		r.touch(g.header, 0, gridSize, true)
	})
}

// setData assigns the slice of a grid its own value.
func setData(g *grid) stmt {
	return event(fmt.Sprintf("%s.data = %s.data[:%d]\n", g.name, g.name, g.rows*g.cols), func(r *runner, _ *frame) {
		r.touch(g.header, 0, headerSize, false)
		r.touch(g.header, 0, headerSize, true)
	})
}
