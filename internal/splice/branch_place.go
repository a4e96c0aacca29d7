package splice

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"taskinstr/internal/site"
)

// A spelling writes an expression of one side of a branch for the beginning of the other side.
// The new text has no effect and cannot panic: conditions around the text assign the operands to
// temporaries and check them first.
type spelling struct {
	r     *branchWalk
	conds []string // "if v := x; condition {", the outermost first
}

func (r *branchWalk) spell() *spelling { return &spelling{r: r} }

// guarded returns a statement inside the conditions.
func (s *spelling) guarded(stmt string) string {
	return strings.Join(s.conds, "") + stmt + strings.Repeat(" }", len(s.conds))
}

// under adds a condition on the value x, and returns the name of the temporary that holds x. The
// condition writes $ for that name.
func (s *spelling) under(x, cond string) string {
	v := s.r.f.temp()
	s.conds = append(s.conds, fmt.Sprintf("if %s := %s; %s { ", v, x, strings.ReplaceAll(cond, "$", v)))
	return v
}

// pure spells the value of e, if the text needs no condition.
func (r *branchWalk) pure(e ast.Expr) (string, bool) {
	s := r.spell()
	t, ok := s.value(e)
	if !ok || len(s.conds) > 0 {
		return "", false
	}
	return "(" + t + ")", true
}

// means reports whether a name denotes object o at the position of the records.
func (s *spelling) means(name string, o types.Object) bool {
	return s.r.f.denotes(name, s.r.pos, o)
}

// builtin reports whether a name denotes the predeclared object at that position.
func (s *spelling) builtin(name string) bool { return s.means(name, types.Universe.Lookup(name)) }

// place spells an addressable expression for place e.
func (s *spelling) place(e ast.Expr) (string, bool) {
	e = ast.Unparen(e)
	if id, ok := e.(*ast.Ident); ok {
		o := s.r.f.pkg.cfg.Info.ObjectOf(id)
		return id.Name, s.means(id.Name, o) && !s.inside(o)
	}
	return s.memory(e)
}

// inside reports whether o is declared in the side itself.
func (s *spelling) inside(o types.Object) bool {
	return o != nil && s.r.from.Pos() <= o.Pos() && o.Pos() < s.r.from.End()
}

// value spells the value that e has at the beginning of the side.
func (s *spelling) value(e ast.Expr) (string, bool) {
	f := s.r.f
	e = ast.Unparen(e)
	if tv := f.pkg.cfg.Info.Types[e]; tv.Value != nil {
		if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&(types.IsInteger|types.IsBoolean) != 0 {
			return tv.Value.ExactString(), true
		}
		return "", false
	}
	switch e := e.(type) {
	case *ast.Ident:
		o, ok := f.pkg.cfg.Info.ObjectOf(e).(*types.Var)
		if !ok {
			return "", false
		}
		if known, ok := s.r.known[o]; ok {
			return s.r.values[o], known
		}
		if s.r.written[o] || s.inside(o) {
			return "", false
		}
		return e.Name, s.means(e.Name, o)
	case *ast.SelectorExpr, *ast.IndexExpr, *ast.StarExpr:
		if o := f.memoryOf(e); o != nil && s.r.written[o] || s.r.written[anyMemory] {
			return "", false
		}
		return s.memory(e)
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			if _, ok := ast.Unparen(e.X).(*ast.CompositeLit); ok {
				return "", false
			}
			p, ok := s.place(e.X)
			return "(&" + p + ")", ok
		case token.SUB, token.ADD, token.XOR:
			x, ok := s.value(e.X)
			return "(" + e.Op.String() + x + ")", ok
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.ADD, token.SUB, token.MUL, token.AND, token.OR, token.XOR, token.AND_NOT:
			x, okX := s.value(e.X)
			y, okY := s.value(e.Y)
			b, basic := f.pkg.TypeOf(e).Underlying().(*types.Basic)
			return "(" + x + e.Op.String() + y + ")", okX && okY && basic && b.Info()&types.IsInteger != 0
		}
	}
	return "", false
}

// memory spells a field, an element or a dereferenced pointer.
func (s *spelling) memory(e ast.Expr) (string, bool) {
	f := s.r.f
	switch e := e.(type) {
	case *ast.SelectorExpr:
		sel := f.pkg.cfg.Info.Selections[e]
		if sel == nil { // another package's variable
			id, ok := e.X.(*ast.Ident)
			return f.TextOf(e), ok && s.means(id.Name, f.pkg.cfg.Info.Uses[id])
		}
		if sel.Kind() != types.FieldVal {
			return "", false
		}
		path := sel.Index()
		if len(path) > 1 && site.ThroughPointer(site.Elem(sel.Recv()), path[:len(path)-1]) {
			return "", false // embedded pointers
		}
		x, ok := s.target(e.X, sel.Recv())
		return x + "." + e.Sel.Name, ok
	case *ast.StarExpr:
		x, ok := s.target(e.X, f.pkg.TypeOf(e.X))
		return "(*" + x + ")", ok
	case *ast.IndexExpr:
		if !s.builtin("uint64") || !s.builtin("len") {
			return "", false
		}
		i, ok := s.value(e.Index)
		if !ok {
			return "", false
		}
		var x string
		switch t := site.Core(f.pkg.TypeOf(e.X)).(type) {
		case *types.Slice:
			if x, ok = s.value(e.X); !ok {
				return "", false
			}
			x = s.under(x, "0 == 0")
		case *types.Array:
			if x, ok = s.place(e.X); !ok {
				return "", false
			}
		case *types.Pointer:
			if x, ok = s.target(e.X, t); !ok {
				return "", false
			}
		default:
			return "", false
		}
		i = s.under(i, fmt.Sprintf("uint64($) < uint64(len(%s))", x))
		return x + "[" + i + "]", true
	}
	return "", false
}

// target spells e, of type t, as the operand of a selection: a pointer that is not nil, or a
// place.
func (s *spelling) target(e ast.Expr, t types.Type) (string, bool) {
	if !site.IsPointer(t) {
		return s.place(e)
	}
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		return s.place(u.X)
	}
	x, ok := s.value(e)
	if !ok || !s.builtin("nil") {
		return "", false
	}
	return s.under(x, "$ != nil"), true
}

// A lockAt is a lock that the side takes or gives up, with its address as an expression.
type lockAt struct {
	key     string // the text of the lock in the source
	conds   []string
	address string
	shared  bool
	givenUp bool // the lock was held at the beginning of the side, which gives it up
}

// lock returns the argument of a record that names a lock and its mode.
func (s *spelling) lock(l lockAt) (string, bool) {
	s.conds = append(s.conds, l.conds...)
	s.r.f.pkg.helpers["_ti_lock"] = true
	const sharedBit, givenUpBit = 1, 2 // of event.LockOf
	mode := 0
	if l.shared {
		mode |= sharedBit
	}
	if l.givenUp {
		mode |= givenUpBit
	}
	return fmt.Sprintf("_ti_lock(%s,%d)", l.address, mode), true
}
