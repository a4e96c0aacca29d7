package frequency

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/types/typeutil"
)

// UnknownTrips is the trip count of a loop that no constants bound.
const UnknownTrips = 10

// mostCalls bounds all estimates.
const mostCalls = 1e15

// A Span is a part of a file, after line directives. Only lines and columns count.
type Span struct{ Start, End token.Position }

// Holds reports whether the line and column lie in the span.
func (s *Span) Holds(line, col int) bool {
	return !before(line, col, s.Start) && before(line, col, s.End)
}

func before(line, col int, p token.Position) bool {
	return line < p.Line || line == p.Line && col < p.Column
}

// A Loop is a for statement.
type Loop struct {
	Span
	Trips float64
	Known bool // the trip count is that of the source
}

// A Func is a function declaration.
type Func struct {
	Span
	Decl   *ast.FuncDecl
	Weight float64
	Loops  []*Loop // outer loops before inner ones
}

// Around returns the loops of the function around a place, outer loops first, and the
// estimate of the place.
func (f *Func) Around(line, col int) (loops []*Loop, estimate float64) {
	estimate = f.Weight
	for _, l := range f.Loops {
		if l.Holds(line, col) {
			loops = append(loops, l)
			estimate = math.Min(estimate*l.Trips, mostCalls)
		}
	}
	return loops, estimate
}

// Functions returns the functions of the files of one package, with their weights.
func Functions(fset *token.FileSet, info *types.Info, files []*ast.File) []*Func {
	g := &graph{fset: fset, info: info, of: map[types.Object]*node{}}
	var list []*Func
	for _, file := range files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Body == nil {
				continue
			}
			f := &Func{Span: g.span(fd), Decl: fd}
			list = append(list, f)
			n := &node{f: f, entry: fd.Name.IsExported() || fd.Name.Name == "main" || fd.Name.Name == "init"}
			g.nodes = append(g.nodes, n)
			if o := info.Defs[fd.Name]; o != nil {
				g.of[o] = n
			}
		}
	}
	for _, n := range g.nodes {
		g.scan(n)
	}
	for _, n := range g.nodes {
		g.weigh(n)
		n.f.Weight = n.weight
	}
	return list
}

// A node is a function in the graph of calls.
type node struct {
	f       *Func
	entry   bool // code outside of the package may call it
	callers []call
	state   state
	cyclic  bool
	weight  float64
}

// A call is one call in the source.
type call struct {
	from  *node
	times float64 // for each call of from
}

type state uint8

const (
	untouched state = iota
	open
	weighed
)

type graph struct {
	fset  *token.FileSet
	info  *types.Info
	nodes []*node
	of    map[types.Object]*node
}

func (g *graph) span(n ast.Node) Span {
	return Span{g.fset.Position(n.Pos()), g.fset.Position(n.End())}
}

// scan finds the loops and the calls of a function.
func (g *graph) scan(n *node) {
	var stack []float64 // the product of the trip counts around each open node
	times := 1.0
	ast.Inspect(n.f.Decl.Body, func(x ast.Node) bool {
		if x == nil {
			times, stack = stack[len(stack)-1], stack[:len(stack)-1]
			return true
		}
		stack = append(stack, times)
		switch x := x.(type) {
		case *ast.ForStmt:
			trips, known := g.forTrips(x)
			n.f.Loops = append(n.f.Loops, &Loop{g.span(x), trips, known})
			times *= trips
		case *ast.RangeStmt:
			trips, known := g.rangeTrips(x)
			n.f.Loops = append(n.f.Loops, &Loop{g.span(x), trips, known})
			times *= trips
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(g.info, x); fn != nil {
				if m := g.of[fn.Origin()]; m != nil {
					m.callers = append(m.callers, call{n, times})
				}
			}
		}
		return true
	})
}

// weigh computes the weight of n from those of its callers.
func (g *graph) weigh(n *node) {
	if n.state != untouched {
		n.cyclic = n.cyclic || n.state == open
		return
	}
	n.state = open
	for _, c := range n.callers {
		g.weigh(c.from)
		if c.from.state == weighed {
			n.weight += c.from.weight * c.times
		}
	}
	if n.entry || n.weight == 0 {
		n.weight = math.Max(n.weight, 1)
	}
	if n.cyclic {
		n.weight *= UnknownTrips
	}
	n.weight = math.Min(n.weight, mostCalls)
	n.state = weighed
}
