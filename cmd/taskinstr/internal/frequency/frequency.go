package frequency

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"taskinstr/ssapass/scc"
)

// UnknownTrips is the trip count of a loop that no constants bound.
const UnknownTrips = 10

// mostCalls bounds the weights of functions, and most the estimates of places.
const (
	mostCalls = 1e4
	most      = 1e12
)

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
			estimate = math.Min(estimate*l.Trips, most)
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
			n := &node{f: f, id: int32(len(g.nodes)), entry: fd.Name.IsExported() || fd.Name.Name == "main" || fd.Name.Name == "init"}
			g.nodes = append(g.nodes, n)
			if o := info.Defs[fd.Name]; o != nil {
				g.of[o] = n
			}
		}
	}
	for _, n := range g.nodes {
		g.scan(n)
	}
	scc.Visit(len(g.nodes), func(id int32) []int32 { return g.nodes[id].from }, g.weigh)
	return list
}

// A node is a function in the graph of calls.
type node struct {
	f       *Func
	id      int32
	entry   bool // code outside of the package may call it
	callers []call
	from    []int32 // the functions of callers
}

// A call is one call in the source.
type call struct {
	from  *node
	times float64 // for each call of from
}

type graph struct {
	fset  *token.FileSet
	info  *types.Info
	nodes []*node
	of    map[types.Object]*node
}

func (g *graph) span(n ast.Node) Span {
	return Span{g.fset.Position(n.Pos()), g.fset.Position(n.End())}
}

// scan finds the loops and the calls of a function. A call in a branch counts for its part:
// half for an if statement, one of n for a switch of n cases.
func (g *graph) scan(n *node) {
	var stack []float64 // the frequency of each open node
	times := 1.0
	clauses := func(body *ast.BlockStmt) float64 { return 1 / math.Max(float64(len(body.List)), 1) }
	part := map[ast.Node]float64{}
	ast.Inspect(n.f.Decl.Body, func(x ast.Node) bool {
		if x == nil {
			times, stack = stack[len(stack)-1], stack[:len(stack)-1]
			return true
		}
		stack = append(stack, times)
		if p, ok := part[x]; ok {
			times *= p
		}
		switch x := x.(type) {
		case *ast.ForStmt:
			trips, known := g.forTrips(x)
			n.f.Loops = append(n.f.Loops, &Loop{g.span(x), trips, known})
			times *= trips
		case *ast.RangeStmt:
			trips, known := g.rangeTrips(x)
			n.f.Loops = append(n.f.Loops, &Loop{g.span(x), trips, known})
			times *= trips
		case *ast.IfStmt:
			part[x.Body] = 0.5
			if x.Else != nil {
				part[x.Else] = 0.5
			}
		case *ast.SwitchStmt:
			part[x.Body] = clauses(x.Body)
		case *ast.TypeSwitchStmt:
			part[x.Body] = clauses(x.Body)
		case *ast.SelectStmt:
			part[x.Body] = clauses(x.Body)
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(g.info, x); fn != nil {
				if m := g.of[fn.Origin()]; m != nil {
					m.callers = append(m.callers, call{n, times})
					m.from = append(m.from, n.id)
				}
			}
		}
		return true
	})
}

// weigh computes the weights of functions that call each other, directly or not, from their
// callers' weights. A group of several functions counts as a loop around each of them.
func (g *graph) weigh(group []int32) {
	total, entry, cyclic := 0.0, false, len(group) > 1
	outside := map[int32]float64{}
	for _, id := range group {
		n := g.nodes[id]
		entry = entry || n.entry
		for _, c := range n.callers {
			if slices.Contains(group, c.from.id) {
				cyclic = true
				continue
			}
			outside[id] += c.from.f.Weight * c.times
		}
		total += outside[id]
	}
	for _, id := range group {
		n, w := g.nodes[id], outside[id]
		if cyclic {
			w = total
		}
		if n.entry || w == 0 && (!cyclic || !entry) {
			w = math.Max(w, 1)
		}
		if cyclic {
			w = math.Max(w, 1) * UnknownTrips
		}
		n.f.Weight = math.Min(w, mostCalls)
	}
}
